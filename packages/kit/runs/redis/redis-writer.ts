import type { RunControl, RunWriter } from "../run-log.ts";
import type { AppendQueue } from "./append-queue.ts";
import { entryPart } from "./entries.ts";

/** Receives the events of a writer. One object for all writers instead of closures for each: see `StreamListener`. */
export interface WriterLog {
  onAppended(): void;
  onEnd(stream: string): void;
  /** @param entryId id of an entry after all entries that may be stored */
  onLost(stream: string, entryId: string, reason: string): void;
}

/** Records one run of this replica. */
export class RedisWriter implements RunWriter {
  readonly control: RunControl;
  /** Resolves when the last append was answered. */
  idle: Promise<void> = Promise.resolve();
  isLost = false;
  readonly stream: string;
  readonly #queue: AppendQueue;
  readonly #log: WriterLog;
  #lastId = 0;

  constructor(queue: AppendQueue, stream: string, control: RunControl, log: WriterLog) {
    this.#queue = queue;
    this.stream = stream;
    this.control = control;
    this.#log = log;
  }

  append(batch: { bytes: Buffer; lastId: number; isLast: boolean }): Promise<void> {
    this.#lastId = batch.lastId;
    this.idle = this.#queue.append(this, batch);
    return this.idle;
  }

  onReply(isStored: boolean, isLast: boolean): void {
    if (isStored) this.#log.onAppended();
    else this.fail();
    if (isLast) this.#log.onEnd(this.stream);
  }

  discard(reason: string): void {
    if (this.isLost) return;
    this.isLost = true;
    this.#log.onLost(this.stream, `${this.#lastId}-${entryPart.lost}`, reason);
  }

  fail(): void {
    this.discard("The run log failed while the run went on, so it holds only a part of the run.");
  }
}
