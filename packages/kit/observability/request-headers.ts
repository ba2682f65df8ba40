import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Carries the request's id in requests and responses. */
export const requestIdHeader = "x-request-id";

const requestIdPattern = /^[\w.-]{1,64}$/;

/** The client's request id if it is safe for logs and headers, else a new one. */
export function parseRequestId(given: string | string[] | undefined): string {
  return typeof given === "string" && requestIdPattern.test(given) ? given : randomUUID();
}

/** Trace context headers: https://www.w3.org/TR/trace-context/ */
export type TraceHeaders = { readonly traceparent: string; readonly tracestate?: string };

const version00 = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
// Control characters are not allowed, because these headers are passed on. The length is the specification's minimum.
const plainState = /^[\x20-\x7e]{1,512}$/;

/** The trace that a request belongs to. A malformed header counts as absent. */
export function parseTraceHeaders({ traceparent, tracestate }: IncomingHttpHeaders): TraceHeaders | undefined {
  if (typeof traceparent !== "string" || !version00.test(traceparent)) return undefined;
  const state = Array.isArray(tracestate) ? tracestate.join(",") : tracestate;
  return state !== undefined && plainState.test(state) ? { traceparent, tracestate: state } : { traceparent };
}
