import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceProcess } from "@agent-backends/testing";
import { startReplicas, startService } from "@agent-backends/testing";

export const mainModule = join(import.meta.dirname, "../dist/main.js");

/** The service in its own process, as users run it. */
export interface KnowledgeProcess extends ServiceProcess {
  ingest(body: unknown): ReturnType<typeof postJson>;
  search(body: unknown): ReturnType<typeof postJson>;
}

/** Adds to the service itself: in a copy, the log of replicas would end here. */
const withRoutes = (service: ServiceProcess): KnowledgeProcess =>
  Object.assign(service, {
    ingest: (body: unknown) => postJson(`${service.baseUrl}/api/tools/ingest`, body),
    search: (body: unknown) => postJson(`${service.baseUrl}/api/tools/searchDocs`, body),
  });

/** Starts the service on a free port; resolves when it listens. */
export async function startKnowledge(variables: Record<string, string>): Promise<KnowledgeProcess> {
  return withRoutes(await startService(mainModule, variables));
}

/** Starts three replicas of the service behind nginx. */
export async function startKnowledgeReplicas(variables: Record<string, string>): Promise<KnowledgeProcess> {
  return withRoutes(await startReplicas(mainModule, variables));
}

/** The folder for temporary files of a process, as a list. Empty once it is removed. */
export async function findTemporaryFolder({ process: { pid } }: KnowledgeProcess): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.includes(`.${pid}.`)).map((name) => join(tmpdir(), name));
}

/** Paths of the temporary files of a process, except those of the engine. */
export async function listTemporaryFiles(service: KnowledgeProcess): Promise<string[]> {
  const folders = await findTemporaryFolder(service);
  const paths = folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name)));
  return (await Promise.all(paths)).flat().filter((path) => !path.includes("/.tmp"));
}

export async function readAnswer(response: Response) {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they assert.
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

/** Posts JSON and returns the status with the parsed response. */
export async function postJson(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return readAnswer(response);
}

export async function postFiles(
  url: string,
  fields: Record<string, string>,
  files: [name: string, content: string | Blob | Uint8Array][],
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, content] of files) form.append("files", new Blob([content as Uint8Array<ArrayBuffer>]), name);
  const response = await fetch(url, { method: "POST", headers: { Accept: "application/json" }, body: form });
  return readAnswer(response);
}
