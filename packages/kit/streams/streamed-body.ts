import type { OutgoingHttpHeaders } from "node:http";
import { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { limits } from "@agent-backends/contract";
import { getRecord } from "../observability/request-record.ts";
import type { ActivityTimeout } from "../timeouts/index.ts";
import { TimeoutWatch } from "../timeouts/index.ts";

/** Names the provider that answers, if there are several: its host and model. */
export const providerHeader = "X-LLM-Provider";

export type StreamFormat = "sse" | "ndjson";

const streamHeaders = { sse: buildHeaders("text/event-stream"), ndjson: buildHeaders("application/x-ndjson") };
/** Every client ignores these bytes. */
const heartbeats = { sse: ": keep-alive\n\n", ndjson: "\n" };
const chunkEnd = Buffer.from("\r\n");
const lastChunk = "0\r\n\r\n";
/** Larger data gets its own write. */
const maxSharedBytes = 4_096;
const ignore = () => undefined;

/** One watch serves all streams with the same interval. In practice a process uses one interval. */
const watches = new Map<number, TimeoutWatch>();

// Node.js's own methods: middleware that replaces them, to compress or collect a response, would break a stream.
const { writeHead, flushHeaders, write, end } = ServerResponse.prototype;

/**
 * Callbacks of a stream. It is an object, because V8 keeps closures that were called from one place, with everything they refer to, until a
 * full collection. That made the young collections of a busy relay ten times as long.
 */
export interface StreamListener {
  /** The client can take more data, after `isFull` was true. */
  onDrain(): void;
  /** The response is closed. A further event listener on the response would cost more than an event. */
  onClose(): void;
}

/**
 * The body of a streamed response, and its head, which is sent with the first write. Sends a heartbeat whenever it has been silent for
 * `heartbeatMs`, so that proxies keep the connection open. Node.js would write each chunk in four pieces and cork the connection around
 * them. This class frames chunks itself and writes each with one call.
 */
export class StreamedBody {
  /** Whether `writeFramed` takes framed chunks. HTTP/1.0 clients get the plain bytes until the connection closes. */
  readonly isChunked: boolean;
  listener: StreamListener | undefined;
  readonly #response: ServerResponse;
  readonly #headers: OutgoingHttpHeaders;
  /** Data written while the head waits for the provider's name. */
  #pendingChunks: Buffer[] | undefined;
  readonly #isBodiless: boolean;
  readonly #isPlain: boolean;
  readonly #heartbeat: string;
  readonly #idleTimeout: ActivityTimeout;
  #hasStarted = false;
  /** The first data, until it is sent. */
  #firstChunk: Buffer | undefined;
  #awaitsDrain = false;

  /** @param options.namesProvider delay everything until `setProvider` is called, a heartbeat is due or the body ends */
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
      this.#pendingChunks = [];
      if (record) record.onProvider = (name) => this.setProvider(name);
      this.isChunked = response.useChunkedEncodingByDefault;
    } else {
      writeHead.call(response, 200, this.#headers);
      this.isChunked = response.chunkedEncoding;
      response.chunkedEncoding = false;
    }
    const watch = watches.get(heartbeatMs) ?? new TimeoutWatch(heartbeatMs);
    watches.set(heartbeatMs, watch);
    this.#idleTimeout = watch.watch(() => this.sendHeartbeat());
    if (response.destroyed) this.#idleTimeout.stop();
    // Without a listener, a write to a connection that just broke would crash the process. `close` follows.
    response.on("error", options.onError ?? ignore);
    response.on("close", () => {
      this.#idleTimeout.stop();
      this.listener?.onClose();
    });
  }

  /** Whether the writer should wait for the listener's `onDrain`. */
  get isFull(): boolean {
    return this.#response.writableNeedDrain || this.#response.socket?.writableNeedDrain === true;
  }

  /**
   * Whether the next write will almost always hand its data to the operating system before it returns, which leaves `unreadBytes` at 0. TLS
   * and connections other than sockets keep the data.
   */
  get canWriteImmediately(): boolean {
    return this.#isPlain && this.#firstChunk === undefined && this.#response.writableLength === 0;
  }

  /** Bytes that the client hasn't read yet. */
  get unreadBytes(): number {
    return this.#response.writableLength;
  }

  /** Writes text. An empty text sends only the head. Returns false when the body is full. */
  write(text: string): boolean {
    return this.writeFramed(this.isChunked ? toChunk(text) : text);
  }

  /** Writes bytes. Returns false when the body is full. */
  writeBytes(bytes: Buffer): boolean {
    if (!this.isChunked) return this.writeFramed(bytes);
    return this.writeFramed(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, chunkEnd]));
  }

  /** Writes data. In a chunked body, it must already be framed as chunks. */
  writeFramed(data: string | Buffer): boolean {
    const response = this.#response;
    if (this.#pendingChunks) {
      this.#pendingChunks.push(Buffer.from(data));
      return true;
    }
    this.#idleTimeout.restart();
    if (data.length === 0 || this.#isBodiless) {
      flushHeaders.call(response);
      return true;
    }
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      this.#firstChunk = Buffer.from(data);
      setImmediate(StreamedBody.#awaitTurn, this);
      return true;
    }
    if (this.#firstChunk && data.length <= maxSharedBytes) return this.#writeFirst(data);
    if (this.#firstChunk) this.#writeFirst();
    const { socket } = response;
    // The response to a pipelined request has no socket until the responses before it have ended.
    if (socket === null) return write.call(response, data, "utf8") || this.#awaitDrain(response);
    return socket.write(data) || this.#awaitDrain(socket);
  }

  /**
   * The first data waits one turn of the event loop, and is sent with the data of that turn. On a busy server a fast provider answers
   * within that time. Each write saved is a tenth of the CPU time of a short run.
   */
  static #awaitTurn(body: StreamedBody): void {
    if (body.#firstChunk) setImmediate(StreamedBody.#endTurn, body);
  }

  static #endTurn(body: StreamedBody): void {
    if (body.#firstChunk && !body.#response.destroyed) body.#writeFirst();
  }

  #writeFirst(data: string | Buffer = ""): boolean {
    const response = this.#response;
    const text = this.#takeFirst(data).toString("latin1");
    // Node.js sends its headers together with a string, but not with a buffer.
    return write.call(response, text, "latin1") || this.#awaitDrain(response);
  }

  /** Returns the first data, if it is still waiting, followed by `data`. */
  #takeFirst(data: string | Buffer): Buffer {
    const bytes = Buffer.from(data);
    const first = this.#firstChunk;
    this.#firstChunk = undefined;
    return first ? Buffer.concat([first, bytes]) : bytes;
  }

  /** Sends the head with the provider's name, if it was delayed for that. */
  setProvider(provider: string): void {
    this.#sendPending({ ...this.#headers, [providerHeader]: provider });
  }

  #sendPending(headers: OutgoingHttpHeaders): void {
    const held = this.#pendingChunks;
    if (held === undefined) return;
    this.#pendingChunks = undefined;
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

  /** Writes a heartbeat, unless the client isn't reading: heartbeats would only pile up. */
  sendHeartbeat(): void {
    this.#sendPending(this.#headers);
    if (!this.isFull && !this.#response.writableEnded && !this.#response.destroyed) this.write(this.#heartbeat);
  }

  /** Writes the last text. A client that doesn't read the rest in time loses its connection. */
  end(text: string): void {
    this.endFramed(this.isChunked ? toChunk(text) + lastChunk : text);
  }

  /** Writes the last data. In a chunked body, it is already framed and includes the last chunk. */
  endFramed(data: string | Buffer): void {
    this.#idleTimeout.stop();
    this.#sendPending(this.#headers);
    if (this.#firstChunk && data.length > maxSharedBytes) this.#writeFirst();
    if (this.#firstChunk) end.call(this.#response, this.#takeFirst(data).toString("latin1"), "latin1");
    else end.call(this.#response, data, "utf8");
    closeUnread(this.#response);
  }
}

function buildHeaders(contentType: string) {
  return {
    "Content-Type": contentType,
    "Cache-Control": "no-cache",
    Connection: "keep-alive",
    // Without this header nginx even delays the headers.
    "X-Accel-Buffering": "no",
  };
}

/** Frames a text as one chunk of a chunked body (RFC 9112, section 7.1). */
function toChunk(text: string): string {
  return text === "" ? "" : `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** Whether the connection ends with the response: the client asks for it, uses HTTP/1.0 without chunks, or its worker is being replaced. */
function endsConnection(response: ServerResponse): boolean {
  const isAsked = !response.shouldKeepAlive || !response.useChunkedEncodingByDefault;
  return isAsked || response.getHeader("Connection") === "close";
}

/** Closes the connection of an ended response if the client doesn't read the rest in time, so that its slot becomes free. */
function closeUnread(response: ServerResponse): void {
  if (response.writableFinished || response.destroyed) return;
  // The response to a pipelined request has no socket until the responses before it have ended.
  if (response.socket === null) {
    response.once("socket", () => closeUnread(response));
    return;
  }
  const timer = setTimeout(() => response.destroy(), limits.unreadMs).unref();
  response.once("close", () => clearTimeout(timer));
}
