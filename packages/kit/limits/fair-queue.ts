/** The client that a task runs for. The signal aborts when the result is no longer needed. */
export interface Caller {
  client: string;
  signal?: AbortSignal | undefined;
}

type Start = () => void;

interface Client {
  /** Waiting tasks in order of arrival. */
  readonly waiting: Set<Start>;
  running: number;
  /** Total running time of the client's tasks. */
  usedMs: number;
}

export interface FairQueueOptions {
  /** Maximum number of concurrent tasks. */
  concurrency: number;
  /** Maximum number of concurrent tasks of one client. */
  concurrencyPerClient?: number;
  now?: () => number;
}

/**
 * Runs a limited number of tasks at a time and shares them fairly between clients. The client with the fewest running tasks is
 * next; a tie goes to the client whose tasks have taken the least time. So a client with thousands of slow tasks delays another
 * client's first task by at most one task's time.
 */
export class FairQueue {
  readonly #concurrency: number;
  readonly #concurrencyPerClient: number;
  readonly #now: () => number;
  /** Clients with waiting or running tasks. */
  readonly #clients = new Map<string, Client>();
  #running = 0;

  constructor({ concurrency, concurrencyPerClient = concurrency, now = () => performance.now() }: FairQueueOptions) {
    this.#concurrency = concurrency;
    this.#concurrencyPerClient = concurrencyPerClient;
    this.#now = now;
  }

  /** Runs a task when it is its turn. Rejects with the signal's reason if the signal aborts before that. */
  async add<Result>(client: string, task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    const entry = this.#clients.get(client) ?? { waiting: new Set(), running: 0, usedMs: this.#minUsedMs };
    this.#clients.set(client, entry);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    entry.waiting.add(resolve);
    const onAbort = () => {
      if (entry.waiting.delete(resolve)) reject(signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#startNext();
    try {
      await promise;
    } catch (error) {
      this.#forgetIdle(client, entry);
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
    const startedAt = this.#now();
    try {
      return await task();
    } finally {
      entry.usedMs += this.#now() - startedAt;
      entry.running -= 1;
      this.#running -= 1;
      this.#forgetIdle(client, entry);
      this.#startNext();
    }
  }

  /** A new client starts with the least used time: absence earns no credit. */
  get #minUsedMs(): number {
    return this.#clients.size === 0 ? 0 : Math.min(...[...this.#clients.values()].map(({ usedMs }) => usedMs));
  }

  #startNext(): void {
    while (this.#running < this.#concurrency) {
      let next: Client | undefined;
      for (const client of this.#clients.values()) {
        if (client.waiting.size === 0 || client.running >= this.#concurrencyPerClient) continue;
        if (next === undefined || isBefore(client, next)) next = client;
      }
      const [start] = next?.waiting ?? [];
      if (next === undefined || start === undefined) return;
      next.waiting.delete(start);
      next.running += 1;
      this.#running += 1;
      start();
    }
  }

  #forgetIdle(name: string, client: Client): void {
    if (client.waiting.size + client.running === 0 && this.#clients.get(name) === client) this.#clients.delete(name);
  }
}

function isBefore(one: Client, other: Client): boolean {
  return one.running === other.running ? one.usedMs < other.usedMs : one.running < other.running;
}
