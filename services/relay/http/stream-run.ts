import type { IncomingMessage } from "node:http";
import { ServerResponse } from "node:http";
import type { RunInput } from "@agent-backends/contract";
import type { ProviderCall, RequestRecord } from "@agent-backends/kit";
import { closeUnread, recordOf, streamHeaders } from "@agent-backends/kit";
import type { Watched } from "@agent-backends/llm";
import type { EventBuffer } from "../core/event-buffer.ts";
import { failures, ownFailures } from "../core/failures.ts";
import type { RunFailure } from "../core/profiles/profile.ts";
import type { Relay } from "../core/relay.ts";
import type { Run, RunOutput, RunResult } from "../core/run.ts";
import { probeBy } from "./half-closed.ts";

const heartbeatBytes = Buffer.from(": keep-alive\n\n");
const heartbeatChunk = Buffer.from("e\r\n: keep-alive\n\n\r\n");
const headers = Object.entries(streamHeaders("sse")).flat();

// Node's own methods: what other middleware has put in their place to compress or to collect a response would harm a stream.
const { writeHead, write, end } = ServerResponse.prototype;

/**
 * Streams a run to a client. A client that reads slowly slows the provider down, one that goes away ends the provider's
 * request, and a shutdown whose grace is over ends the run with an error event.
 */
export function streamRun(relay: Relay, input: RunInput, response: ServerResponse): void {
  const { logger } = relay;
  response.on("error", (error) => {
    const requestId = recordOf(response.req)?.id;
    logger.error({ err: error, request_id: requestId }, "a stream could not be written; it is closed");
  });
  closeAfterwards(response);
  new ResponseOutput(relay, response).start(input);
}

/** A response that a run writes to. */
class ResponseOutput implements RunOutput {
  readonly #relay: Relay;
  readonly #response: ServerResponse<IncomingMessage>;
  readonly #framed: boolean;
  #begun = false;
  #heartbeat: Watched | undefined;
  #run: Run | undefined;
  /** What is observed of the run, where the server is observed. */
  readonly #record: RequestRecord | undefined;
  readonly #call: ProviderCall | undefined;

  constructor(relay: Relay, response: ServerResponse) {
    this.#relay = relay;
    this.#response = response;
    this.#record = recordOf(response.req);
    this.#record?.streams();
    this.#call = this.#record?.callProvider("chat", relay.model);
    if (response.hasHeader("Content-Encoding")) response.removeHeader("Content-Encoding");
    writeHead.call(response, 200, headers);
    // Node writes a chunk in four pieces. Framed here it is one piece; the last one ends the body.
    this.#framed = response.chunkedEncoding;
    response.chunkedEncoding = false;
  }

  get requestId(): string | undefined {
    return this.#record?.id;
  }

  start(input: RunInput): void {
    const response = this.#response;
    const beat = () => this.#beat();
    this.#heartbeat = this.#relay.heartbeats.watch(beat);
    const { socket } = response;
    probeBy(socket, beat);
    const run = this.#relay.start(input, this, this.#call?.headers);
    this.#run = run;
    response.on("drain", () => run.drained());
    response.on("close", () => {
      probeBy(socket, undefined);
      this.#closed();
    });
    if (response.destroyed) this.#closed();
  }

  write(events: EventBuffer): boolean {
    this.#heartbeat?.heard();
    const bytes = this.#framed ? events.takeChunk(false) : events.take();
    if (this.#begun) {
      this.#call?.firstToken();
      return this.#writeOn(bytes);
    }
    // Node puts its headers and a text into one write, but not its headers and bytes.
    this.#begun = true;
    return write.call(this.#response, bytes.toString("utf8"), "utf8");
  }

  /** Once the head is on its way the socket takes the rest: a response would cork and uncork it around each write. */
  #writeOn(bytes: Buffer): boolean {
    const { socket } = this.#response;
    // A pipelined request's response has no socket before those in front of it have ended.
    if (socket === null) return write.call(this.#response, bytes, "latin1");
    if (socket.write(bytes)) return true;
    socket.once("drain", () => this.#run?.drained());
    return false;
  }

  end(events: EventBuffer, { failure, usage }: RunResult): void {
    this.#heartbeat?.stop();
    if (usage) this.#call?.usage({ input: usage.inputTokens, output: usage.outputTokens });
    if (failure) this.#failed(failure);
    else this.#call?.firstToken();
    this.#call?.ended();
    end.call(this.#response, this.#framed ? events.takeChunk(true) : events.take(), "latin1");
    closeUnread(this.#response);
  }

  abort(): void {
    this.#failed(failures.internal);
    this.#response.destroy();
  }

  #failed(failure: RunFailure): void {
    if (ownFailures.has(failure)) {
      if (this.#record) this.#record.failure = failure.code;
      return;
    }
    const [, kind] = /^provider_(?!error$)(.*)/.exec(failure.code) ?? [];
    this.#call?.ended({ kind: kind ?? "stream_error" });
  }

  #beat(): void {
    const response = this.#response;
    // A client that does not read gets none: they would only pile up.
    const waits = response.writableNeedDrain || response.socket?.writableNeedDrain;
    if (waits || response.writableEnded || response.destroyed) return;
    write.call(response, this.#framed ? heartbeatChunk : heartbeatBytes, "latin1");
  }

  #closed(): void {
    this.#heartbeat?.stop();
    this.#call?.ended();
    if (this.#run) this.#relay.ended(this.#run);
  }
}

/** Node keeps a connection open whose client asked to close it, once a response says `keep-alive` as this one has to. */
function closeAfterwards(response: ServerResponse): void {
  const { shouldKeepAlive, socket } = response;
  if (!shouldKeepAlive) response.once("finish", () => socket?.end());
}
