import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

// Decode as much as possible of a truncated body. The content shows whether the answer is complete.
const zlibOptions = { finishFlush: constants.Z_SYNC_FLUSH };
const brotliOptions = { finishFlush: constants.BROTLI_OPERATION_FLUSH };
const zstdOptions = { finishFlush: constants.ZSTD_e_flush };

// Content codings of RFC 9110, section 8.4.1, and RFC 8878.
const codings = new Map<string, (first: Buffer) => Transform>([
  ["gzip", () => createGunzip(zlibOptions)],
  ["x-gzip", () => createGunzip(zlibOptions)],
  ["br", () => createBrotliDecompress(brotliOptions)],
  ["zstd", () => createZstdDecompress(zstdOptions)],
  // The standard requires a zlib header, whose first byte has the method 8. Some servers send raw deflate instead.
  ["deflate", (first) => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate(zlibOptions) : createInflateRaw(zlibOptions))],
]);

export interface DecodedBodyHandler {
  /** Receives decoded bytes. The buffer is not reused. */
  onDecoded(bytes: Buffer): void;
  /** Called when the decoder accepts bytes again after it was `full`. */
  onDecoderReady(): void;
  onDecodedEnd(): void;
  /** Called when the compressed data is damaged. */
  onUndecodable(error: Error): void;
}

/** Whether a body with this `Content-Encoding` can be decoded. */
export function canDecode(contentEncoding: string): boolean {
  return codings.has(contentEncoding.trim().toLowerCase());
}

/**
 * Decodes a compressed body as it arrives. Even if a few bytes decompress to a huge output, the output comes in small pieces, and stops
 * while paused.
 */
export class BodyDecoder {
  readonly #coding: string;
  readonly #handler: DecodedBodyHandler;
  #stream: Transform | undefined;
  #isFull = false;

  constructor(contentEncoding: string, handler: DecodedBodyHandler) {
    this.#coding = contentEncoding.trim().toLowerCase();
    this.#handler = handler;
  }

  /** Whether `write` should wait for `onDecoderReady`. */
  get isFull(): boolean {
    return this.#isFull;
  }

  write(bytes: Buffer): void {
    this.#stream ??= this.#start(bytes);
    this.#isFull = !this.#stream.write(bytes);
  }

  /** Call after the last `write`. Buffered data is still decoded. */
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

  /** Stops decoding. The handler is not called again. */
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
        this.#isFull = false;
        this.#handler.onDecoderReady();
      })
      .once("end", () => this.#handler.onDecodedEnd())
      .once("error", (error) => this.#handler.onUndecodable(error));
  }
}
