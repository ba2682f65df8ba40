import { setTimeout as delay } from "node:timers/promises";
import PQueue from "p-queue";

/** Writes the state of one job after changes. Only one write runs at a time, and it includes all changes made before it starts. */
export class StateWrites {
  readonly #write: () => Promise<void>;
  readonly #pauseMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #queue = new PQueue({ concurrency: 1 });
  /** Aborted when the next write is urgent. */
  #pause = new AbortController();

  /**
   * @param options.pauseMs pause between two writes, unless a change is urgent
   * @param options.onError called when a write fails; a later write includes the same changes, at the latest when the job ends
   */
  constructor(options: { write: () => Promise<void>; pauseMs: number; onError: (error: unknown) => void }) {
    this.#write = options.write;
    this.#pauseMs = options.pauseMs;
    this.#onError = options.onError;
  }

  noteChange(isUrgent: boolean): void {
    if (this.#queue.size === 0) void this.#queue.add(() => this.#writeAndPause()).catch(this.#onError);
    if (isUrgent) this.#pause.abort();
  }

  /** Writes after the writes that are already queued. @throws what the write throws */
  writeNow(): Promise<void> {
    return this.#queue.add(this.#write);
  }

  /** Resolves once no write is queued. Skips the remaining pauses. */
  settle(): Promise<void> {
    this.#pause.abort();
    return this.#queue.onIdle();
  }

  async #writeAndPause(): Promise<void> {
    this.#pause = new AbortController();
    await this.#write();
    await delay(this.#pauseMs, undefined, { signal: this.#pause.signal }).catch(() => undefined);
  }
}
