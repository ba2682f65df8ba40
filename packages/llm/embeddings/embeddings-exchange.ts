import { BodyDecoder, canDecode } from "../byte-stream/body-decoder.ts";
import type { Connection, ExchangeHandler } from "../byte-stream/http1/connection.ts";
import type { ConnectionPool } from "../byte-stream/http1/connection-pool.ts";
import type { ResponseHead } from "../byte-stream/http1/response-head.ts";
import { answerError, silenceError, transportError, unpackingError } from "../errors/failures.ts";
import { ProviderError } from "../errors/provider-error.ts";
import type { RequestBody } from "./request-body.ts";
import { ReusedBytes } from "./reused-bytes.ts";

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Of an error's body this much is read: enough for a message. */
const MAX_ERROR_BYTES = 64 * 1024;

export interface EmbeddingsRequest {
  pool: ConnectionPool;
  head: string;
  body: RequestBody;
  signal: AbortSignal;
  /** How long the provider may say nothing. */
  timeoutMs: number;
  /** What no message may hold. */
  secrets: readonly string[];
}

/**
 * Sends one request and gives its answer with status 200, once it is whole, to `take`; the bytes are overwritten after that. As
 * bytes of a socket rather than of a web stream, whose pieces cost more than the vectors in them.
 *
 * @throws ProviderError, and the signal's reason once it is aborted
 */
export async function exchangeEmbeddings<Result>(
  request: EmbeddingsRequest,
  take: (answer: Buffer) => Promise<Result>,
): Promise<Result> {
  request.signal.throwIfAborted();
  const memory = new ReusedBytes();
  const exchange = new EmbeddingsExchange(request, memory);
  const stop = () => exchange.fail(request.signal.reason);
  request.signal.addEventListener("abort", stop, { once: true });
  try {
    await exchange.whole;
    return await take(memory.bytes());
  } finally {
    request.signal.removeEventListener("abort", stop);
    memory.release();
  }
}

class EmbeddingsExchange implements ExchangeHandler {
  readonly #request: EmbeddingsRequest;
  readonly #memory: ReusedBytes;
  readonly #done = Promise.withResolvers<void>();
  readonly #timer: NodeJS.Timeout;
  #connection: Connection;
  #head: ResponseHead | undefined;
  /** Unpacks a body that came packed, though it was asked for plain. */
  #decoder: BodyDecoder | undefined;
  #isOver = false;

  constructor(request: EmbeddingsRequest, memory: ReusedBytes) {
    this.#request = request;
    this.#memory = memory;
    this.#timer = setTimeout(() => this.fail(silenceError(this.#head !== undefined)), request.timeoutMs);
    this.#connection = this.#send(false);
  }

  /** Resolves when the answer is in the memory. */
  get whole(): Promise<void> {
    return this.#done.promise;
  }

  fail(error: unknown): void {
    if (this.#isOver) return;
    this.#end();
    this.#connection.destroy();
    this.#done.reject(error);
  }

  onHead(head: ResponseHead): void {
    if (this.#isOver) return;
    this.#head = head;
    const coding = head.headers["content-encoding"] ?? "identity";
    if (canDecode(coding)) {
      delete head.headers["content-encoding"];
      this.#decoder = new BodyDecoder(coding, {
        onDecoded: (bytes) => this.#take(bytes, 0, bytes.length),
        onDecoderReady: () => this.#connection.resume(),
        onDecodedEnd: () => this.#succeed(),
        onUndecodable: (error) => this.fail(unpackingError(error)),
      });
    } else if (isVectors(head) && head.framing.kind === "length" && head.framing.bytes <= MAX_ANSWER_BYTES) {
      this.#memory.reserve(head.framing.bytes);
    }
  }

  onBody(bytes: Buffer, start: number, end: number): void {
    if (this.#isOver) return;
    if (!this.#decoder) {
      this.#take(bytes, start, end);
      return;
    }
    this.#decoder.write(Buffer.from(bytes.subarray(start, end)));
    if (this.#decoder.full) this.#connection.pause();
  }

  onReadEnd(): void {
    if (!this.#isOver) this.#timer.refresh();
  }

  onComplete(): void {
    if (this.#isOver) return;
    if (this.#decoder) this.#decoder.end();
    else this.#succeed();
  }

  onBroken(error: Error): void {
    if (this.#isOver) return;
    // The provider closed a kept connection just when the request was sent.
    if (this.#head === undefined && this.#connection.requests > 1) {
      this.#connection = this.#send(true);
      return;
    }
    // One that was made and then closed without a word is as one that was reset.
    const cause = "code" in error ? error : Object.assign(error, { code: "ECONNRESET" });
    this.fail(transportError(cause, this.#head !== undefined));
  }

  #send(fresh: boolean): Connection {
    const connection = this.#request.pool.acquire(fresh);
    this.#request.body.sendOn(connection, this.#request.head, this);
    return connection;
  }

  #take(bytes: Buffer, start: number, end: number): void {
    if (this.#isOver) return;
    this.#memory.add(bytes, start, end);
    if (isVectors(this.#head)) {
      if (this.#memory.length > MAX_ANSWER_BYTES)
        this.fail(new ProviderError("invalid", "The model provider's answer is too large."));
    } else if (this.#memory.length >= MAX_ERROR_BYTES) {
      this.#succeed();
      this.#connection.destroy();
    }
  }

  #succeed(): void {
    if (this.#isOver || this.#head === undefined) return;
    if (isVectors(this.#head)) {
      this.#end();
      this.#done.resolve();
      return;
    }
    const { status, headers } = this.#head;
    const body = this.#memory.bytes().toString("utf8", 0, MAX_ERROR_BYTES);
    this.#end();
    this.#done.reject(answerError({ status, headers, body }, this.#request.secrets));
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#decoder?.destroy();
  }
}

/** A page in HTML, as someone on the way sends it, holds none. */
function isVectors(head: ResponseHead | undefined): boolean {
  return (
    head?.status === 200 &&
    (head.headers["content-encoding"] ?? "identity").toLowerCase() === "identity" &&
    !/html/i.test(head.headers["content-type"]?.split(";", 1)[0] ?? "")
  );
}
