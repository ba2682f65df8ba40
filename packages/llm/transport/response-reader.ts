import { HttpSyntaxError } from "../errors/failures.ts";
import type { ResponseHead } from "./response-head.ts";
import { parseResponseHead } from "./response-head.ts";

/** Limit for the status line with the header fields, and for the trailers. */
const maxHeadBytes = 64 * 1024;
const maxSizeLineBytes = 4 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const semicolon = 0x3b;

export interface ResponseHandler {
  onHead(head: ResponseHead): void;
  /**
   * Receives bytes of the body, `bytes[start, end)`, without framing. The buffer is reused: copy everything that should outlive the call.
   */
  onBody(bytes: Buffer, start: number, end: number): void;
  /** Called when the response is complete. */
  onComplete(): void;
}

type Part = "head" | "size" | "size-rest" | "data" | "data-end" | "trailer" | "until-close" | "whole";

/**
 * Parses one HTTP/1.1 response (RFC 9112) from bytes in pieces of any size. Skips interim responses. Neither buffers nor copies the body.
 */
export class ResponseReader {
  readonly #handler: ResponseHandler;
  #part: Part = "head";
  /** The part of the head or the trailers that has arrived so far. */
  #lines = "";
  #lineLength = 0;
  #isChunked = false;
  /** Remaining bytes of the current chunk or body. */
  #remainingBytes = 0;
  /** Number of bytes read of the current size line. */
  #sizeLineBytes = 0;
  #sizeDigits = 0;

  constructor(handler: ResponseHandler) {
    this.#handler = handler;
  }

  /**
   * Parses the next bytes. Returns the index just past the response, or `end` if the response continues.
   *
   * @throws HttpSyntaxError
   */
  push(bytes: Buffer, start: number, end: number): number {
    let at = start;
    while (at < end && this.#part !== "whole") {
      switch (this.#part) {
        case "data": {
          const stop = this.#remainingBytes < end - at ? at + this.#remainingBytes : end;
          this.#remainingBytes -= stop - at;
          if (this.#remainingBytes === 0) this.#part = this.#isChunked ? "data-end" : "whole";
          this.#handler.onBody(bytes, at, stop);
          at = stop;
          if (this.#part === ("whole" as Part)) this.#handler.onComplete();
          break;
        }
        case "size":
          at = this.#readSize(bytes, at, end);
          break;
        case "data-end":
          at = this.#readDataEnd(bytes, at);
          break;
        case "until-close":
          this.#handler.onBody(bytes, at, end);
          at = end;
          break;
        case "head":
        case "trailer":
          at = this.#readLines(bytes, at, end);
          break;
        case "size-rest":
          at = this.#skipSizeRest(bytes, at, end);
          break;
      }
    }
    return at;
  }

  /** Call when the connection has ended. Returns whether the response is complete. */
  end(): boolean {
    if (this.#part === "until-close") {
      this.#complete();
    }
    return this.#part === "whole";
  }

  /** Reads lines up to an empty one: the head, or the trailers, which are dropped. */
  #readLines(bytes: Buffer, start: number, end: number): number {
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte === lineFeed) {
        if (this.#lineLength === 0) {
          this.#addLines(bytes, start, at + 1);
          if (this.#part === "head") this.#takeHead();
          else this.#complete();
          return at + 1;
        }
        this.#lineLength = 0;
      } else if (byte !== carriageReturn) {
        this.#lineLength += 1;
      }
    }
    this.#addLines(bytes, start, end);
    return end;
  }

  #addLines(bytes: Buffer, start: number, end: number): void {
    if (this.#lines.length + end - start > maxHeadBytes)
      throw new HttpSyntaxError("The answer's head or trailers are too large.");
    this.#lines += bytes.toString("latin1", start, end);
  }

  #complete(): void {
    this.#part = "whole";
    this.#handler.onComplete();
  }

  #takeHead(): void {
    const text = this.#lines.trimEnd();
    this.#lines = "";
    // Some servers send an empty line after the previous response.
    if (text === "") return;
    const head = parseResponseHead(text.trimStart());
    if (head.status === 101) throw new HttpSyntaxError("The answer switches to a protocol that was not asked for.");
    if (head.status < 200) return;
    const { framing } = head;
    this.#isChunked = framing.kind === "chunked";
    this.#remainingBytes = framing.kind === "length" ? framing.bytes : 0;
    this.#part = framing.kind === "chunked" ? "size" : framing.kind === "length" ? "data" : "until-close";
    const empty = framing.kind === "length" && framing.bytes === 0;
    if (empty) this.#part = "whole";
    this.#handler.onHead(head);
    if (empty) this.#handler.onComplete();
  }

  #readSize(bytes: Buffer, start: number, end: number): number {
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] as number;
      const digit = hexDigit(byte);
      if (digit >= 0) {
        this.#sizeDigits += 1;
        if (this.#sizeDigits > 12) throw new HttpSyntaxError("A chunk of the answer is too large.");
        this.#remainingBytes = this.#remainingBytes * 16 + digit;
        continue;
      }
      if (this.#sizeDigits === 0) throw new HttpSyntaxError("A chunk of the answer has no size.");
      if (byte === lineFeed) {
        this.#startChunk();
        return at + 1;
      }
      if (byte !== carriageReturn && byte !== semicolon && byte !== 0x20 && byte !== 0x09) {
        throw new HttpSyntaxError("A chunk of the answer has a malformed size.");
      }
      this.#part = "size-rest";
      return at + 1;
    }
    return end;
  }

  #skipSizeRest(bytes: Buffer, start: number, end: number): number {
    for (let at = start; at < end; at += 1) {
      if (bytes[at] === lineFeed) {
        this.#startChunk();
        return at + 1;
      }
      this.#sizeLineBytes += 1;
      if (this.#sizeLineBytes > maxSizeLineBytes)
        throw new HttpSyntaxError("A chunk of the answer has too long a size line.");
    }
    return end;
  }

  #startChunk(): void {
    this.#sizeDigits = 0;
    this.#sizeLineBytes = 0;
    this.#lineLength = 0;
    this.#part = this.#remainingBytes > 0 ? "data" : "trailer";
  }

  #readDataEnd(bytes: Buffer, at: number): number {
    if (bytes[at] === lineFeed) this.#part = "size";
    else if (bytes[at] !== carriageReturn) throw new HttpSyntaxError("A chunk of the answer is longer than its size.");
    return at + 1;
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
