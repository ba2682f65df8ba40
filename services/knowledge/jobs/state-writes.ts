import { setTimeout as delay } from "node:timers/promises";
import PQueue from "p-queue";

/** Writes the state of one job after its changes: one write at a time, each with all changes until it starts. */
export class StateWrites {
  readonly #write: () => Promise<void>;
  readonly #pauseMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #queue = new PQueue({ concurrency: 1 });
  #urgent = Promise.withResolvers<void>();

  /**
   * @param options.pauseMs between two writes, unless a change is urgent
   * @param options.onError a later write has all changes too, the last one when the job ends
   */
  constructor(options: { write: () => Promise<void>; pauseMs: number; onError: (error: unknown) => void }) {
    this.#write = options.write;
    this.#pauseMs = options.pauseMs;
    this.#onError = options.onError;
  }

  noteChange(isUrgent: boolean): void {
    if (this.#queue.size === 0) void this.#queue.add(() => this.#writeAndPause()).catch(this.#onError);
    if (isUrgent) this.#urgent.resolve();
  }

  /** Writes after those that wait. @throws what the write throws */
  writeNow(): Promise<void> {
    return this.#queue.add(this.#write);
  }

  /** Resolves when no write waits, without further pauses. */
  settle(): Promise<void> {
    this.#urgent.resolve();
    return this.#queue.onIdle();
  }

  async #writeAndPause(): Promise<void> {
    this.#urgent = Promise.withResolvers();
    await this.#write();
    const paused = new AbortController();
    const pause = delay(this.#pauseMs, undefined, { signal: paused.signal }).catch(() => undefined);
    await Promise.race([pause, this.#urgent.promise]);
    paused.abort();
  }
}
