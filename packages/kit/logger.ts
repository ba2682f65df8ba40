import type { Writable } from "node:stream";
import type { DestinationStream, Logger } from "pino";
import { pino } from "pino";
import { currentRecord } from "./observability/request-record.ts";

export type { Logger } from "pino";

/**
 * A logger that writes one JSON line per entry. It logs only the name, message, code, status and stack of an error, because error
 * objects may carry requests, headers and keys.
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    timestamp: isoTime,
    serializers: { err: describeError },
    // At level trace @fastify/multipart logs its options, with the request's headers.
    redact: ["busboyOptions.headers"],
    mixin: getRequestFields,
    // Pino's default strategy copies the fields of each line.
    mixinMergeStrategy: (fields: object, more: object) => (more === nothing ? fields : { ...more, ...fields }),
  };
  return pino(options, destination ?? standardOutput());
}

const nothing = {};

/** Adds the request's id to everything logged while it is answered. */
function getRequestFields(): object {
  const record = currentRecord();
  return record === undefined ? nothing : { request_id: record.id };
}

let lastTime = { at: 0, field: "" };

// Formatting the time takes a third of a line's cost, and many lines of a busy service share a millisecond.
function isoTime(): string {
  const now = Date.now();
  if (now !== lastTime.at) lastTime = { at: now, field: `,"time":"${new Date(now).toISOString()}"` };
  return lastTime.field;
}

let output: BufferedOutput | undefined;

// Pino's own writer hangs on exit when the reader of its pipe is gone.
function standardOutput(): DestinationStream {
  output ??= new BufferedOutput(process.stdout);
  return output;
}

/** The fields of an error that may be logged, with those of its causes, at most three levels deep. */
export function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code, status } = error as { code?: unknown; status?: unknown };
  return {
    name,
    message,
    ...(typeof code === "string" && { code }),
    ...(typeof status === "number" && { status }),
    ...(stack && { stack }),
    ...(cause !== undefined && depth < 3 && { cause: describeError(cause, depth + 1) }),
  };
}

/** Lines below `warn` are written together after this delay. */
const flushDelayMs = 20;
/** Flush immediately once the pending text exceeds this length. */
const maxPendingLength = 64 * 1024;
/** Pino's number for `warn`. Lines of this level and above are written at once. */
const urgentLevel = 40;

const metadata = Symbol.for("pino.metadata");

/**
 * Writes log lines in batches. A write to a pipe costs more than building the line, and a service logs every request. Pending
 * lines are written when the process exits.
 */
class BufferedOutput implements DestinationStream {
  /** Asks pino to set `lastLevel` before it writes a line. */
  readonly [metadata] = true;
  lastLevel = 0;
  readonly #output: Writable;
  #pending = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(output: Writable) {
    this.#output = output;
    // If the reader is gone, lines are dropped. That must not end the process.
    if (output.listenerCount("error") === 0) output.on("error", () => undefined);
    process.once("exit", () => this.flush());
  }

  write(line: string): void {
    this.#pending += line;
    if (this.lastLevel >= urgentLevel || this.#pending.length > maxPendingLength) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), flushDelayMs).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#pending;
    this.#pending = "";
    if (lines !== "") this.#output.write(lines);
  }
}
