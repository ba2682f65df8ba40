import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Worker } from "node:worker_threads";
import type { ServiceManifest } from "@agent-backends/contract/services";
import { services } from "@agent-backends/contract/services";
import type { ServiceName, ServiceProcess } from "@agent-backends/testing";
import { wellMadeRunId } from "../faults/well-made-requests.ts";
import { start } from "../observability/services.ts";
import { writeKeys } from "../trust/key-file.ts";
import type { AbuseCase } from "./cases.ts";
import { sendHostile } from "./hostile-client.ts";
import type { SmallAnswers, SmallRequest } from "./small-client.ts";

export interface AbuseResult {
  route: string;
  name: string;
  /** 99th percentile of the response times of the other key's concurrent requests. With fewer than 100 requests, it is the slowest one. */
  p99Ms: number;
  smallAnswers: number;
  failures: string[];
  durationMs: number;
  cpuMs: number;
  /** Share of the machine's CPU time that other programs used. */
  othersLoad: number;
  /** Peak memory of the service. */
  residentBytes: number;
  /** Durations of turns that blocked the event loop for too long. */
  longTurns: string[];
  /** Number of hostile requests for each status. */
  outcomes: Record<string, number>;
}

export const maxResidentBytes = 1_000_000_000;
export const hostileKey = "hostile-key";
const smallKey = "small-key";
const heapMegabytes = 2_048;
/** The unit of CPU times in /proc. */
const tickMs = 10;

/** Started like `npm start`. */
const started: Record<ServiceName, ServiceManifest> = {
  "relay-express": services.relay,
  "relay-nest": services.relayNest,
  listing: services.listing,
  knowledge: services.knowledge,
};

const messages = [{ id: "1", role: "user", content: "Hello" }];
const small: Record<ServiceName, { path: string; body: object }> = {
  "relay-express": { path: "/agent", body: { threadId: "t", runId: wellMadeRunId, messages } },
  "relay-nest": { path: "/agent", body: { threadId: "t", runId: wellMadeRunId, messages } },
  listing: { path: "/tools/confetti", body: {} },
  knowledge: { path: "/api/tools/searchDocs", body: { namespace: "small", query: "refunds" } },
};

interface AbuseOptions {
  /** Length of the stored document that hostile clients read. */
  documentCharacters?: number;
  /** Pause between two requests of the other key. */
  smallPauseMs?: number;
  turnTolerance?: number;
}

/** A service with two keys: one of a hostile client, and one of a client that sends small requests. */
export class AbusedService {
  readonly name: ServiceName;
  readonly process: ServiceProcess;
  /** Paths of stored data to read: a large document and a job of the knowledge service. */
  readonly storedPaths: string[] = [];
  readonly #close: () => Promise<unknown>;
  readonly #smallClient: Worker;

  private constructor(name: ServiceName, process: ServiceProcess, smallPauseMs: number, close: () => Promise<unknown>) {
    this.name = name;
    this.process = process;
    this.#close = close;
    const request: SmallRequest = { ...this.#smallRequest(), pauseMs: smallPauseMs };
    this.#smallClient = new Worker(new URL("small-client.ts", import.meta.url), { workerData: request });
  }

  static async start(
    name: ServiceName,
    { documentCharacters = 20_000_000, smallPauseMs = 10, turnTolerance }: AbuseOptions = {},
  ): Promise<AbusedService> {
    const folder = await mkdtemp(join(tmpdir(), "abuse-"));
    const provider = new Worker(new URL("provider.ts", import.meta.url));
    const providerUrl = waitForMessage<string>(provider);
    const AUTH_KEYS_FILE = join(folder, "keys.json");
    await writeKeys(AUTH_KEYS_FILE, [
      { name: "hostile", key: hostileKey, namespaces: ["hostile", "n"], rate: 1_000_000 },
      { name: "small", key: smallKey, namespaces: ["small"] },
    ]);
    // One of the two relays keeps its runs. The other one doesn't, which is the default.
    const keepsRuns = name === "relay-nest";
    const { nodeFlags, nodeEnvironment } = started[name];
    const process = await start(
      name,
      {
        LLM_BASE_URL: await providerUrl,
        AUTH_KEYS_FILE,
        ...nodeEnvironment,
        ...(keepsRuns && { RUNS_URL: "memory:" }),
      },
      {
        nodeArguments: [`--max-old-space-size=${heapMegabytes}`, ...nodeFlags],
        ...(turnTolerance !== undefined && { turnTolerance }),
      },
    );
    const service = new AbusedService(name, process, smallPauseMs, async () => {
      await provider.terminate();
      await rm(folder, { recursive: true });
    });
    if (name === "knowledge") {
      await service.#ingest(smallKey, "small", "Refunds are paid within 5 working days.");
      const { saved } = await service.#ingest(hostileKey, "hostile", "large ".repeat(documentCharacters / 6));
      const { job_id } = await service.#ingest(hostileKey, "hostile", "small", "?async=true");
      service.storedPaths.push(
        `/api/namespaces/hostile/documents/${saved?.[0]?.document_id}`,
        `/api/namespaces/hostile/documents/${saved?.[0]?.document_id}/chunks?limit=100`,
        `/api/jobs/${job_id}`,
        `/api/jobs/${job_id}/events`,
      );
    }
    if (keepsRuns) {
      const run = post(hostileKey, small[name].body);
      await (await fetch(process.baseUrl + small[name].path, run)).text();
      service.storedPaths.push(`/agent/runs/${wellMadeRunId}`, `/agent?runId=${wellMadeRunId}&offset=-1`);
    }
    return service;
  }

  /**
   * Sends hostile requests while the other key sends small ones.
   *
   * @param durationMs how long each of the `atOnce` slots is filled again; 0 sends each request once
   */
  async run({ route, name, atOnce, builds }: AbuseCase, durationMs: number): Promise<AbuseResult> {
    const requests = builds.map((build) => build());
    return this.during(route, name, async (count) => {
      const end = performance.now() + durationMs;
      const client = async (_: unknown, index: number) => {
        const request = requests[index % requests.length] ?? requests[0];
        do if (request) count(await sendHostile(this.process.baseUrl, request));
        while (performance.now() < end);
      };
      await Promise.all(Array.from({ length: atOnce }, client));
    });
  }

  /** Measures the small requests and the service's memory while `happens` is running. */
  async during(
    route: string,
    name: string,
    happens: (count: (outcome: string) => void) => Promise<void>,
  ): Promise<AbuseResult> {
    const outcomes: Record<string, number> = {};
    const pid = this.process.process.pid ?? 0;
    // Reset the peak (proc(5)).
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    const turnsBefore = this.process.getLongTurns().length;
    const begun = { at: performance.now(), ...this.#usage() };
    this.#smallClient.postMessage("start");
    await happens((outcome) => {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    });
    const answers = waitForMessage<SmallAnswers>(this.#smallClient);
    this.#smallClient.postMessage("stop");
    const { milliseconds, failures } = await answers;
    const durationMs = performance.now() - begun.at;
    const ended = this.#usage();
    const othersMs =
      ended.machineMs - begun.machineMs - (ended.serviceMs - begun.serviceMs) - (ended.ownMs - begun.ownMs);
    const sorted = milliseconds.sort((one, other) => one - other);
    const kilobytes = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return {
      ...{ route, name, failures, outcomes, smallAnswers: sorted.length, durationMs },
      p99Ms: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY,
      cpuMs: ended.serviceMs - begun.serviceMs,
      othersLoad: Math.max(0, othersMs / durationMs / availableParallelism()),
      residentBytes: Number(kilobytes) * 1_024,
      longTurns: this.process.getLongTurns().slice(turnsBefore),
    };
  }

  /** CPU times so far: of all programs (proc(5)), of the service and of this process. */
  #usage(): { machineMs: number; serviceMs: number; ownMs: number } {
    const ticks = (text: string, fields: readonly number[]) => {
      const values = text.trim().split(/\s+/);
      return fields.reduce((sum, field) => sum + Number(values[field]) * tickMs, 0);
    };
    // The name is in brackets, and may contain spaces.
    const service = readFileSync(`/proc/${this.process.process.pid}/stat`, "utf8").replace(/^.*\) /s, "");
    const machine = readFileSync("/proc/stat", "utf8").split("\n", 1)[0] ?? "";
    const { user, system } = process.cpuUsage();
    return {
      machineMs: ticks(machine, [1, 2, 3, 6, 7]),
      serviceMs: ticks(service, [11, 12]),
      ownMs: (user + system) / 1_000,
    };
  }

  /** Ends the service. Rejects if a request has blocked its event loop. */
  async end(): Promise<void> {
    try {
      await this.process.end();
    } finally {
      await this.#smallClient.terminate();
      await this.#close();
    }
  }

  #smallRequest(): Omit<SmallRequest, "pauseMs"> {
    const { path, body } = small[this.name];
    return { url: this.process.baseUrl + path, init: post(smallKey, body) };
  }

  async #ingest(key: string, namespace: string, text: string, query = ""): Promise<Ingested> {
    const init = post(key, { namespace, sources: [text] });
    const response = await fetch(`${this.process.baseUrl}/api/tools/ingest${query}`, init);
    if (!response.ok) throw new Error(`A document was not stored: ${response.status}`);
    return (await response.json()) as Ingested;
  }
}

interface Ingested {
  saved?: { document_id: string }[];
  job_id?: string;
}

function post(key: string, body: object): RequestInit {
  const headers = { "Content-Type": "application/json", "X-API-Key": key };
  return { method: "POST", headers, body: JSON.stringify(body) };
}

async function waitForMessage<Message>(worker: Worker): Promise<Message> {
  const [message] = await once(worker, "message");
  return message as Message;
}
