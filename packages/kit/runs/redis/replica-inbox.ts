import { setTimeout as delay } from "node:timers/promises";
import type { Redis } from "../../redis/index.ts";
import { keyPrefix } from "./entries.ts";

/** Maximum duration of a blocking read. The connection's timeout must be longer. */
const blockMs = 1_000;
const blockedTimeoutMs = 3_000;
/** Time for woken readers to take their events and wait again, before the next blocking read. */
const regroupMs = 2;
const retryDelayMs = 200;
const maxOrders = 1_000;
const beatsPerLease = 3;

/** A message from one replica to another about a run of the other one. */
export interface Order {
  stream: string;
  kind: "stop" | "watch" | "unwatch";
  reader?: string;
  forMs?: number;
}

interface Waiter {
  stream: string;
  /** Wake up once there is an entry after this one. */
  after: string;
  wake(): void;
}

/**
 * Receives orders from other replicas: a Redis stream for each replica, which expires when its replica is dead. One blocking read waits for
 * orders and for the events of all runs that clients of this replica follow.
 */
export class ReplicaInbox {
  readonly replica: string;
  /** Resolves once Redis has answered for the first time, or is down. */
  readonly ready: Promise<void>;
  readonly #stream: string;
  readonly #leaseMs: number;
  readonly #commands: Promise<Redis>;
  readonly #blocking: Promise<Redis>;
  readonly #onOrder: (order: Order) => void;
  readonly #onLeaseLost: () => void;
  readonly #waiters = new Set<Waiter>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #listening: Promise<void>;
  /** The streams of the current blocking read. */
  #followed: ReadonlySet<string> = new Set();
  #lastBeatAt = performance.now();
  #lastOrder = "0";
  #isClosed = false;

  constructor(options: {
    replica: string;
    leaseMs: number;
    commands: Promise<Redis>;
    connect(timeoutMs: number): Promise<Redis>;
    onOrder(order: Order): void;
    onLeaseLost(): void;
  }) {
    this.replica = options.replica;
    this.#stream = toInbox(options.replica);
    this.#leaseMs = options.leaseMs;
    this.#commands = options.commands;
    this.#blocking = options.connect(blockedTimeoutMs);
    this.#onOrder = options.onOrder;
    this.#onLeaseLost = options.onLeaseLost;
    this.#heartbeat = setInterval(() => void this.#beat(), options.leaseMs / beatsPerLease).unref();
    this.ready = this.#commands.then((redis) => {
      redis.on("ready", () => void this.#beat());
      return isReadyOrDown(redis);
    });
    this.#listening = this.#listen();
  }

  /** Returns false if the replica is dead. */
  async send(replica: string, order: Order): Promise<boolean> {
    const redis = await this.#commands;
    const fields = ["order", JSON.stringify(order)];
    const id = await redis.xadd(toInbox(replica), "NOMKSTREAM", "MAXLEN", "~", maxOrders, "*", ...fields);
    return id !== null;
  }

  async isAlive(replica: string): Promise<boolean> {
    return (await (await this.#commands).exists(toInbox(replica))) === 1;
  }

  /** Resolves with true when a run's stream has entries after this one, and with false after `waitMs` or when it is cancelled. */
  changed(stream: string, after: string, waitMs: number): { done: Promise<boolean>; cancel(): void } {
    const { promise: done, resolve } = Promise.withResolvers<boolean>();
    const end = (hasChanged: boolean) => {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
      resolve(hasChanged);
    };
    const waiter = { stream, after, wake: () => end(true) };
    const cancel = () => end(false);
    const timer = setTimeout(cancel, waitMs).unref();
    this.#waiters.add(waiter);
    // The current blocking read doesn't include this stream. An order to this replica itself ends that read.
    if (this.#followed.size > 0 && !this.#followed.has(stream)) void this.#interrupt();
    return { done, cancel };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    for (const { wake } of this.#waiters) wake();
    (await this.#blocking).disconnect();
    await this.#listening;
    const redis = await this.#commands;
    if (redis.status === "ready") await redis.del(this.#stream);
  }

  async #beat(): Promise<void> {
    try {
      const redis = await this.#commands;
      const results = await redis
        .multi()
        .xadd(this.#stream, "MAXLEN", "~", maxOrders, "*", "beat", "1")
        .pexpire(this.#stream, this.#leaseMs)
        .exec();
      if (results?.every(([error]) => error === null)) this.#lastBeatAt = performance.now();
    } catch {
      // The connection logs that Redis is down.
      if (performance.now() - this.#lastBeatAt > this.#leaseMs) this.#onLeaseLost();
    }
  }

  async #interrupt(): Promise<void> {
    this.#followed = new Set();
    await this.#beat();
  }

  async #listen(): Promise<void> {
    const redis = await this.#blocking;
    await isReadyOrDown(redis);
    while (!this.#isClosed) {
      const positions = new Map<string, string>([[this.#stream, this.#lastOrder]]);
      for (const { stream, after } of this.#waiters) {
        const other = positions.get(stream);
        if (other === undefined || Number.parseInt(after, 10) < Number.parseInt(other, 10))
          positions.set(stream, after);
      }
      this.#followed = new Set(positions.keys());
      try {
        const reply = await redis.xread(
          "COUNT",
          8,
          "BLOCK",
          blockMs,
          "STREAMS",
          ...positions.keys(),
          ...positions.values(),
        );
        this.#followed = new Set();
        for (const [stream, entries] of (reply ?? []) as [string, [string, string[]][]][]) {
          if (stream === this.#stream) this.#receive(entries);
          else for (const waiter of this.#waiters) if (waiter.stream === stream) waiter.wake();
        }
        if (this.#waiters.size > 0 || reply) await delay(regroupMs);
      } catch {
        // The connection logs that Redis is down. Readers notice it themselves.
        this.#followed = new Set();
        if (!this.#isClosed) await delay(retryDelayMs);
      }
    }
  }

  #receive(entries: [id: string, fields: string[]][]): void {
    for (const [id, [field, value = ""]] of entries) {
      this.#lastOrder = id;
      if (field === "order") this.#onOrder(JSON.parse(value) as Order);
    }
  }
}

function isReadyOrDown(redis: Redis): Promise<void> {
  return new Promise((resolve) => {
    redis
      .once("ready", resolve)
      .once("error", () => resolve())
      .once("end", resolve);
  });
}

const toInbox = (replica: string) => `${keyPrefix}replica:${replica}`;
