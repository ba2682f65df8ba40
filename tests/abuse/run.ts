import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { ServiceManifest } from "@agent-backends/contract/services";
import { services } from "@agent-backends/contract/services";
import type { ServiceName, ServiceProcess } from "@agent-backends/testing";
import { start } from "../observability/services.ts";
import { writeKeys } from "../trust/key-file.ts";
import type { AbuseCase } from "./cases.ts";
import { sendHostile } from "./hostile-client.ts";
import type { SmallAnswers, SmallRequest } from "./small-client.ts";

/** What became of a case. */
export interface AbuseResult {
  route: string;
  name: string;
  /** Of the other key's requests meanwhile. */
  p99Ms: number;
  smallAnswers: number;
  failures: string[];
  /** The most memory that the service had. */
  residentBytes: number;
  /** How often the hostile requests were answered with which status. */
  outcomes: Record<string, number>;
}

export const maxResidentBytes = 1_000_000_000;
export const hostileKey = "hostile-key";
const smallKey = "small-key";
const heapMegabytes = 2_048;

/** As npm starts them. */
const started: Record<ServiceName, ServiceManifest> = {
  "relay-express": services.relay,
  "relay-nest": services.relayNest,
  listing: services.listing,
  knowledge: services.knowledge,
};

/** Between the starts of requests that run at the same time: ten times as fast as a key's rate allows. */
const startIntervalMs = 1;

const messages = [{ id: "1", role: "user", content: "Hello" }];
const small: Record<ServiceName, { path: string; body: object }> = {
  "relay-express": { path: "/agent", body: { threadId: "t", runId: "r", messages } },
  "relay-nest": { path: "/agent", body: { threadId: "t", runId: "r", messages } },
  listing: { path: "/tools/confetti", body: {} },
  knowledge: { path: "/api/tools/searchDocs", body: { namespace: "small", query: "refunds" } },
};

/** A service with two keys: of a hostile client and of one who sends small requests. */
export class AbusedService {
  readonly name: ServiceName;
  readonly process: ServiceProcess;
  /** Of a document that is far larger than what its reader takes of it; of the knowledge service. */
  largeDocumentPath: string | undefined;
  readonly #close: () => Promise<unknown>;

  private constructor(name: ServiceName, process: ServiceProcess, close: () => Promise<unknown>) {
    this.name = name;
    this.process = process;
    this.#close = close;
  }

  static async start(name: ServiceName, documentCharacters = 20_000_000): Promise<AbusedService> {
    const folder = await mkdtemp(join(tmpdir(), "abuse-"));
    const provider = new Worker(new URL("provider.ts", import.meta.url));
    const AUTH_KEYS_FILE = join(folder, "keys.json");
    await writeKeys(AUTH_KEYS_FILE, [
      { name: "hostile", key: hostileKey, namespaces: ["hostile", "n"], rate: 1_000_000 },
      { name: "small", key: smallKey, namespaces: ["small"] },
    ]);
    const { nodeFlags, nodeEnvironment } = started[name];
    const process = await start(
      name,
      { LLM_BASE_URL: await messageOf<string>(provider), AUTH_KEYS_FILE, ...nodeEnvironment },
      { nodeArguments: [`--max-old-space-size=${heapMegabytes}`, ...nodeFlags] },
    );
    const service = new AbusedService(name, process, async () => {
      await provider.terminate();
      await rm(folder, { recursive: true });
    });
    if (name === "knowledge") {
      await service.#store(smallKey, "small", "Refunds are paid within 5 working days.");
      const id = await service.#store(hostileKey, "hostile", "large ".repeat(documentCharacters / 6));
      service.largeDocumentPath = `/api/namespaces/hostile/documents/${id}`;
    }
    return service;
  }

  /**
   * Sends hostile requests while the other key sends small ones.
   *
   * @param durationMs for how long each place of `atOnce` is taken again; 0: once
   */
  async run({ route, name, atOnce, build }: AbuseCase, durationMs: number): Promise<AbuseResult> {
    const request = build();
    return this.during(route, name, async (count) => {
      const end = performance.now() + durationMs;
      const client = async (_: unknown, index: number) => {
        await delay(index * startIntervalMs);
        do count(await sendHostile(this.process.baseUrl, request));
        while (performance.now() < end);
      };
      await Promise.all(Array.from({ length: atOnce }, client));
    });
  }

  /** Measures the small requests and the service's memory while something else happens. */
  async during(
    route: string,
    name: string,
    happens: (count: (outcome: string) => void) => Promise<void>,
  ): Promise<AbuseResult> {
    const outcomes: Record<string, number> = {};
    const pid = this.process.process.pid ?? 0;
    // Resets the peak (proc(5)).
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    const client = new Worker(new URL("small-client.ts", import.meta.url), { workerData: this.#smallRequest() });
    await happens((outcome) => {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    });
    const answers = messageOf<SmallAnswers>(client);
    client.postMessage("stop");
    const { milliseconds, failures } = await answers;
    const sorted = milliseconds.sort((one, other) => one - other);
    const kilobytes = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return {
      ...{ route, name, failures, outcomes, smallAnswers: sorted.length },
      p99Ms: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY,
      residentBytes: Number(kilobytes) * 1_024,
    };
  }

  /** Ends the service. Rejects when a request has held its event loop. */
  async end(): Promise<void> {
    try {
      await this.process.end();
    } finally {
      await this.#close();
    }
  }

  #smallRequest(): SmallRequest {
    const { path, body } = small[this.name];
    return { url: this.process.baseUrl + path, init: post(smallKey, body) };
  }

  async #store(key: string, namespace: string, text: string): Promise<string> {
    const init = post(key, { namespace, sources: [text] });
    const response = await fetch(`${this.process.baseUrl}/api/tools/ingest`, init);
    const { saved } = (await response.json()) as { saved: { document_id: string }[] };
    if (saved[0] === undefined) throw new Error(`A document was not stored: ${response.status}`);
    return saved[0].document_id;
  }
}

function post(key: string, body: object): RequestInit {
  const headers = { "Content-Type": "application/json", "X-API-Key": key };
  return { method: "POST", headers, body: JSON.stringify(body) };
}

function messageOf<Message>(worker: Worker): Promise<Message> {
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
