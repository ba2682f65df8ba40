import type { Redis } from "../../redis/index.ts";
import type { RunControl, RunWriter } from "../run-log.ts";
import { entryPart } from "./entries.ts";

/** The log of a writer. An object for all writers, not closures for each: see `StreamListener`. */
export interface WriterLog {
  readonly retentionMs: number;
  onAppended(): void;
  onEnd(stream: string): void;
  /** @param entryId the id of an entry after all that may be stored */
  onLost(stream: string, entryId: string, reason: string): void;
}

/** Records one run of this replica. */
export class RedisWriter implements RunWriter {
  readonly control: RunControl;
  /** Resolves when the last append was answered. */
  idle: Promise<void> = Promise.resolve();
  isLost = false;
  readonly #redis: Redis;
  readonly #stream: string;
  readonly #log: WriterLog;
  #lastId = 0;

  constructor(redis: Redis, stream: string, control: RunControl, log: WriterLog) {
    this.#redis = redis;
    this.#stream = stream;
    this.control = control;
    this.#log = log;
  }

  append({ bytes: events, lastId, isLast }: { bytes: Buffer; lastId: number; isLast: boolean }): Promise<void> {
    const bytes = Buffer.from(events);
    this.#lastId = lastId;
    corkForTurn(this.#redis);
    const entryId = `${lastId}-${entryPart.events}`;
    // Without NOMKSTREAM a stream that Redis has lost would begin again in the middle.
    const stored = isLast
      ? this.#redis
          .multi()
          .xadd(this.#stream, "NOMKSTREAM", entryId, "events", bytes, "end", "1")
          .pexpire(this.#stream, this.#log.retentionMs)
          .exec()
          .then((results) => results?.[0]?.[1])
      : this.#redis.xadd(this.#stream, "NOMKSTREAM", entryId, "events", bytes);
    this.idle = stored.then(
      (id) => {
        if (typeof id === "string") this.#log.onAppended();
        else this.fail();
        if (isLast) this.#log.onEnd(this.#stream);
      },
      () => this.fail(),
    );
    return this.idle;
  }

  discard(reason: string): void {
    if (this.isLost) return;
    this.isLost = true;
    this.#log.onLost(this.#stream, `${this.#lastId}-${entryPart.lost}`, reason);
  }

  fail(): void {
    this.discard("The run log failed while the run went on, so it holds only a part of the run.");
  }
}

/** Sends the appends of all runs of one event loop turn in one system call. */
function corkForTurn({ stream }: Redis): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}
