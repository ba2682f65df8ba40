import { limits } from "@agent-backends/contract";
import type { ProviderError } from "../errors/provider-error.ts";
import { mayAnswerElsewhere } from "../errors/retry.ts";
import type { Patience, ProviderRequest, ProviderStream, StreamHandler } from "../transport/provider-stream.ts";
import type { ResponseHead } from "../transport/response-head.ts";
import type { ChatProvider } from "./chat-provider.ts";

export interface FallbackLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/**
 * One chat completion that several providers may answer. It asks them in order, until one begins to answer. From then on it passes on
 * everything, including failures.
 */
export class FallbackCompletion implements ProviderStream, StreamHandler {
  readonly #handler: StreamHandler;
  readonly #log: FallbackLog;
  readonly #patience: Patience;
  /** The provider whose model the original request names. */
  readonly #first: ChatProvider | undefined;
  #request: ProviderRequest | undefined;
  #waiting: ChatProvider[];
  #asked: ChatProvider;
  #stream: ProviderStream;
  #isPaused = false;

  constructor(
    request: ProviderRequest,
    handler: StreamHandler,
    { providers, patience, log }: { providers: readonly ChatProvider[]; patience: Patience; log: FallbackLog },
  ) {
    this.#request = request;
    this.#log = log;
    this.#patience = patience;
    this.#first = providers[0];
    this.#handler = handler;
    // If every circuit is open, one provider is still asked: the one that has had no request for the longest time.
    const [first = longestOpen(providers)] = providers.filter(isAvailable);
    this.#waiting = providers.slice(providers.indexOf(first) + 1);
    this.#asked = first;
    this.#stream = this.#ask(request, first);
  }

  get hasBegun(): boolean {
    return this.#handler.hasBegun !== false;
  }

  get hasFinished(): boolean {
    return this.#handler.hasFinished === true;
  }

  onHead(head: ResponseHead): void {
    this.#request = undefined;
    this.#asked.answers += 1;
    this.#handler.onHead?.(head, this.#asked);
  }

  onBytes(bytes: Buffer, start: number, end: number): void {
    this.#handler.onBytes(bytes, start, end);
  }

  onReadEnd(): void {
    this.#handler.onReadEnd();
  }

  onEnd(): void {
    this.#countSuccess();
    this.#handler.onEnd();
  }

  onFailure(error: ProviderError): void {
    const failed = this.#asked;
    const mayGoOn = mayAnswerElsewhere(error);
    if (mayGoOn && !error.isMisfit) this.#countFailure();
    else this.#countSuccess();
    const request = this.#request;
    const next = mayGoOn ? this.#waiting.find(isAvailable) : undefined;
    if (request === undefined || next === undefined) {
      this.#handler.onFailure(error, failed);
      return;
    }
    failed.wasReplaced(error);
    const details = { request_id: request.requestId, provider: failed.name, next: next.name, err: error };
    this.#log.warn(details, "a provider can't answer: the next one is asked");
    this.#waiting = this.#waiting.slice(this.#waiting.indexOf(next) + 1);
    this.#asked = next;
    this.#stream = this.#ask(request, next);
    if (this.#isPaused) this.#stream.pause();
  }

  pause(): void {
    this.#isPaused = true;
    this.#stream.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#stream.resume();
  }

  abort(): void {
    this.#request = undefined;
    this.#stream.abort();
  }

  release(): void {
    // The handler has received its complete answer.
    this.#countSuccess();
    this.#stream.release();
  }

  #countSuccess(): void {
    const { breaker, name } = this.#asked;
    if (breaker.succeeded()) this.#log.info({ provider: name }, "a provider answers again");
  }

  #countFailure(): void {
    const { breaker, name } = this.#asked;
    if (!breaker.failed()) return;
    this.#log.warn(
      { provider: name, for_ms: limits.circuitOpenMs },
      "a provider failed several times: it is left alone",
    );
  }

  #ask(request: ProviderRequest, asked: ChatProvider): ProviderStream {
    asked.breaker.enter();
    const isLast = !this.#waiting.some(isAvailable);
    const own = asked === this.#first ? request : (request.forProvider?.(asked) ?? request);
    return asked.provider.openCompletion(own, this, isLast ? undefined : this.#patience);
  }
}

const isAvailable = ({ breaker }: ChatProvider): boolean => breaker.state !== "open";

function longestOpen(providers: readonly ChatProvider[]): ChatProvider {
  return providers.reduce((longest, other) =>
    other.breaker.openUntilMs < longest.breaker.openUntilMs ? other : longest,
  );
}
