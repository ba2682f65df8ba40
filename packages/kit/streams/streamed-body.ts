import type { OutgoingHttpHeaders } from "node:http";
import { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { limits } from "@agent-backends/contract";
import { getRecord } from "../observability/request-record.ts";
import type { Watched } from "../timeouts/index.ts";
import { TimeoutWatch } from "../timeouts/index.ts";

/** Names the provider that answers, if there are several: its host and model. */
export const providerHeader = "X-LLM-Provider";

export type StreamFormat = "sse" | "ndjson";

const streamHeaders = { sse: buildHeaders("text/event-stream"), ndjson: buildHeaders("application/x-ndjson") };
/** Every client ignores these. */
const heartbeats = { sse: ": keep-alive\n\n", ndjson: "\n" };
const chunkEnd = Buffer.from("\r\n");
const lastChunk = "0\r\n\r\n";
/** More than this is worth a write of its own. */
const maxSharedBytes = 4_096;
const ignore = () => undefined;

/** One watch serves all streams with the same interval. In practice a process has one interval. */
const watches = new Map<number, TimeoutWatch>();

// Node's own methods: middleware that replaces them, to compress or to collect a response, would harm a stream.
const { writeHead, flushHeaders, write, end } = ServerResponse.prototype;

/**
 * What happens to a stream. It is an object, because V8 keeps the closures that were called from one place, with all that they refer
 * to, until a full collection. That made the young collections of a busy relay ten times as long.
 */
export interface StreamListener {
  /** The client can take more, after `isFull` was true. */
  onDrain(): void;
  /** The response is closed. Another listener of the response would cost more than an event. */
  onClose(): void;
}

/**
 * The body of a streamed answer, with its head, which is sent with the first write. Carries a heartbeat whenever it has been
 * silent for `heartbeatMs`, so that proxies keep it open. Node would write each chunk in four pieces and cork the connection
 * around them. This frames chunks itself and writes each to the connection at once.
 */
export class StreamedBody {
  /** Whether `writeFramed` takes chunks. Clients of HTTP/1.0 get the plain bytes until the connection closes. */
  readonly isChunked: boolean;
  listener: StreamListener | undefined;
  readonly #response: ServerResponse;
  readonly #headers: OutgoingHttpHeaders;
  /** What was written while the head waits for the provider's name. */
  #held: Buffer[] | undefined;
  readonly #isBodiless: boolean;
  readonly #isPlain: boolean;
  readonly #heartbeat: string;
  readonly #silence: Watched;
  #hasStarted = false;
  /** The first data, until it is sent. */
  #first: Buffer | undefined;
  #awaitsDrain = false;

  /** @param options.namesProvider hold everything back until `answeredBy` is called, a heartbeat is due or the body ends */
  constructor(
    response: ServerResponse,
    options: {
      format: StreamFormat;
      heartbeatMs: number;
      headers?: OutgoingHttpHeaders;
      namesProvider?: boolean | undefined;
      onError?: (error: Error) => void;
    },
  ) {
    const { format, heartbeatMs } = options;
    this.#response = response;
    this.#isBodiless = response.req.method === "HEAD";
    this.#isPlain = response.socket?.constructor === Socket;
    this.#heartbeat = heartbeats[format];
    const record = getRecord(response.req);
    record?.streams();
    if (response.hasHeader("Content-Encoding")) response.removeHeader("Content-Encoding");
    this.#headers = options.headers ? { ...options.headers, ...streamHeaders[format] } : streamHeaders[format];
    if (endsConnection(response)) this.#headers = { ...this.#headers, Connection: "close" };
    if (options.namesProvider) {
      this.#held = [];
      if (record) record.onProvider = (name) => this.answeredBy(name);
      this.isChunked = response.useChunkedEncodingByDefault;
    } else {
      writeHead.call(response, 200, this.#headers);
      this.isChunked = response.chunkedEncoding;
      response.chunkedEncoding = false;
    }
    const watch = watches.get(heartbeatMs) ?? new TimeoutWatch(heartbeatMs);
    watches.set(heartbeatMs, watch);
    this.#silence = watch.watch(() => this.beat());
    if (response.destroyed) this.#silence.stop();
    // Without a listener, a write to a connection that just broke would end the process. `close` follows.
    response.on("error", options.onError ?? ignore);
    response.on("close", () => {
      this.#silence.stop();
      this.listener?.onClose();
    });
  }

  /** Whether the writer should wait for the listener's `onDrain`. */
  get isFull(): boolean {
    return this.#response.writableNeedDrain || this.#response.socket?.writableNeedDrain === true;
  }

  /**
   * Whether the next write nearly always leaves its data to the system before it returns: then `unreadBytes` is 0 again. TLS and
   * connections that aren't sockets keep the data.
   */
  get takesAtOnce(): boolean {
    return this.#isPlain && this.#first === undefined && this.#response.writableLength === 0;
  }

  /** Bytes that the client hasn't taken yet. */
  get unreadBytes(): number {
    return this.#response.writableLength;
  }

  /** Writes text. An empty text sends the head alone. Returns false when the body is full. */
  write(text: string): boolean {
    return this.writeFramed(this.isChunked ? toChunk(text) : text);
  }

  /** Writes bytes. Returns false when the body is full. */
  writeBytes(bytes: Buffer): boolean {
    if (!this.isChunked) return this.writeFramed(bytes);
    return this.writeFramed(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, chunkEnd]));
  }

  /** Writes data that is framed as chunks already if the body is chunked. */
  writeFramed(data: string | Buffer): boolean {
    const response = this.#response;
    if (this.#held) {
      this.#held.push(Buffer.from(data));
      return true;
    }
    this.#silence.heard();
    if (data.length === 0 || this.#isBodiless) {
      flushHeaders.call(response);
      return true;
    }
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      this.#first = Buffer.from(data);
      setImmediate(StreamedBody.#awaitTurn, this);
      return true;
    }
    if (this.#first && data.length <= maxSharedBytes) return this.#writeFirst(data);
    if (this.#first) this.#writeFirst();
    const { socket } = response;
    // The response to a pipelined request has no socket before the responses in front of it have ended.
    if (socket === null) return write.call(response, data, "utf8") || this.#awaitDrain(response);
    return socket.write(data) || this.#awaitDrain(socket);
  }

  /**
   * The first data waits for what comes in the next turn of the event loop, and is sent with it. On a busy server a fast provider answers
   * within that time. Each write saved is a tenth of the CPU time of a short run.
   */
  static #awaitTurn(body: StreamedBody): void {
    if (body.#first) setImmediate(StreamedBody.#endTurn, body);
  }

  static #endTurn(body: StreamedBody): void {
    if (body.#first && !body.#response.destroyed) body.#writeFirst();
  }

  #writeFirst(data: string | Buffer = ""): boolean {
    const response = this.#response;
    const text = this.#takeFirst(data).toString("latin1");
    // Node sends its headers together with a text, but not with bytes.
    return write.call(response, text, "latin1") || this.#awaitDrain(response);
  }

  /** The first data, if it waits, and `data`. */
  #takeFirst(data: string | Buffer): Buffer {
    const bytes = Buffer.from(data);
    const first = this.#first;
    this.#first = undefined;
    return first ? Buffer.concat([first, bytes]) : bytes;
  }

  /** Sends the head with the provider's name, if it was held back for that. */
  answeredBy(provider: string): void {
    this.#sendHeld({ ...this.#headers, [providerHeader]: provider });
  }

  #sendHeld(headers: OutgoingHttpHeaders): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    writeHead.call(this.#response, 200, headers);
    this.#response.chunkedEncoding = false;
    if (held.length > 0) this.writeFramed(Buffer.concat(held));
  }

  #awaitDrain(full: ServerResponse | Socket): false {
    if (this.#awaitsDrain) return false;
    this.#awaitsDrain = true;
    full.once("drain", () => {
      this.#awaitsDrain = false;
      this.listener?.onDrain();
    });
    return false;
  }

  /** Writes a heartbeat, unless the client doesn't read: heartbeats would only pile up. */
  beat(): void {
    this.#sendHeld(this.#headers);
    if (!this.isFull && !this.#response.writableEnded && !this.#response.destroyed) this.write(this.#heartbeat);
  }

  /** Writes the last text. A client that doesn't read the rest in time loses its connection. */
  end(text: string): void {
    this.endFramed(this.isChunked ? toChunk(text) + lastChunk : text);
  }

  /** Writes the last data. If the body is chunked it is framed as chunks, with the last chunk. */
  endFramed(data: string | Buffer): void {
    this.#silence.stop();
    this.#sendHeld(this.#headers);
    if (this.#first && data.length > maxSharedBytes) this.#writeFirst();
    if (this.#first) end.call(this.#response, this.#takeFirst(data).toString("latin1"), "latin1");
    else end.call(this.#response, data, "utf8");
    closeUnread(this.#response);
  }
}

function buildHeaders(contentType: string) {
  return {
    "Content-Type": contentType,
    "Cache-Control": "no-cache",
    Connection: "keep-alive",
    // Without it nginx holds even the headers back.
    "X-Accel-Buffering": "no",
  };
}

/** A text as one chunk of a chunked body (RFC 9112, section 7.1). */
function toChunk(text: string): string {
  return text === "" ? "" : `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** Whether the connection ends with the answer: the client asks for it, its HTTP/1.0 knows no chunks, or its worker is replaced. */
function endsConnection(response: ServerResponse): boolean {
  const isAsked = !response.shouldKeepAlive || !response.useChunkedEncodingByDefault;
  return isAsked || response.getHeader("Connection") === "close";
}

/** Closes an ended response whose client doesn't read the rest in time, so that its slot becomes free. */
function closeUnread(response: ServerResponse): void {
  if (response.writableFinished || response.destroyed) return;
  // The response to a pipelined request has no socket before the responses in front of it have ended.
  if (response.socket === null) {
    response.once("socket", () => closeUnread(response));
    return;
  }
  const timer = setTimeout(() => response.destroy(), limits.unreadMs).unref();
  response.once("close", () => clearTimeout(timer));
}
