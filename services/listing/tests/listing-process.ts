import { join } from "node:path";
import type { ServiceProcess } from "@agent-backends/testing";
import { startService } from "@agent-backends/testing";

export const mainModule = join(import.meta.dirname, "../dist/main.js");

/** The service in its own process, as users run it. */
export interface ListingProcess extends ServiceProcess {
  /** Posts JSON, text unchanged, or no body. */
  post(
    path: string,
    body?: unknown,
    options?: { signal?: AbortSignal; headers?: Record<string, string> },
  ): Promise<Response>;
}

/** Starts the service on a free port. Resolves when it listens. */
export async function startListing(variables: Record<string, string>): Promise<ListingProcess> {
  const service = await startService(mainModule, variables);
  return {
    ...service,
    post: (path, body, { signal, headers } = {}) =>
      fetch(`${service.baseUrl}${path}`, {
        method: "POST",
        ...(body !== undefined && {
          body: typeof body === "string" ? body : JSON.stringify(body),
          headers: { "content-type": "application/json", ...headers },
        }),
        ...(signal && { signal }),
      }),
  };
}
