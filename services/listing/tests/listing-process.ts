import { join } from "node:path";
import type { ServiceProcess } from "@agent-backends/testing";
import { startService } from "@agent-backends/testing";

export const mainModule = join(import.meta.dirname, "../dist/main.js");

/** The service as users run it: a process of its own. */
export interface ListingProcess extends ServiceProcess {
  /** Posts JSON, or text as it is, or nothing. */
  post(
    path: string,
    body?: unknown,
    options?: { signal?: AbortSignal; headers?: Record<string, string> },
  ): Promise<Response>;
}

/** Starts the service on a free port; resolves when it listens. */
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
