import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { ServiceName, ServiceProcess } from "@agent-backends/testing";
import { serviceMains, startService } from "@agent-backends/testing";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export const serviceNames = Object.keys(serviceMains) as ServiceName[];

/** For each service, a request that calls the model and streams the answer. */
export const streaming = {
  "relay-express": {
    path: "/agent",
    body: { threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "SECRET-CONTENT" }] },
  },
  "relay-nest": {
    path: "/agent",
    body: { threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "SECRET-CONTENT" }] },
  },
  knowledge: {
    path: "/stream",
    body: {
      thread_id: "t",
      run_id: "r",
      namespace: "SECRET-CUSTOMER",
      messages: [{ role: "user", content: "SECRET-CONTENT" }],
    },
  },
  listing: { path: "/agent", body: { messages: [{ role: "user", content: "SECRET-CONTENT: hello" }] } },
} as const;

/** Starts a service with its store, if it has one, in a temporary folder. */
export async function start(
  name: ServiceName,
  variables: Record<string, string>,
  options?: Parameters<typeof startService>[2],
): Promise<ServiceProcess> {
  const folder = await mkdtemp(join(tmpdir(), "agent-backends-"));
  const service = await startService(
    root + serviceMains[name],
    { KNOWLEDGE_STORE: join(folder, "store"), ...variables },
    options,
  );
  void service.exited.then(() => rm(folder, { recursive: true, force: true }));
  return service;
}

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** Sends bytes on a new connection. Resolves with the response. */
export async function sendRaw(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(bytes, "latin1");
  return text(socket);
}

/** Resolves with the log lines of answered requests once there are this many. */
export async function requestLines(service: ServiceProcess, count: number) {
  const lines = () => service.log.filter(({ msg }) => msg === "request");
  while (lines().length < count) await new Promise((resolve) => setTimeout(resolve, 10));
  return lines();
}
