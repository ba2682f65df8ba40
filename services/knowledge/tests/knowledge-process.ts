import { join } from "node:path";
import type { ServiceProcess } from "@agent-backends/testing";
import { startService } from "@agent-backends/testing";

export const mainModule = join(import.meta.dirname, "../dist/main.js");

/** The service as users run it: a process of its own. */
export type KnowledgeProcess = ServiceProcess;

/** Starts the service on a free port; resolves when it listens. */
export function startKnowledge(variables: Record<string, string>): Promise<KnowledgeProcess> {
  return startService(mainModule, variables);
}

/** Posts JSON and gives the status with the parsed answer. */
export async function postJson(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they assert.
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}
