import { limits } from "@agent-backends/contract";
import type { ProviderError } from "../errors/provider-error.ts";
import { mayAnswerElsewhere } from "../errors/retry.ts";
import type { ProviderRequest, ProviderStream, StreamHandler, WaitLimits } from "../transport/provider-stream.ts";
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
  readonly #waitLimits: WaitLimits;
  /** The provider whose model the original request names. */
  readonly #primaryProvider: ChatProvider | undefined;
  #request: ProviderRequest | undefined;
  #remainingProviders: ChatProvider[];
  #currentProvider: ChatProvider;
  #stream: ProviderStream;
  #isPaused = false;

  constructor(
    request: ProviderRequest,
    handler: StreamHandler,
    { providers, patience, log }: { providers: readonly ChatProvider[]; patience: WaitLimits; log: FallbackLog },
  ) {
    this.#request = request;
    this.#log = log;
    this.#waitLimits = patience;
    this.#primaryProvider = providers[0];
    this.#handler = handler;
    // If every circuit is open, one provider is still asked: the one that has had no request for the longest time.
    const [first = findLongestOpen(providers)] = providers.filter(isAvailable);
    this.#remainingProviders = providers.slice(providers.indexOf(first) + 1);
    this.#currentProvider = first;
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
    this.#currentProvider.answers += 1;
    this.#handler.onHead?.(head, this.#currentProvider);
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
    const failed = this.#currentProvider;
    const mayGoOn = mayAnswerElsewhere(error);
    if (mayGoOn && !error.isRequestTooLarge) this.#countFailure();
    else this.#countSuccess();
    const request = this.#request;
    const next = mayGoOn ? this.#remainingProviders.find(isAvailable) : undefined;
    if (request === undefined || next === undefined) {
      this.#handler.onFailure(error, failed);
      return;
    }
    failed.wasReplaced(error);
    const details = { request_id: request.requestId, provider: failed.name, next: next.name, err: error };
    this.#log.warn(details, "a provider can't answer: the next one is asked");
    this.#remainingProviders = this.#remainingProviders.slice(this.#remainingProviders.indexOf(next) + 1);
    this.#currentProvider = next;
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
    const { breaker, name } = this.#currentProvider;
    if (breaker.succeeded()) this.#log.info({ provider: name }, "a provider answers again");
  }

  #countFailure(): void {
    const { breaker, name } = this.#currentProvider;
    if (!breaker.failed()) return;
    this.#log.warn(
      { provider: name, for_ms: limits.circuitOpenMs },
      "a provider failed several times: it is left alone",
    );
  }

  #ask(request: ProviderRequest, asked: ChatProvider): ProviderStream {
    asked.breaker.enter();
    const isLast = !this.#remainingProviders.some(isAvailable);
    const own = asked === this.#primaryProvider ? request : (request.forProvider?.(asked) ?? request);
    return asked.provider.openCompletion(own, this, isLast ? undefined : this.#waitLimits);
  }
}

const isAvailable = ({ breaker }: ChatProvider): boolean => breaker.state !== "open";

function findLongestOpen(providers: readonly ChatProvider[]): ChatProvider {
  return providers.reduce((longest, other) =>
    other.breaker.openUntilMs < longest.breaker.openUntilMs ? other : longest,
  );
}
