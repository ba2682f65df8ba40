import type { Writable } from "node:stream";
import type { DestinationStream } from "pino";

/** Lines of no urgency wait this long, so that many of them are one write. */
const longestWaitMs = 20;
/** More characters than this are not kept waiting. */
const mostWaiting = 64 * 1024;
/** pino's number for `warn`: what is as bad is written at once. */
const urgentLevel = 40;

const metadata = Symbol.for("pino.metadata");

/**
 * Collects log lines and writes them together. A write to a pipe costs more than making its line, and a service writes a
 * line for each request. What still waits is written when the process exits.
 */
export class BufferedOutput implements DestinationStream {
  /** Asks pino to say a line's level in `lastLevel` before it writes the line. */
  readonly [metadata] = true;
  lastLevel = 0;
  readonly #output: Writable;
  #waiting = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(output: Writable) {
    this.#output = output;
    // A reader that is gone must not end the process: what nobody reads is dropped.
    if (output.listenerCount("error") === 0) output.on("error", () => undefined);
    process.once("exit", () => this.flush());
  }

  write(line: string): void {
    this.#waiting += line;
    if (this.lastLevel >= urgentLevel || this.#waiting.length > mostWaiting) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), longestWaitMs).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#waiting;
    this.#waiting = "";
    if (lines !== "") this.#output.write(lines);
  }
}
