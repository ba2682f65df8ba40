import type { OutgoingHttpHeader, OutgoingHttpHeaders } from "node:http";
import { ServerResponse } from "node:http";
import { limits } from "@agent-backends/contract";
import { recordOf } from "./observability/request-record.ts";

/** What ends the body of a framed stream. */
export const lastChunk = "0\r\n\r\n";

/** A text as one chunk of a chunked body (RFC 9112, section 7.1). */
export function chunkOf(text: string): string {
  return text === "" ? "" : `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

// Node's own methods: what other middleware has put in their place to compress or to collect a response would harm a stream.
const { writeHead, flushHeaders, write, end } = ServerResponse.prototype;

/**
 * The body of an answer that comes bit by bit, with its head, which goes out with the first bit. Node writes a chunk in four
 * pieces, and corks and uncorks the connection around them: what is framed already, the connection takes as one.
 */
export class StreamedBody {
  /** Whether whoever writes has to frame it as chunks; clients of HTTP/1.0 get it as it is, until the connection closes. */
  readonly framed: boolean;
  /** Is called when the client can take more, after `full` was true. */
  onDrain: (() => void) | undefined;
  readonly #response: ServerResponse;
  readonly #bodiless: boolean;
  #begun = false;
  #waits = false;

  constructor(response: ServerResponse, headers: OutgoingHttpHeaders | OutgoingHttpHeader[]) {
    this.#response = response;
    this.#bodiless = response.req.method === "HEAD";
    recordOf(response.req)?.streams();
    closeAfterwards(response);
    if (response.hasHeader("Content-Encoding")) response.removeHeader("Content-Encoding");
    writeHead.call(response, 200, headers);
    this.framed = response.chunkedEncoding;
    response.chunkedEncoding = false;
    response.on("drain", () => this.onDrain?.());
  }

  /** Whether nothing more should be written until `onDrain` is called. */
  get full(): boolean {
    return this.#response.writableNeedDrain || this.#response.socket?.writableNeedDrain === true;
  }

  /** Writes a text or bytes; with nothing the head alone. Returns false when the body is full. */
  write(data: string | Buffer): boolean {
    const response = this.#response;
    if (data.length === 0 || this.#bodiless) {
      flushHeaders.call(response);
      return true;
    }
    if (!this.#begun) {
      this.#begun = true;
      // Node puts its headers and a text into one write, but not its headers and bytes.
      return write.call(response, data.toString(), "utf8");
    }
    const { socket } = response;
    // A pipelined request's response has no socket before those in front of it have ended.
    if (socket === null) return write.call(response, data, "utf8");
    if (socket.write(data)) return true;
    if (!this.#waits) {
      this.#waits = true;
      socket.once("drain", () => {
        this.#waits = false;
        this.onDrain?.();
      });
    }
    return false;
  }

  /** Writes what is last. A client that does not take what is left in time loses its connection. */
  end(data: string | Buffer): void {
    end.call(this.#response, data, "utf8");
    closeUnread(this.#response);
  }
}

/** Node keeps a connection open whose client asked to close it, once a response says `keep-alive` as streams have to. */
function closeAfterwards(response: ServerResponse): void {
  if (response.shouldKeepAlive) return;
  const { socket } = response.req;
  response.once("finish", () => socket.end());
}

/** Closes a response that has ended if its client does not take the rest of it in time, so that its place becomes free. */
function closeUnread(response: ServerResponse): void {
  if (response.writableFinished || response.destroyed) return;
  // A pipelined request's response has no socket before those in front of it have ended.
  if (response.socket === null) {
    response.once("socket", () => closeUnread(response));
    return;
  }
  const late = setTimeout(() => response.destroy(), limits.unreadMs).unref();
  response.once("close", () => clearTimeout(late));
}
