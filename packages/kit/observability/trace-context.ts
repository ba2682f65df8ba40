import type { IncomingHttpHeaders } from "node:http";

/** Headers of a trace: https://www.w3.org/TR/trace-context/ */
export type TraceHeaders = { readonly traceparent: string; readonly tracestate?: string };

const version00 = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
// No control characters: these headers are passed on. The length is what the specification asks for at least.
const plainState = /^[\x20-\x7e]{1,512}$/;

/** The trace that a request belongs to. One that is malformed is as good as none. */
export function traceHeadersOf({ traceparent, tracestate }: IncomingHttpHeaders): TraceHeaders | undefined {
  if (typeof traceparent !== "string" || !version00.test(traceparent)) return undefined;
  const state = Array.isArray(tracestate) ? tracestate.join(",") : tracestate;
  return state !== undefined && plainState.test(state) ? { traceparent, tracestate: state } : { traceparent };
}
