import type { Writable } from "node:stream";
import type { DestinationStream, Logger } from "pino";
import { pino } from "pino";
import { currentRecord } from "./observability/request-record.ts";

export type { Logger } from "pino";

/**
 * Creates a logger that writes one JSON line per entry. For an error it logs only name, message, code, status and stack, because error
 * objects may carry requests, headers and keys.
 *
 * @param worker number of this process, if several write to one standard output
 */
export function createLogger(service: string, level: string, destination?: DestinationStream, worker?: number): Logger {
  const options = {
    level,
    base: worker === undefined ? { service } : { service, worker },
    timestamp: isoTime,
    serializers: { err: describeError },
    // At level trace, @fastify/multipart logs its options, including the request's headers.
    redact: ["busboyOptions.headers"],
    mixin: getRequestFields,
    // Pino's default strategy copies the fields for each line.
    mixinMergeStrategy: (fields: object, more: object) => (more === nothing ? fields : { ...more, ...fields }),
  };
  return pino(options, destination ?? standardOutput(worker !== undefined));
}

const nothing = {};

/** Adds the request's id to every line logged while the request is handled. */
function getRequestFields(): object {
  const record = currentRecord();
  return record === undefined ? nothing : { request_id: record.id };
}

let lastTime = { at: 0, field: "" };

// Formatting the time takes a third of a line's cost, and a busy service logs many lines in one millisecond.
function isoTime(): string {
  const now = Date.now();
  if (now !== lastTime.at) lastTime = { at: now, field: `,"time":"${new Date(now).toISOString()}"` };
  return lastTime.field;
}

let output: BufferedOutput | undefined;

// Pino's own writer hangs on exit if the reader of its pipe is gone.
function standardOutput(hasOtherWriters: boolean): DestinationStream {
  output ??= new BufferedOutput(process.stdout, hasOtherWriters ? atomicWriteBytes : Number.POSITIVE_INFINITY);
  return output;
}

/** The fields of an error that may be logged, including its causes, up to three levels deep. */
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
/** A pipe keeps writes up to this size atomic (PIPE_BUF). Longer writes of several processes may interleave. */
const atomicWriteBytes = 4_096;
/** Pino's number for `warn`. Lines at or above this level are written at once. */
const urgentLevel = 40;

const metadata = Symbol.for("pino.metadata");

/**
 * Writes log lines in batches. A write to a pipe costs more than building the line, and a service logs every request. Pending
 * lines are written when the process exits.
 */
class BufferedOutput implements DestinationStream {
  /** Makes pino set `lastLevel` before it writes a line. */
  readonly [metadata] = true;
  lastLevel = 0;
  readonly #output: Writable;
  readonly #maxWriteBytes: number;
  #pending = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(output: Writable, maxWriteBytes: number) {
    this.#output = output;
    this.#maxWriteBytes = maxWriteBytes;
    // If the reader is gone, lines are dropped. This must not end the process.
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
    for (const text of groupLines(lines, this.#maxWriteBytes)) this.#output.write(text);
  }
}

/** Splits a text at line ends into parts of at most this size. A longer line becomes its own part. */
function groupLines(text: string, maxBytes: number): string[] {
  if (text === "") return [];
  if (maxBytes === Number.POSITIVE_INFINITY) return [text];
  const parts: string[] = [];
  let part = "";
  for (const line of text.split(/(?<=\n)/)) {
    if (part !== "" && Buffer.byteLength(part) + Buffer.byteLength(line) > maxBytes) {
      parts.push(part);
      part = "";
    }
    part += line;
  }
  return [...parts, part];
}
