import type { DestinationStream, Logger } from "pino";
import { pino } from "pino";
import { BufferedOutput } from "./buffered-output.ts";
import { currentRecord } from "./observability/request-record.ts";

export type { Logger } from "pino";

/**
 * A logger that writes one JSON line per entry. Of an error it writes only name, message, code, status and stack,
 * so that a request, its headers or its key that hang on an error object never reach the log.
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    timestamp: isoTime,
    serializers: { err: describeError },
    // At level trace @fastify/multipart logs what it was called with.
    redact: ["busboyOptions.headers"],
    mixin: ofRequest,
    // The usual one copies each line's fields.
    mixinMergeStrategy: (fields: object, more: object) => (more === nothing ? fields : { ...more, ...fields }),
  };
  return pino(options, destination ?? standardOutput());
}

const nothing = {};

/** What is logged in the course of a request carries its id. */
function ofRequest(): object {
  const record = currentRecord();
  return record === undefined ? nothing : { request_id: record.id };
}

let lastTime = { at: 0, field: "" };

// To format a time takes a third of what a line costs, and many lines of a busy service are of the same millisecond.
function isoTime(): string {
  const now = Date.now();
  if (now !== lastTime.at) lastTime = { at: now, field: `,"time":"${new Date(now).toISOString()}"` };
  return lastTime.field;
}

let output: BufferedOutput | undefined;

// pino's own writer waits for ever on exit when the reader of its pipe is gone.
function standardOutput(): DestinationStream {
  output ??= new BufferedOutput(process.stdout);
  return output;
}

/** The fields of an error that may be logged, with the same of its cause, three deep at most. */
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
