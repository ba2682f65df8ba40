import { randomUUID } from "node:crypto";
import type { RelayProfile } from "@agent-backends/contract";
import type { Redis } from "../../redis/index.ts";
import { brokenOffEvents } from "../run-errors.ts";
import type { RunReader } from "../run-log.ts";
import { RunLogUnavailableError, RunLostError } from "../run-log.ts";
import { countEvents, SentEvents } from "../stored-events.ts";
import { entryPart, parseEntry } from "./entries.ts";
import type { ReplicaInbox } from "./replica-inbox.ts";

/** Maximum number of batches that a reader takes at once. */
const readBatches = 16;
/** Interval at which an idle reader checks whether the run's replica is alive. */
const checkIntervalMs = 1_000;
/** Interval at which a reader tells the run's replica that it still reads, and how long each of these messages is valid. */
const watchIntervalMs = 1_000;
const watchMs = 3_000;

export interface RedisRun {
  redis: Redis;
  stream: string;
  replica: string;
  profile: RelayProfile;
  retentionMs: number;
  inbox: ReplicaInbox;
}

export class RedisReader implements RunReader {
  readonly #run: RedisRun;
  readonly #id = randomUUID();
  readonly #watching: NodeJS.Timeout | undefined;
  #after: number;
  #hasEnded = false;
  #isClosed = false;
  #cancelWait: (() => void) | undefined;

  constructor(run: RedisRun, after: number, hasEnded: boolean) {
    this.#run = run;
    this.#after = after;
    if (hasEnded) return;
    this.#watching = setInterval(() => this.#sendOrder("watch"), watchIntervalMs).unref();
    this.#sendOrder("watch");
  }

  async next(): Promise<Buffer | undefined> {
    try {
      while (!this.#isClosed && !this.#hasEnded) {
        const bytes = await this.#read();
        if (bytes.length > 0) return bytes;
        if (!this.#hasEnded) await this.#wait();
      }
      return undefined;
    } catch (error) {
      if (error instanceof RunLostError) throw error;
      throw new RunLogUnavailableError(error);
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelWait?.();
    if (this.#watching === undefined) return;
    clearInterval(this.#watching);
    this.#sendOrder("unwatch");
  }

  async #read(): Promise<Buffer> {
    const { redis, stream } = this.#run;
    const entries = await redis.xrangeBuffer(stream, this.#position(), "+", "COUNT", readBatches);
    const batches: Buffer[] = [];
    for (const { events, lastId, hasEnded, lostReason } of entries.map(parseEntry)) {
      if (lostReason !== undefined) {
        if (batches.length > 0) break;
        throw new RunLostError(lostReason);
      }
      if (events) batches.push(new SentEvents(lastId - countEvents(events), this.#after).decode(events));
      this.#after = lastId;
      this.#hasEnded = hasEnded;
      if (hasEnded) break;
    }
    return batches.length === 1 ? (batches[0] as Buffer) : Buffer.concat(batches);
  }

  /** Waits for new events. Ends a run whose replica is dead. */
  async #wait(): Promise<void> {
    const { redis, stream, inbox, replica } = this.#run;
    const change = inbox.changed(stream, this.#position().slice(1), checkIntervalMs);
    this.#cancelWait = change.cancel;
    if ((await change.done) || this.#isClosed) return;
    const [isKept, isAlive] = await Promise.all([redis.exists(stream), inbox.isAlive(replica)]);
    if (isKept === 0) throw new RunLostError("The run log has lost the run.");
    if (!isAlive) await endBrokenOff(this.#run);
  }

  /** Exclusive start of the entries that are still unread. */
  #position(): string {
    return `(${this.#after}-${entryPart.start}`;
  }

  #sendOrder(kind: "watch" | "unwatch"): void {
    const { inbox, replica, stream } = this.#run;
    const order = { stream, kind, reader: this.#id, forMs: watchMs };
    // If Redis is down, `next` reports it.
    inbox.send(replica, order).catch(() => undefined);
  }
}

/** Ends a run whose replica is dead. If several replicas try, one succeeds, and all send their readers the same events. */
export async function endBrokenOff({ redis, stream, profile, retentionMs }: RedisRun): Promise<void> {
  const entries = (await redis.xrangeBuffer(stream, "-", "+")).map(parseEntry);
  const last = entries.at(-1);
  if (last === undefined || last.hasEnded || last.lostReason !== undefined) return;
  const stored = Buffer.concat(entries.flatMap(({ events }) => events ?? []));
  const { bytes, lastId } = brokenOffEvents(stored, last.lastId, profile);
  const entryId = `${lastId}-${entryPart.events}`;
  try {
    await redis.xadd(stream, "NOMKSTREAM", entryId, "events", bytes, "end", "1");
    await redis.pexpire(stream, retentionMs);
  } catch (error) {
    if (!(error instanceof Error && error.message.includes("equal or smaller"))) throw error;
  }
}
