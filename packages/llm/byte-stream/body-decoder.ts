import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

// What came before a body's end is given also where the end is missing: whether all was said shows in what was said.
const zlibOptions = { finishFlush: constants.Z_SYNC_FLUSH };
const brotliOptions = { finishFlush: constants.BROTLI_OPERATION_FLUSH };
const zstdOptions = { finishFlush: constants.ZSTD_e_flush };

// What RFC 9110, section 8.4.1, and RFC 8878 name, as it is found in `Content-Encoding`.
const codings = new Map<string, (first: Buffer) => Transform>([
  ["gzip", () => createGunzip(zlibOptions)],
  ["x-gzip", () => createGunzip(zlibOptions)],
  ["br", () => createBrotliDecompress(brotliOptions)],
  ["zstd", () => createZstdDecompress(zstdOptions)],
  // By the standard it has zlib's two bytes in front, whose first names the method 8; some servers leave them out.
  ["deflate", (first) => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate(zlibOptions) : createInflateRaw(zlibOptions))],
]);

export interface DecodedBodyHandler {
  /** Bytes of the unpacked body, which may be kept. */
  onDecoded(bytes: Buffer): void;
  /** More packed bytes can be taken. */
  onDecoderReady(): void;
  onDecodedEnd(): void;
  /** The packed bytes are wrong. */
  onUndecodable(error: Error): void;
}

/** Whether bodies with this `Content-Encoding` can be unpacked. */
export function canDecode(contentEncoding: string): boolean {
  return codings.has(contentEncoding.trim().toLowerCase());
}

/**
 * Unpacks a compressed body as it comes, so that a stream stays a stream. However much a few bytes unpack to, it is given in
 * pieces, and none while it is paused.
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

  /** Whether it has enough for now. */
  get full(): boolean {
    return this.#full;
  }

  write(bytes: Buffer): void {
    this.#stream ??= this.#start(bytes);
    this.#full = !this.#stream.write(bytes);
  }

  /** No more bytes come. What was taken is still unpacked. */
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

  /** The handler is not called any more. */
  destroy(): void {
    this.#stream?.removeAllListeners().on("error", () => undefined);
    this.#stream?.destroy();
  }

  #start(first: Buffer): Transform {
    const create = codings.get(this.#coding);
    if (!create) throw new TypeError(`A body in the coding ${this.#coding} can't be unpacked.`);
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
