import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Metrics } from "./metrics.ts";
import type { TraceHeaders } from "./request-headers.ts";

/** English has about four bytes a token, code and other languages fewer. */
export const bytesPerToken = 3;

/** The trace of a request. */
export interface RequestSpan {
  startCall(operation: "chat" | "embeddings", model: string): CallSpan;
  end(answer: { status: number; outcome: string }): void;
}

export interface CallSpan {
  /** Propagates the trace to the provider. */
  readonly headers: TraceHeaders;
  firstToken(): void;
  answeredBy(provider: string): void;
  usage(tokens: { input?: number | undefined; output?: number | undefined }): void;
  end(errorKind?: string): void;
}

/** What the records of one server share. */
export interface RecordContext {
  /** The number of running requests and streams. */
  readonly open: { requests: number; streams: number };
  readonly metrics: Metrics | undefined;
}

/**
 * What is known about a request, for its log line, metrics and trace. It never holds content, keys or addresses. Each part of the
 * service adds what it learns.
 */
export class RequestRecord {
  readonly id: string;
  readonly method: string;
  /** `performance.now()` at its arrival. */
  readonly startedAt: number;
  /** The route's template, such as `/api/jobs/:id`, or `other`. */
  route: string;
  /** The name of the client's key. */
  keyName: string | undefined;
  namespace: string | undefined;
  /** Host and model of the provider that answered, if there are several. */
  provider: string | undefined;
  /** Called with it, before the answer's first text. */
  onProvider: ((name: string) => void) | undefined;
  /** From the request's arrival to the call of the model: reading, waiting and searching. */
  queueMs: number | undefined;
  /** From the request's arrival to the model's first text. */
  firstTokenMs: number | undefined;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  /** Tokens of answers that ended before the provider counted them: at least one for each piece. */
  uncountedTokens: number | undefined;
  /** What providers that don't count were sent, estimated. */
  uncountedInputTokens: number | undefined;
  /** Why the model ended its answer, if it says: `stop`, `length`. */
  finishReason: string | undefined;
  /** The code of what went wrong, such as `provider_cut`. */
  failure: string | undefined;
  /** The trace that the client's request belongs to. */
  readonly trace: TraceHeaders | undefined;
  span: RequestSpan | undefined;
  readonly #context: RecordContext;
  #isStream = false;
  #isAnswered = false;

  constructor(
    given: { id: string; method: string; route: string; trace: TraceHeaders | undefined; startedAt: number },
    context: RecordContext,
  ) {
    this.id = given.id;
    this.method = given.method;
    this.route = given.route;
    this.trace = given.trace;
    this.startedAt = given.startedAt;
    this.#context = context;
  }

  /** The first 16 hexadecimal digits of the namespace's SHA-256: identifies it without revealing its name. */
  get namespaceHash(): string | undefined {
    if (this.namespace === undefined) return undefined;
    return createHash("sha256").update(this.namespace).digest("hex").slice(0, 16);
  }

  /** Marks the answer as a stream, unless its client left before it began. */
  streams(): void {
    if (this.#isStream || this.#isAnswered) return;
    this.#isStream = true;
    this.#context.open.streams += 1;
  }

  /** The response is closed. */
  answered(): void {
    this.#isAnswered = true;
    if (this.#isStream) this.#context.open.streams -= 1;
  }

  /** Sums up, because an answer may take several calls of the provider. */
  countTokens({ input = 0, output = 0 }: { input?: number | undefined; output?: number | undefined }): void {
    this.inputTokens = (this.inputTokens ?? 0) + input;
    this.outputTokens = (this.outputTokens ?? 0) + output;
  }

  /** Sums up too. */
  countUncounted(pieces: number, inputBytes?: number): void {
    this.uncountedTokens = (this.uncountedTokens ?? 0) + pieces;
    if (inputBytes === undefined) return;
    this.uncountedInputTokens = (this.uncountedInputTokens ?? 0) + Math.ceil(inputBytes / bytesPerToken);
  }

  /** What the provider read: as it counted, or estimated. Undefined: nothing is known but the client's input. */
  get readTokens(): number | undefined {
    if (this.inputTokens === undefined) return this.uncountedInputTokens;
    return this.inputTokens + (this.uncountedInputTokens ?? 0);
  }

  callProvider(operation: "chat" | "embeddings", model: string): ProviderCall {
    if (operation === "chat") this.queueMs ??= performance.now() - this.startedAt;
    return new ProviderCall(this, this.span?.startCall(operation, model), this.#context.metrics);
  }
}

// The error kinds of packages/llm, and one for an error inside a provider's stream.
const knownKinds = ["refused", "unreachable", "timed_out", "http_status", "cut", "invalid", "stream_error"];

/** Maps an error to one of a few kinds, so that the metric has few series. */
function toErrorKind(error: unknown): string {
  const { kind } = (error ?? {}) as { kind?: unknown };
  return typeof kind === "string" && knownKinds.includes(kind) ? kind : "other";
}

/** Observes one call of the model provider. */
export class ProviderCall {
  /** Propagates the trace to the provider. */
  readonly headers: TraceHeaders | undefined;
  readonly #record: RequestRecord | undefined;
  readonly #span: CallSpan | undefined;
  readonly #metrics: Metrics | undefined;
  #heard = false;
  #ended = false;

  constructor(record: RequestRecord | undefined, span: CallSpan | undefined, metrics: Metrics | undefined) {
    this.#record = record;
    this.#span = span;
    this.#metrics = metrics;
    this.headers = span?.headers ?? record?.trace;
  }

  get requestId(): string | undefined {
    return this.#record?.id;
  }

  /** The first text arrived. Repeated calls do nothing. */
  firstToken(): void {
    if (this.#heard) return;
    this.#heard = true;
    this.#span?.firstToken();
    if (this.#record) this.#record.firstTokenMs ??= performance.now() - this.#record.startedAt;
  }

  /** Who answers, if there are several providers. */
  answeredBy({ name }: { name: string }): void {
    this.#span?.answeredBy(name);
    if (!this.#record) return;
    this.#record.provider = name;
    this.#record.onProvider?.(name);
  }

  usage(tokens: { input?: number | undefined; output?: number | undefined }): void {
    this.#record?.countTokens(tokens);
    this.#metrics?.tokens(tokens);
    this.#span?.usage(tokens);
  }

  finished(reason: string): void {
    if (this.#record) this.#record.finishReason = reason;
  }

  /**
   * The provider sent so many pieces of an answer and did not say how many tokens they have.
   *
   * @param inputBytes what it was sent, if that is more than the client's input
   */
  uncounted(pieces: number, inputBytes?: number): void {
    this.#record?.countUncounted(pieces, inputBytes);
  }

  /**
   * The call has ended. Repeated calls do nothing.
   *
   * @param error why it failed, if it did. An answer that is abandoned has not failed
   */
  ended(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    if (error === undefined) {
      this.#span?.end();
      return;
    }
    const kind = toErrorKind(error);
    if (this.#record) this.#record.failure ??= `provider_${kind}`;
    this.#metrics?.providerError(kind);
    this.#span?.end(kind);
  }
}

const attached = Symbol("request record");
type Observed = IncomingMessage & { [attached]?: RequestRecord };

/** The record of a request, if its server is observed. */
export function getRecord(request: IncomingMessage): RequestRecord | undefined {
  return (request as Observed)[attached];
}

export function attachRecord(request: IncomingMessage, record: RequestRecord): void {
  (request as Observed)[attached] = record;
}

const current = new AsyncLocalStorage<RequestRecord>();

/** Runs work, and everything that it starts, in the context of a request. */
export function runWithin<Result>(record: RequestRecord, work: () => Result): Result {
  return current.run(record, work);
}

export function noteNamespace(namespace: string): void {
  const record = current.getStore();
  if (record) record.namespace = namespace;
}

export function currentRecord(): RequestRecord | undefined {
  return current.getStore();
}
