import type { BagItem } from "./bag.ts";
import { Bag } from "./bag.ts";

const largestTickMs = 1_000;
const smallestTickMs = 5;
const ticksPerTimeout = 16;

/** One of the things that are watched. */
export interface Watched {
  /** Something was heard: the time starts anew. */
  heard(): void;
  stop(): void;
}

/**
 * Calls back for whatever has been silent for a time; what nobody hears is timed from its start. One timer serves all, so that
 * telling it that something was heard costs nothing, however many streams there are; for that it is late by a sixteenth of
 * the time, or a second, at most.
 */
export class TimeoutWatch {
  readonly #entries = new Bag<Entry>();
  readonly #tickMs: number;
  readonly #ticks: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#tickMs = Math.max(smallestTickMs, Math.min(largestTickMs, Math.floor(timeoutMs / ticksPerTimeout)));
    this.#ticks = Math.ceil(timeoutMs / this.#tickMs);
  }

  /** Watches from now on. `onSilence` is called again and again for as long as the silence lasts, until `stop`. */
  watch(onSilence: () => void): Watched {
    const entry = new Entry(this.#entries, onSilence);
    this.#entries.add(entry);
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
    return entry;
  }

  #tick(): void {
    this.#entries.visit((entry) => {
      // The first tick comes at any time after the last word, so that one more is waited for.
      entry.ticks += 1;
      if (entry.ticks <= this.#ticks) return;
      entry.ticks = 1;
      entry.onSilence();
    });
    if (this.#entries.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

class Entry implements Watched, BagItem {
  place = -1;
  ticks = 0;
  readonly onSilence: () => void;
  readonly #entries: Bag<Entry>;

  constructor(entries: Bag<Entry>, onSilence: () => void) {
    this.#entries = entries;
    this.onSilence = onSilence;
  }

  heard(): void {
    this.ticks = 0;
  }

  stop(): void {
    this.#entries.remove(this);
  }
}
