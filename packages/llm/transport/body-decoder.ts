import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

// Decode as much as possible of a body that is cut off. Whether the answer is complete shows in its content.
const zlibOptions = { finishFlush: constants.Z_SYNC_FLUSH };
const brotliOptions = { finishFlush: constants.BROTLI_OPERATION_FLUSH };
const zstdOptions = { finishFlush: constants.ZSTD_e_flush };

// The codings of RFC 9110, section 8.4.1, and RFC 8878.
const codings = new Map<string, (first: Buffer) => Transform>([
  ["gzip", () => createGunzip(zlibOptions)],
  ["x-gzip", () => createGunzip(zlibOptions)],
  ["br", () => createBrotliDecompress(brotliOptions)],
  ["zstd", () => createZstdDecompress(zstdOptions)],
  // The standard asks for a zlib header, whose first byte names method 8. Some servers send raw deflate instead.
  ["deflate", (first) => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate(zlibOptions) : createInflateRaw(zlibOptions))],
]);

export interface DecodedBodyHandler {
  /** Decoded bytes. The buffer is not reused. */
  onDecoded(bytes: Buffer): void;
  /** The decoder takes bytes again after it was `full`. */
  onDecoderReady(): void;
  onDecodedEnd(): void;
  /** The compressed data is damaged. */
  onUndecodable(error: Error): void;
}

/** Whether a body with this `Content-Encoding` can be decoded. */
export function canDecode(contentEncoding: string): boolean {
  return codings.has(contentEncoding.trim().toLowerCase());
}

/**
 * Decodes a compressed body as it arrives. However much a few bytes decompress to, the output comes in pieces, and none
 * while it is paused.
 */
export class BodyDecoder {
  readonly #coding: string;
  readonly #handler: DecodedBodyHandler;
  #stream: Transform | undefined;
  #full = false;

  constructor(contentEncoding: string, handler: DecodedBodyHandler) {
    this.#coding = contentEncoding.trim().toLowerCase();
    this.#handler = handler;
  }

  /** Whether `write` should wait for `onDecoderReady`. */
  get full(): boolean {
    return this.#full;
  }

  write(bytes: Buffer): void {
    this.#stream ??= this.#start(bytes);
    this.#full = !this.#stream.write(bytes);
  }

  /** Call after the last `write`. What is buffered is still decoded. */
  end(): void {
    if (this.#stream) this.#stream.end();
    else this.#handler.onDecodedEnd();
  }

  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  /** The handler is not called again. */
  destroy(): void {
    this.#stream?.removeAllListeners().on("error", () => undefined);
    this.#stream?.destroy();
  }

  #start(first: Buffer): Transform {
    const create = codings.get(this.#coding);
    if (!create) throw new TypeError(`Content-Encoding ${this.#coding} is not supported.`);
    return create(first)
      .on("data", (bytes: Buffer) => this.#handler.onDecoded(bytes))
      .on("drain", () => {
        this.#full = false;
        this.#handler.onDecoderReady();
      })
      .once("end", () => this.#handler.onDecodedEnd())
      .once("error", (error) => this.#handler.onUndecodable(error));
  }
}
