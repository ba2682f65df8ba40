import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Metrics } from "./metrics.ts";
import type { TraceHeaders } from "./request-headers.ts";

/** Estimate for unknown texts. English has about four bytes per token, code and other languages fewer. */
export const bytesPerToken = 3;

/** The trace span of a request. */
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

/** State shared by the records of one server. */
export interface RecordContext {
  /** Number of running requests and streams. */
  readonly open: { requests: number; streams: number };
  readonly metrics: Metrics | undefined;
}

/**
 * Facts about a request for its log line, metrics and trace. It never holds content, keys or addresses. Each part of the service adds its
 * own facts.
 */
export class RequestRecord {
  readonly id: string;
  readonly method: string;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  /** The route's template, such as `/api/jobs/:id`, or `other`. */
  route: string;
  /** Name of the client's key. */
  keyName: string | undefined;
  namespace: string | undefined;
  /** Host and model of the provider that answered, if there are several. */
  provider: string | undefined;
  /** Called with the provider, before the answer's first text. */
  onProvider: ((name: string) => void) | undefined;
  /** Time from the request's arrival to the call of the model: reading, waiting and searching. */
  queueMs: number | undefined;
  /** Time from the request's arrival to the model's first text. */
  firstTokenMs: number | undefined;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  /** Tokens of answers that ended before the provider counted them: at least one per piece. */
  uncountedTokens: number | undefined;
  /** Estimated input tokens of providers that don't count. */
  uncountedInputTokens: number | undefined;
  /** Why the model ended its answer, if reported: `stop`, `length`. */
  finishReason: string | undefined;
  /** Code of the failure, such as `provider_cut`. */
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

  /** The first 16 hexadecimal digits of the namespace's SHA-256: identifies the namespace without revealing its name. */
  get namespaceHash(): string | undefined {
    if (this.namespace === undefined) return undefined;
    return createHash("sha256").update(this.namespace).digest("hex").slice(0, 16);
  }

  /** Marks the response as a stream, unless the client left before it began. */
  streams(): void {
    if (this.#isStream || this.#isAnswered) return;
    this.#isStream = true;
    this.#context.open.streams += 1;
  }

  /** Called when the response is closed. */
  answered(): void {
    this.#isAnswered = true;
    if (this.#isStream) this.#context.open.streams -= 1;
  }

  /** Adds to the token counts, because an answer may take several calls of the provider. */
  countTokens({ input = 0, output = 0 }: { input?: number | undefined; output?: number | undefined }): void {
    this.inputTokens = (this.inputTokens ?? 0) + input;
    this.outputTokens = (this.outputTokens ?? 0) + output;
  }

  /** Adds to the counts of uncounted tokens. */
  countUncounted(pieces: number, inputBytes?: number): void {
    this.uncountedTokens = (this.uncountedTokens ?? 0) + pieces;
    if (inputBytes === undefined) return;
    this.uncountedInputTokens = (this.uncountedInputTokens ?? 0) + Math.ceil(inputBytes / bytesPerToken);
  }

  /** Input tokens that the provider read, as counted or estimated. Undefined: only the client's input is known. */
  get readTokens(): number | undefined {
    if (this.inputTokens === undefined) return this.uncountedInputTokens;
    return this.inputTokens + (this.uncountedInputTokens ?? 0);
  }

  callProvider(operation: "chat" | "embeddings", model: string): ProviderCall {
    if (operation === "chat") this.queueMs ??= performance.now() - this.startedAt;
    return new ProviderCall(this, this.span?.startCall(operation, model), this.#context.metrics);
  }
}

// The error kinds of packages/llm, plus one for an error inside a provider's stream.
const knownKinds = ["refused", "unreachable", "timed_out", "http_status", "cut", "invalid", "stream_error"];

/** Maps an error to one of a few kinds, which keeps the number of metric series low. */
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
  #hasFirstText = false;
  #hasEnded = false;

  constructor(record: RequestRecord | undefined, span: CallSpan | undefined, metrics: Metrics | undefined) {
    this.#record = record;
    this.#span = span;
    this.#metrics = metrics;
    this.headers = span?.headers ?? record?.trace;
  }

  get requestId(): string | undefined {
    return this.#record?.id;
  }

  /** Records the first text. Repeated calls do nothing. */
  firstToken(): void {
    if (this.#hasFirstText) return;
    this.#hasFirstText = true;
    this.#span?.firstToken();
    if (this.#record) this.#record.firstTokenMs ??= performance.now() - this.#record.startedAt;
  }

  /** Records which provider answers, if there are several. */
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
   * Records that the provider sent this many pieces of an answer without a token count.
   *
   * @param inputBytes size of the provider's input, if it is more than the client's input
   */
  uncounted(pieces: number, inputBytes?: number): void {
    this.#record?.countUncounted(pieces, inputBytes);
  }

  /**
   * Records the end of the call. Repeated calls do nothing.
   *
   * @param error why the call failed, if it did. An abandoned answer isn't a failure
   */
  ended(error?: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
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

/** Runs work, and everything it starts, in the async context of a request. */
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
