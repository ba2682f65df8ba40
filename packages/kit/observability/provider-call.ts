import type { Meters } from "./meters.ts";
import type { RequestRecord } from "./request-record.ts";
import type { CallSpan } from "./spans.ts";
import type { TraceHeaders } from "./trace-context.ts";

// The kinds of packages/llm, and what stands for an error inside a provider's stream.
const knownKinds = ["refused", "unreachable", "timed_out", "http_status", "cut", "invalid", "stream_error"];

/** The kind of a provider's error, one of a few, so that a metric has few series. */
export function providerErrorKind(error: unknown): string {
  const { kind } = (error ?? {}) as { kind?: unknown };
  return typeof kind === "string" && knownKinds.includes(kind) ? kind : "other";
}

/** One call of the model provider, as it goes. */
export class ProviderCall {
  /** The trace that the provider's work belongs to. */
  readonly headers: TraceHeaders | undefined;
  readonly #record: RequestRecord | undefined;
  readonly #span: CallSpan | undefined;
  readonly #meters: Meters | undefined;
  #heard = false;
  #ended = false;

  constructor(record: RequestRecord | undefined, span: CallSpan | undefined, meters: Meters | undefined) {
    this.#record = record;
    this.#span = span;
    this.#meters = meters;
    this.headers = span?.headers ?? record?.trace;
  }

  /** The first text came. Later calls change nothing. */
  firstToken(): void {
    if (this.#heard) return;
    this.#heard = true;
    this.#span?.firstToken();
    if (this.#record) this.#record.firstTokenMs ??= performance.now() - this.#record.startedAt;
  }

  usage(tokens: { input?: number | undefined; output?: number | undefined }): void {
    this.#record?.countTokens(tokens);
    this.#meters?.tokens(tokens);
    this.#span?.usage(tokens);
  }

  /**
   * The call is over; later calls change nothing.
   *
   * @param error what made it fail, if it failed; an answer that nobody waits for any more has not
   */
  ended(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    if (error === undefined) {
      this.#span?.end();
      return;
    }
    const kind = providerErrorKind(error);
    if (this.#record) this.#record.failure ??= `provider_${kind}`;
    this.#meters?.providerError(kind);
    this.#span?.end(kind);
  }
}
