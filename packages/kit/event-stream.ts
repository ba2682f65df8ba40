import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { limits } from "@agent-backends/contract";
import { ClientGoneError, goneSignal } from "./client-signal.ts";
import { startHeartbeat } from "./heartbeat.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { recordOf } from "./observability/request-record.ts";

/** A stream of events to one client, as server-sent events or as newline-delimited JSON. */
export interface EventStream {
  /** Aborts when the client goes away, and when the time to shut down is over. */
  readonly signal: AbortSignal;
  /**
   * Writes one event and resolves when the client can take the next, so that a slow client slows its producer. Once the time
   * to shut down is over nothing is waited for: what the signal stops has little more to say.
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
  const { before, after, heartbeat: heartbeatBytes } = framings[options.format];
  const gone = goneSignal(response);
  const graceEnded = options.lifecycle?.graceEnded;
  // Without a listener a write to a connection that just broke would end the process; `close` follows and tells.
  response.on("error", () => undefined);
  recordOf(response.req)?.streams();
  response.writeHead(200, { ...options.headers, ...streamHeaders(options.format) });
  response.flushHeaders();
  const heartbeat = startHeartbeat(response, heartbeatBytes, options.heartbeatMs);

  async function sendRaw(text: string): Promise<void> {
    if (gone.aborted) throw new ClientGoneError();
    heartbeat.touch();
    if (!response.write(text)) await drained(response, graceEnded);
  }
  return {
    signal: graceEnded ? AbortSignal.any([gone, graceEnded]) : gone,
    send: (event) => sendRaw(before + oneLine(event) + after),
    sendRaw,
    end() {
      heartbeat.stop();
      response.end();
      closeUnread(response);
    },
  };
}

/** JSON that no client takes for several lines: many split at Unicode's other line ends as well, which JSON leaves as they are. */
function oneLine(event: object): string {
  return JSON.stringify(event).replace(
    /[\u0085\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Resolves when the response can take more, or `graceEnded` aborts; rejects with ClientGoneError when it never will. Whoever
 * takes nothing for as long as a whole answer may take is gone.
 */
function drained(response: ServerResponse, graceEnded: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (response.destroyed) return reject(new ClientGoneError());
    if (graceEnded?.aborted) return resolve();
    const late = setTimeout(() => response.destroy(), limits.answerMs).unref();
    const settle = (finish: () => void) => () => {
      clearTimeout(late);
      response.off("drain", onDrain);
      response.off("close", onClose);
      graceEnded?.removeEventListener("abort", onDrain);
      finish();
    };
    const onDrain = settle(resolve);
    const onClose = settle(() => reject(new ClientGoneError()));
    response.on("drain", onDrain);
    response.on("close", onClose);
    graceEnded?.addEventListener("abort", onDrain);
  });
}

/** Closes a response that has ended if its client does not take the rest of it in time, so that its place becomes free. */
export function closeUnread(response: ServerResponse): void {
  if (response.writableFinished || response.destroyed) return;
  // A pipelined request's response has no socket before those in front of it have ended.
  if (response.socket === null) {
    response.once("socket", () => closeUnread(response));
    return;
  }
  const late = setTimeout(() => response.destroy(), limits.unreadMs).unref();
  response.once("close", () => clearTimeout(late));
}
