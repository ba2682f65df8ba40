import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { ClientGoneError, goneSignal } from "./client-signal.ts";
import { startHeartbeat } from "./heartbeat.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { recordOf } from "./observability/request-record.ts";

/** A stream of events to one client, as server-sent events or as newline-delimited JSON. */
export interface EventStream {
  /** Aborts when the client goes away, and when the time to shut down is over. */
  readonly signal: AbortSignal;
  /**
   * Writes one event and resolves when the client can take the next, so that a slow client slows its producer.
   *
   * @throws ClientGoneError
   */
  send(event: object): Promise<void>;
  /** Writes text as it is, such as a last `data: [DONE]` frame. Waits and throws as `send` does. */
  sendRaw(text: string): Promise<void>;
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
  // Without a listener a write to a connection that just broke would end the process; `close` follows and tells.
  response.on("error", () => undefined);
  recordOf(response.req)?.streams();
  response.writeHead(200, { ...options.headers, ...streamHeaders(options.format) });
  response.flushHeaders();
  const heartbeat = startHeartbeat(response, heartbeatBytes, options.heartbeatMs);

  async function sendRaw(text: string): Promise<void> {
    if (gone.aborted) throw new ClientGoneError();
    heartbeat.touch();
    if (!response.write(text)) await drained(response);
  }
  return {
    signal: options.lifecycle ? AbortSignal.any([gone, options.lifecycle.graceEnded]) : gone,
    send: (event) => sendRaw(before + oneLine(event) + after),
    sendRaw,
    end() {
      heartbeat.stop();
      response.end();
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

/** Resolves when the response can take more; rejects with ClientGoneError when it never will. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    if (response.destroyed) return reject(new ClientGoneError());
    const settle = (finish: () => void) => () => {
      response.off("drain", onDrain);
      response.off("close", onClose);
      finish();
    };
    const onDrain = settle(resolve);
    const onClose = settle(() => reject(new ClientGoneError()));
    response.on("drain", onDrain);
    response.on("close", onClose);
  });
}
