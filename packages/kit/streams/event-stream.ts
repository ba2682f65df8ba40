import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { limits } from "@agent-backends/contract";
import type { Lifecycle } from "../lifecycle.ts";
import { goneSignal } from "./client-signal.ts";
import { ClientGoneError } from "./ended-errors.ts";
import type { StreamFormat } from "./streamed-body.ts";
import { StreamedBody } from "./streamed-body.ts";

export interface EventStream {
  /** Aborts when the client disconnects, and when the shutdown grace period ends. */
  readonly signal: AbortSignal;
  /**
   * Writes events, and resolves when the client can take the next one. A string is sent as it is instead of as JSON. Events sent back to
   * back share one write. Once the shutdown grace period has ended, this no longer waits.
   *
   * @throws ClientGoneError
   */
  send(...events: readonly (object | string)[]): Promise<void>;
  /** Ends the stream. A client that doesn't read the rest in time loses its connection. */
  end(): void;
}

/** Format and environment of an event stream. */
export interface EventStreamOptions {
  format: StreamFormat;
  heartbeatMs: number;
  headers?: OutgoingHttpHeaders;
  /** Delays the head until the provider that answers is known, and names the provider there. */
  namesProvider?: boolean;
  lifecycle?: Lifecycle;
}

const framings = { sse: ["data: ", "\n\n"], ndjson: ["", "\n"] } as const;

/** Flush immediately once the pending text exceeds this length. */
const maxPendingLength = 16 * 1024;

/** Responds with a stream: status 200 and the headers are sent at once. */
export function openEventStream(response: ServerResponse, options: EventStreamOptions): EventStream {
  const [before, after] = framings[options.format];
  const gone = goneSignal(response);
  const graceEnded = options.lifecycle?.graceEnded;
  const body = new StreamedBody(response, options);
  const waitForDrain = createDrainWait(body, response, graceEnded);

  let pending = "";
  let isFlushScheduled = true;
  let hasEnded = false;
  const flush = () => {
    isFlushScheduled = false;
    if (hasEnded || gone.aborted) return;
    const text = pending;
    pending = "";
    body.write(text);
  };
  // process.nextTick runs after the microtask queue drains, so events sent back to back share one write. Nothing has been
  // awaited yet here, so wait for a microtask first.
  void done.then(() => process.nextTick(flush));

  return {
    signal: graceEnded ? AbortSignal.any([gone, graceEnded]) : gone,
    send(...events) {
      if (gone.aborted) return Promise.reject(new ClientGoneError());
      for (const event of events) {
        pending += before + (typeof event === "string" ? event : toOneLine(event)) + after;
        if (pending.length > maxPendingLength) flush();
      }
      if (pending !== "" && !isFlushScheduled) {
        isFlushScheduled = true;
        process.nextTick(flush);
      }
      return body.isFull ? waitForDrain() : done;
    },
    end() {
      hasEnded = true;
      body.end(pending);
    },
  };
}

const done = Promise.resolve();

/** JSON without Unicode's other line separators, which JSON allows but at which many clients split lines. */
export function toOneLine(value: object | string): string {
  return JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Resolves when the response drains or the shutdown grace period ends. Rejects with ClientGoneError if the client disconnects,
 * or reads nothing for limits.answerMs.
 */
function createDrainWait(body: StreamedBody, response: ServerResponse, graceEnded: AbortSignal | undefined) {
  let waiting: Promise<void> | undefined;
  const wait = () =>
    new Promise<void>((resolve, reject) => {
      if (response.destroyed) return reject(new ClientGoneError());
      if (graceEnded?.aborted) return resolve();
      const timer = setTimeout(() => response.destroy(), limits.answerMs).unref();
      const settle = (finish: () => void) => () => {
        clearTimeout(timer);
        waiting = undefined;
        body.listener = undefined;
        graceEnded?.removeEventListener("abort", onDrain);
        finish();
      };
      const onDrain = settle(resolve);
      const onClose = settle(() => reject(new ClientGoneError()));
      body.listener = { onDrain, onClose };
      graceEnded?.addEventListener("abort", onDrain);
    });
  return () => {
    waiting ??= wait();
    return waiting;
  };
}
