import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startOfflineProvider } from "@agent-backends/llm/offline";
import type { ObjectStore, ServiceProcess } from "@agent-backends/testing";
import { freePorts, serviceMains, startNginx, startObjectStore, startService } from "@agent-backends/testing";
import { root } from "../observability/services.ts";

const replicaCount = 3;

/**
 * Replicas of the knowledge service on one object store, behind nginx. Each has its own host name and folder for temporary files, even
 * after a restart, so that they know as little about each other as separate machines.
 */
export class ReplicaSet {
  readonly objectStore: ObjectStore;
  readonly baseUrl: string;
  readonly #folder: string;
  readonly #ports: number[];
  readonly #providerUrl: string;
  readonly #services: ServiceProcess[] = [];
  readonly #closing: (() => Promise<unknown>)[];
  #started = 0;

  private constructor(
    objectStore: ObjectStore,
    folder: string,
    ports: number[],
    providerUrl: string,
    closing: (() => Promise<unknown>)[],
  ) {
    this.objectStore = objectStore;
    this.#folder = folder;
    this.#ports = ports.slice(1);
    this.#providerUrl = providerUrl;
    this.#closing = closing;
    this.baseUrl = `http://127.0.0.1:${ports[0]}`;
  }

  static async start(): Promise<ReplicaSet> {
    const folder = await mkdtemp(join(tmpdir(), "replicas-"));
    const [objectStore, provider, ports] = await Promise.all([
      startObjectStore(),
      startOfflineProvider(),
      freePorts(replicaCount + 1),
    ]);
    const closing = [() => provider.close(), () => objectStore.close(), () => rm(folder, { recursive: true })];
    const set = new ReplicaSet(objectStore, folder, ports, provider.baseUrl, closing);
    await Promise.all(set.#ports.map((_, index) => set.restart(index)));
    const nginx = await startNginx(folder, ports[0] ?? 0, set.urls);
    closing.unshift(async () => {
      nginx.kill("SIGTERM");
      await once(nginx, "exit");
    });
    return set;
  }

  /** The addresses of the replicas themselves. */
  get urls(): string[] {
    return this.#services.map(({ baseUrl }) => baseUrl);
  }

  get size(): number {
    return replicaCount;
  }

  /** Kills a replica without notice. */
  async kill(index: number): Promise<void> {
    await this.#services[index]?.end("SIGKILL");
  }

  /** Shuts a replica down gracefully. */
  async stop(index: number): Promise<void> {
    await this.#services[index]?.end("SIGTERM");
  }

  /** Starts a replica, as on a new machine. */
  async restart(index: number): Promise<void> {
    this.#started += 1;
    const host = `replica-${this.#started}`;
    const temporary = join(this.#folder, host);
    await mkdir(temporary);
    this.#services[index] = await startService(
      root + serviceMains.knowledge,
      {
        ...this.objectStore.variables,
        KNOWLEDGE_STORE: this.objectStore.location,
        LLM_BASE_URL: this.#providerUrl,
        PORT: String(this.#ports[index]),
        TMPDIR: temporary,
      },
      {
        keepsLog: false,
        // With its own host name, a process can't tell whether one of another host is running.
        shell: `[ -n "$IN_HOST" ] || IN_HOST=1 exec unshare -u bash -c 'hostname ${host}; exec "$0" "$@"' "$0" "$@"`,
      },
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.end("SIGKILL")));
    for (const close of this.#closing) await close();
  }
}
