import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { limits } from "@agent-backends/contract";
import { ClientGoneError, goneSignal } from "./client-signal.ts";
import { startHeartbeat } from "./heartbeat.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { chunkOf, lastChunk, StreamedBody } from "./streamed-body.ts";

/** A stream of events to one client, as server-sent events or as newline-delimited JSON. */
export interface EventStream {
  /** Aborts when the client goes away, and when the time to shut down is over. */
  readonly signal: AbortSignal;
  /**
   * Writes one event and resolves when the client can take the next, so that a slow client slows its producer. Events that
   * follow each other without waiting for anything else share one write. Once the time to shut down is over nothing is waited
   * for: what the signal stops has little more to say.
   *
   * @throws ClientGoneError
   */
  send(event: object): Promise<void>;
  /** Writes text as it is, such as a last `data: [DONE]` frame. Waits and throws as `send` does. */
  sendRaw(text: string): Promise<void>;
  /** A client that does not take what is left in time loses its connection. */
  end(): void;
}

const framings = {
  sse: { contentType: "text/event-stream", before: "data: ", after: "\n\n", heartbeat: ": keep-alive\n\n" },
  ndjson: { contentType: "application/x-ndjson", before: "", after: "\n", heartbeat: "\n" },
} as const;

/** More characters than this are not kept waiting for others. */
const mostWaiting = 16 * 1024;

/** The headers of every stream: no cache, no compression and no proxy may hold its events back. */
export function streamHeaders(format: keyof typeof framings): Record<string, string> {
  return {
    "Content-Type": framings[format].contentType,
    "Cache-Control": "no-cache",
    Connection: "keep-alive",
    "X-Accel-Buffering": "no",
  };
}

/** Answers 200 with a stream's headers at once, and returns the stream. */
export function openEventStream(
  response: ServerResponse,
  options: {
    format: keyof typeof framings;
    heartbeatMs: number;
    headers?: OutgoingHttpHeaders;
    lifecycle?: Lifecycle;
  },
): EventStream {
  const { before, after, heartbeat: heartbeatText } = framings[options.format];
  const gone = goneSignal(response);
  const graceEnded = options.lifecycle?.graceEnded;
  // Without a listener a write to a connection that just broke would end the process; `close` follows and tells.
  response.on("error", () => undefined);
  const body = new StreamedBody(response, { ...options.headers, ...streamHeaders(options.format) });
  const framed = (text: string) => (body.framed ? chunkOf(text) : text);
  const heartbeat = startHeartbeat(response, () => body.full || body.write(framed(heartbeatText)), options.heartbeatMs);
  const room = roomIn(body, response, graceEnded);

  let waiting = "";
  let flushes = true;
  let ended = false;
  const flush = () => {
    flushes = false;
    if (ended || gone.aborted) return;
    const text = waiting;
    waiting = "";
    body.write(framed(text));
  };
  // Node's next tick comes when no promise has anything left to do: then all is sent that could be without waiting. Where no
  // promise is at work yet, as now, it would come before them.
  void done.then(() => process.nextTick(flush));

  function sendRaw(text: string): Promise<void> {
    if (gone.aborted) return Promise.reject(new ClientGoneError());
    heartbeat.touch();
    waiting += text;
    if (waiting.length > mostWaiting) flush();
    else if (!flushes) {
      flushes = true;
      process.nextTick(flush);
    }
    return body.full ? room() : done;
  }
  return {
    signal: graceEnded ? AbortSignal.any([gone, graceEnded]) : gone,
    send: (event) => sendRaw(before + oneLine(event) + after),
    sendRaw,
    end() {
      ended = true;
      heartbeat.stop();
      body.end(framed(waiting) + (body.framed ? lastChunk : ""));
    },
  };
}

const done = Promise.resolve();

/** JSON that no client takes for several lines: many split at Unicode's other line ends as well, which JSON leaves as they are. */
function oneLine(event: object): string {
  return JSON.stringify(event).replace(
    /[\u0085\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Waits until the body can take more, or `graceEnded` aborts; rejects with ClientGoneError when it never will. Whoever takes
 * nothing for as long as a whole answer may take is gone.
 */
function roomIn(body: StreamedBody, response: ServerResponse, graceEnded: AbortSignal | undefined) {
  let waited: Promise<void> | undefined;
  const wait = () =>
    new Promise<void>((resolve, reject) => {
      if (response.destroyed) return reject(new ClientGoneError());
      if (graceEnded?.aborted) return resolve();
      const late = setTimeout(() => response.destroy(), limits.answerMs).unref();
      const settle = (finish: () => void) => () => {
        clearTimeout(late);
        waited = undefined;
        body.onDrain = undefined;
        response.off("close", onClose);
        graceEnded?.removeEventListener("abort", onDrain);
        finish();
      };
      const onDrain = settle(resolve);
      const onClose = settle(() => reject(new ClientGoneError()));
      body.onDrain = onDrain;
      response.on("close", onClose);
      graceEnded?.addEventListener("abort", onDrain);
    });
  return () => {
    waited ??= wait();
    return waited;
  };
}
