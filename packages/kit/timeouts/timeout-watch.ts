import type { SwapRemoveItem } from "./swap-remove-list.ts";
import { SwapRemoveList } from "./swap-remove-list.ts";

const maxTickMs = 1_000;
const minTickMs = 5;
const ticksPerTimeout = 16;

/** One watched activity, for example a stream. */
export interface ActivityTimeout {
  /** Restarts the timeout after a sign of life. */
  restart(): void;
  stop(): void;
}

/**
 * One timeout for many activities. A single interval serves all of them, so `restart` costs one assignment instead of a
 * timer operation, however often it is called. In exchange the callback is late by up to a sixteenth of the timeout, or
 * one second if that is less.
 */
export class TimeoutWatch {
  readonly #entries = new SwapRemoveList<Entry>();
  readonly #tickMs: number;
  readonly #ticks: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#tickMs = Math.max(minTickMs, Math.min(maxTickMs, Math.floor(timeoutMs / ticksPerTimeout)));
    this.#ticks = Math.ceil(timeoutMs / this.#tickMs);
  }

  /** Starts a timeout. `onTimeout` is called each time it passes without a `restart`, until `stop`. */
  watch(onTimeout: () => void): ActivityTimeout {
    const entry = new Entry(this.#entries, onTimeout);
    this.#entries.add(entry);
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
    return entry;
  }

  #tick(): void {
    this.#entries.visit((entry) => {
      // The first tick may come right after `restart`, so one extra tick has to pass.
      entry.ticks += 1;
      if (entry.ticks <= this.#ticks) return;
      entry.ticks = 1;
      entry.onTimeout();
    });
    if (this.#entries.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

class Entry implements ActivityTimeout, SwapRemoveItem {
  index = -1;
  ticks = 0;
  readonly onTimeout: () => void;
  readonly #entries: SwapRemoveList<Entry>;

  constructor(entries: SwapRemoveList<Entry>, onTimeout: () => void) {
    this.#entries = entries;
    this.onTimeout = onTimeout;
  }

  restart(): void {
    this.ticks = 0;
  }

  stop(): void {
    this.#entries.remove(this);
  }
}
