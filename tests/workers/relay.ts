import { execFileSync } from "node:child_process";
import type { Agent } from "node:http";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import type { ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import { answer } from "@agent-backends/testing";
import type { Scrape } from "../observability/prometheus.ts";
import { parseScrape } from "../observability/prometheus.ts";

interface Answer {
  status: number;
  /** Id of the request in log lines. */
  id: string;
  /** Undefined if the connection broke. */
  body: Promise<string | undefined>;
}

const toRun = (content: string) =>
  JSON.stringify({ threadId: "t", runId: "r", messages: [{ id: "m", role: "user", content }] });

/** Starts a run, on a new connection unless an agent is given. */
export const ask = (service: ServiceProcess, key: string, agent?: Agent) =>
  send(service, "/agent", key, toRun("Hello"), agent);

/** Starts a run whose answer pauses half-way until the function returned by `holdAnswers` is called. */
export const askHeld = (service: ServiceProcess, key: string) => send(service, "/agent", key, toRun("held"));

/** Sends a request other than a run. */
export const askCapabilities = (service: ServiceProcess, key: string) => send(service, "/agent/capabilities", key);

function send(service: ServiceProcess, path: string, key: string, body?: string, agent: Agent | false = false) {
  return new Promise<Answer>((onAnswer, onError) => {
    const headers = { "X-API-Key": key, "Content-Type": "application/json" };
    request(service.baseUrl + path, { method: body === undefined ? "GET" : "POST", headers, agent }, (response) => {
      onAnswer({
        status: response.statusCode ?? 0,
        id: String(response.headers["x-request-id"]),
        body: text(response).catch(() => undefined),
      });
    })
      .on("error", onError)
      .end(body);
  });
}

/** Pauses the answers to `askHeld` half-way until the returned function is called. */
export function holdAnswers(provider: ScriptedProvider): () => void {
  const { promise: goOn, resolve: finish } = Promise.withResolvers<void>();
  const half = `data: {"choices":[{"index":0,"delta":{"content":"half "}}]}\n\n`;
  const whole = `data: {"choices":[{"index":0,"delta":{"content":"whole"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
  const held = answer.bytes([half, goOn, whole]);
  const hello = answer.text("Hello.");
  provider.script((request) => (JSON.stringify(request.body).includes("held") ? held : hello));
  return finish;
}

/** Separates accepted requests from refused ones. */
export async function sort(answers: Promise<Answer>[]): Promise<{ taken: Answer[]; refused: Answer[] }> {
  const got = await Promise.all(answers);
  return { taken: got.filter(({ status }) => status === 200), refused: got.filter(({ status }) => status === 429) };
}

export const readMetrics = async (service: ServiceProcess): Promise<Scrape> =>
  parseScrape(await (await fetch(service.metricsUrl ?? "")).text());

export function findWorkers(service: ServiceProcess): number[] {
  const pids = execFileSync("ps", ["-o", "pid=", "--ppid", String(service.process.pid)], { encoding: "utf8" });
  return pids.trim().split("\n").map(Number);
}
