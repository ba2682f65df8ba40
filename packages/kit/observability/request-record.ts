import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Meters } from "./meters.ts";
import { ProviderCall } from "./provider-call.ts";
import type { RequestSpan } from "./spans.ts";
import type { TraceHeaders } from "./trace-context.ts";

/** What records of one server share. */
export interface RecordContext {
  /** How many requests and streams are being answered now. */
  readonly open: { requests: number; streams: number };
  readonly meters: Meters | undefined;
}

/**
 * What is known of one request while it is answered, for its log line, the metrics and its trace: never content, keys or
 * addresses. Whoever learns something writes it here.
 */
export class RequestRecord {
  readonly id: string;
  readonly method: string;
  /** `performance.now()` at its arrival. */
  readonly startedAt: number;
  /** The route's template, such as `/api/jobs/:id`; `other` when there is none. */
  route: string;
  /** The name of the key that the client came with. */
  keyName: string | undefined;
  namespace: string | undefined;
  /** From the request's arrival until the model was asked for the answer: reading, waiting and searching. */
  queueMs: number | undefined;
  /** From the request's arrival to the first text of the model. */
  firstTokenMs: number | undefined;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  /** Short name of what went wrong, such as `provider_cut`. */
  failure: string | undefined;
  /** The trace that the client's request belongs to. */
  readonly trace: TraceHeaders | undefined;
  span: RequestSpan | undefined;
  readonly #context: RecordContext;
  #isStream = false;

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

  get isStream(): boolean {
    return this.#isStream;
  }

  /** The first 16 hexadecimal digits of the SHA-256 of the namespace: the same for the same name, and not the name. */
  get namespaceHash(): string | undefined {
    if (this.namespace === undefined) return undefined;
    return createHash("sha256").update(this.namespace).digest("hex").slice(0, 16);
  }

  /** The answer is a stream, from now until its end. */
  streams(): void {
    if (this.#isStream) return;
    this.#isStream = true;
    this.#context.open.streams += 1;
  }

  /** Adds up: an answer may take several calls of the provider. */
  countTokens({ input = 0, output = 0 }: { input?: number | undefined; output?: number | undefined }): void {
    this.inputTokens = (this.inputTokens ?? 0) + input;
    this.outputTokens = (this.outputTokens ?? 0) + output;
  }

  /** A call of the model provider for this request begins. */
  callProvider(operation: "chat" | "embeddings", model: string): ProviderCall {
    if (operation === "chat") this.queueMs ??= performance.now() - this.startedAt;
    return new ProviderCall(this, this.span?.startCall(operation, model), this.#context.meters);
  }
}

const attached = Symbol("request record");
type Observed = IncomingMessage & { [attached]?: RequestRecord };

/** The record of a request to a server that is observed. */
export function recordOf(request: IncomingMessage): RequestRecord | undefined {
  return (request as Observed)[attached];
}

export function attachRecord(request: IncomingMessage, record: RequestRecord): void {
  (request as Observed)[attached] = record;
}

const current = new AsyncLocalStorage<RequestRecord>();

/** Runs work, and all that it starts, as part of a request. */
export function runWithin<Result>(record: RequestRecord, work: () => Result): Result {
  return current.run(record, work);
}

/** Says whose data the request that is being answered is about. */
export function noteNamespace(namespace: string): void {
  const record = current.getStore();
  if (record) record.namespace = namespace;
}

/** The record of the request that this work is part of, where it is part of one. */
export function currentRecord(): RequestRecord | undefined {
  return current.getStore();
}
