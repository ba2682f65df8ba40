import type { Output } from "./output.ts";

const barColumns = 24;
/** Drawing more often only wastes time. */
const minDrawIntervalMs = 100;
const units = ["B", "KB", "MB", "GB", "TB"] as const;

export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 1_000 && unit < units.length - 1; unit++) value /= 1_000;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${ms < 10_000 ? (ms / 1_000).toFixed(1) : seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

interface Options {
  items: number;
  bytes: number;
  now: () => number;
  /** Aborts a command that resumes when it runs again. The user is told so. */
  resumesAfter?: AbortSignal;
}

/** A progress bar on the last line of a terminal, with rate and time left. Draws nothing elsewhere. */
export class Progress {
  readonly #out: Output;
  readonly #options: Options;
  readonly #startedAt: number;
  #items = 0;
  #bytes = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(out: Output, options: Options) {
    this.#out = out;
    this.#options = options;
    this.#startedAt = options.now();
  }

  add(bytes: number): void {
    this.#items++;
    this.#bytes += bytes;
    const now = this.#options.now();
    if (now - this.#drawnAt < minDrawIntervalMs) return;
    this.#drawnAt = now;
    this.#draw(now - this.#startedAt);
  }

  /** Removes the bar. */
  close(): void {
    this.#out.progressTerminal?.write("\r\u001B[K");
    const { items, resumesAfter } = this.#options;
    if (resumesAfter?.aborted)
      this.#out.note(`Stopped: ${this.#items} of ${items} are done. Run it again to continue.`);
  }

  #draw(elapsedMs: number): void {
    const terminal = this.#out.progressTerminal;
    if (!terminal) return;
    const { items, bytes } = this.#options;
    // Bytes are more precise than files, which differ in size. Web pages have no size.
    const share = bytes > 0 ? this.#bytes / bytes : this.#items / items;
    const filled = Math.round(share * barColumns);
    const seconds = Math.max(elapsedMs, 1) / 1_000;
    const rate = bytes > 0 ? `${formatBytes(this.#bytes / seconds)}/s` : `${(this.#items / seconds).toFixed(1)}/s`;
    const left = share > 0 ? ` · ${formatDuration((elapsedMs / share) * (1 - share))} left` : "";
    const count = items > 1 ? ` ${this.#items}/${items} ·` : "";
    const line = `${"█".repeat(filled)}${"░".repeat(barColumns - filled)}${count} ${rate}${left}`;
    terminal.write(`\r${line.slice(0, terminal.columns - 1)}\u001B[K`);
  }
}
