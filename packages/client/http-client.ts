import { ConnectionError, InvalidResponseError, ProblemError, TruncatedStreamError } from "./errors.ts";
import type { Frame } from "./frames.ts";
import { readFrames } from "./frames.ts";
import type { RetryOptions } from "./retry.ts";
import { getRetryDelay, parseRetryAfter, sleep, withDefaults } from "./retry.ts";

/** Enough for every problem of the services. */
const maxErrorBodyBytes = 1024 * 1024;
const errorBodyTimeoutMs = 10_000;

export type RequestHeaders = Readonly<Record<string, string>>;

export interface ClientOptions {
  /** The address of the service, without the route: `https://agents.example/knowledge`. */
  baseUrl: string | URL;
  /**
   * Sent with every request: `{ Authorization: "Bearer …" }` or `{ "X-API-Key": "…" }`. A function is called for each attempt, for example to
   * renew a token. Its error fails the call.
   */
  headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>) | undefined;
  retry?: Partial<RetryOptions> | undefined;
  /** Maximum length of one event. A longer event fails the stream. Default: 16,000,000. */
  maxEventCharacters?: number | undefined;
  /**
   * Maximum time without a byte before a stream counts as broken. Default: 60,000, four of the services' heartbeats. 0: no limit, for a
   * service whose `STREAM_HEARTBEAT_MS` is longer.
   */
  silenceTimeoutMs?: number | undefined;
  /** Dependencies that tests replace. */
  fetch?: typeof globalThis.fetch | undefined;
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  now?: (() => number) | undefined;
  random?: (() => number) | undefined;
}

export interface RequestOptions {
  /** Aborts the request; the call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Headers for this request. They override those of the client. */
  headers?: RequestHeaders | undefined;
  /** Lets the request finish after the user leaves the page. */
  keepalive?: boolean | undefined;
  /** Maximum attempts for this request, including the first. */
  maxAttempts?: number | undefined;
  /** Called with each response, before its body is read. */
  onResponse?: ((response: Response) => void) | undefined;
}

export interface StreamOptions extends RequestOptions {
  /** Called with each frame as it arrives, heartbeats included. */
  onFrame?: ((frame: Frame) => void) | undefined;
}

export type Query = Readonly<Record<string, unknown>>;

export interface HttpRequest {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  query?: Query;
  /** JSON body. */
  body?: object;
  headers?: RequestHeaders;
  /** Sends the request instead of `fetch`, for bodies other than JSON. */
  send?: (url: string, init: RequestInit) => Promise<Response>;
  /** The request is idempotent: it may be repeated even if the service has received it. */
  isRepeatable?: boolean;
  /** Called before a request is repeated that the service may have carried out. */
  onLostAnswer?: (error: unknown) => void;
  /** Error statuses whose body is a result, unless it is a problem document. */
  accept?: readonly number[];
}

export interface StreamFormat<Event> {
  /** Data that isn't JSON and ends the stream. */
  endMark?: string;
  isLast?: (event: Event) => boolean;
  /** The error that an event reports. */
  toError?: (event: Event) => Error | undefined;
  /** Builds the request that resumes a stream after the event with this id. Undefined if the stream can't be resumed. */
  reconnect?: (lastEventId: string | undefined) => HttpRequest | undefined;
}

export const defaultMaxEventCharacters = 16_000_000;
const defaultSilenceTimeoutMs = 60_000;

/** The service refused the request before doing anything, so every request may be repeated. */
const refusals = [429, 503];
/** A proxy failed, and may have forwarded the request. */
const proxyFailures = [502, 504];

/** HTTP client for one service. */
export class HttpClient {
  readonly #baseUrl: string;
  readonly #headers: ClientOptions["headers"];
  readonly #retry: RetryOptions;
  readonly #maxEventCharacters: number;
  readonly #silenceTimeoutMs: number;
  readonly #fetch: typeof globalThis.fetch;
  readonly #sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly #now: () => number;
  readonly #random: () => number;

  /** @throws TypeError for a `baseUrl` that isn't an address */
  constructor(options: ClientOptions) {
    this.#baseUrl = parseBaseUrl(options.baseUrl);
    this.#headers = options.headers;
    this.#retry = withDefaults(options.retry);
    this.#maxEventCharacters = options.maxEventCharacters ?? defaultMaxEventCharacters;
    this.#silenceTimeoutMs = options.silenceTimeoutMs ?? defaultSilenceTimeoutMs;
    // Browsers throw if fetch is called as a method of another object.
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#sleep = options.sleep ?? sleep;
    this.#now = options.now ?? Date.now;
    this.#random = options.random ?? Math.random;
  }

  /** @returns the JSON of the response, or undefined if it has no body */
  json<Body>(request: HttpRequest, options: RequestOptions = {}): Promise<Body> {
    return this.#send(request, options, async (response) => {
      const text = await response.text();
      return (text === "" ? undefined : parseJson(text, "an answer")) as Body;
    });
  }

  /** @returns the response, whose body the caller reads */
  open(request: HttpRequest, options: RequestOptions = {}): Promise<Response> {
    return this.#send(request, options, async (response) => response);
  }

  /** @returns false if the resource didn't exist. If an answer was lost, true: an earlier attempt may have deleted it. */
  async delete(path: string, query: Query, options?: RequestOptions): Promise<boolean> {
    let lost: unknown;
    const onLostAnswer = (error: unknown) => {
      lost = error;
    };
    try {
      await this.json({ method: "DELETE", path, query, isRepeatable: true, onLostAnswer }, options);
      return true;
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === "not-found")) throw error;
      // Nobody knows whether the text is off the disk.
      if (lost && query.purge) throw lost;
      return lost !== undefined;
    }
  }

  /** Yields the events of a stream. Throws the error that an event reports after yielding it. */
  async *events<Event extends object>(
    first: HttpRequest,
    format: StreamFormat<Event>,
    options: StreamOptions = {},
  ): AsyncGenerator<Event, void, undefined> {
    let request = first;
    let lastEventId: string | undefined;
    for (let failures = 0; ; ) {
      const response = await this.open(request, options);
      // The run has ended, and the caller already has all events.
      if (response.status === 204) return;
      try {
        const bounds = { maxEventCharacters: this.#maxEventCharacters, silenceTimeoutMs: this.#silenceTimeoutMs };
        for await (const frame of readFrames(response, bounds)) {
          // Also drops frames that arrived together with earlier ones.
          options.signal?.throwIfAborted();
          options.onFrame?.(frame);
          if (frame.kind === "heartbeat") continue;
          if (frame.data === format.endMark) return;
          const event = parseJson(frame.data, "an event") as Event;
          failures = 0;
          lastEventId = frame.id ?? lastEventId;
          yield event;
          const error = format.toError?.(event);
          if (error) throw error;
          if (format.isLast?.(event)) return;
        }
        throw new TruncatedStreamError();
      } catch (error) {
        options.signal?.throwIfAborted();
        const next = error instanceof TruncatedStreamError ? format.reconnect?.(lastEventId) : undefined;
        failures++;
        if (!next || !(failures < this.#maxAttempts(options))) throw error;
        await this.#sleep(getRetryDelay(failures, undefined, this.#retry, this.#random()), options.signal);
        request = next;
      }
    }
  }

  #maxAttempts({ maxAttempts }: RequestOptions): number {
    return maxAttempts ?? this.#retry.maxAttempts;
  }

  /**
   * Sends a request, and retries it as long as that is safe.
   *
   * @param read reads the body. If the connection breaks meanwhile, the attempt has failed.
   */
  async #send<Result>(
    request: HttpRequest,
    options: RequestOptions,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#sendOnce(request, options, read);
      } catch (error) {
        options.signal?.throwIfAborted();
        const retryAfterMs =
          error instanceof ProblemError ? parseRetryAfter(error.headers.get("retry-after"), this.#now()) : undefined;
        const isTooLong = (retryAfterMs ?? 0) > this.#retry.maxRetryAfterMs;
        if (!canRetry(error, request) || isTooLong || !(attempt < this.#maxAttempts(options))) throw error;
        if (!isRefusal(error)) request.onLostAnswer?.(error);
        await this.#sleep(getRetryDelay(attempt, retryAfterMs, this.#retry, this.#random()), options.signal);
      }
    }
  }

  async #sendOnce<Result>(
    { method, path, query = {}, body, headers, send = this.#fetch, accept = [] }: HttpRequest,
    { signal, headers: ownHeaders, keepalive, onResponse }: RequestOptions,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const url = this.#baseUrl + path + toQueryString(query);
    const clientHeaders = typeof this.#headers === "function" ? await this.#headers() : this.#headers;
    const json = body && { "content-type": "application/json" };
    const init: RequestInit = {
      method,
      headers: mergeHeaders(json, clientHeaders, headers, ownHeaders),
      ...(body && { body: JSON.stringify(body) }),
      ...(keepalive && { keepalive }),
      ...(signal && { signal }),
    };
    const fail = (cause: unknown) => {
      throw new ConnectionError(url, cause);
    };
    const response = await send(url, init).catch(fail);
    onResponse?.(response);
    const isProblem = response.headers.get("content-type")?.includes("problem+json") ?? false;
    if (!response.ok && (isProblem || !accept.includes(response.status))) {
      throw new ProblemError(response, await readErrorBody(response).catch(fail), url);
    }
    return read(response).catch((error: unknown) =>
      error instanceof InvalidResponseError ? Promise.reject(error) : fail(error),
    );
  }
}

function parseBaseUrl(baseUrl: string | URL): string {
  const text = String(baseUrl).replace(/\/+$/, "");
  // Pages may give an address relative to their own.
  const base = globalThis.location?.href;
  if (URL.canParse(text, base) && /^https?:$/.test(new URL(text, base).protocol)) return text;
  throw new TypeError(`baseUrl must be an address such as http://localhost:8001, and not ${JSON.stringify(text)}`);
}

/** Later headers win over earlier ones of the same name, in whatever case it is written. */
function mergeHeaders(...all: (RequestHeaders | undefined)[]): Record<string, string> {
  const merged = new Headers();
  for (const headers of all) {
    for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && refusals.includes(error.status);
}

function canRetry(error: unknown, { isRepeatable = false }: HttpRequest): boolean {
  if (error instanceof ConnectionError) return isRepeatable;
  return isRefusal(error) || (isRepeatable && error instanceof ProblemError && proxyFailures.includes(error.status));
}

function toQueryString(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const texts = given.map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]);
  return texts.length > 0 ? `?${new URLSearchParams(texts)}` : "";
}

function parseJson(text: string, what: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // The error is thrown below.
  }
  throw new InvalidResponseError(`The service sent ${what} that is no JSON object: ${text.slice(0, 120)}`);
}

/** `crypto.randomUUID` is missing on pages without TLS. */
export function createId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Reads the body of an error response, or the beginning of one that is too long or doesn't end. */
async function readErrorBody({ body }: Response): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  // A pending read ends with `done`.
  const cancel = () => void reader.cancel().catch(() => "The connection has failed already.");
  const timer = setTimeout(cancel, errorBodyTimeoutMs);
  let text = "";
  try {
    for (let length = 0; length < maxErrorBodyBytes; ) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      text += decoder.decode(value, { stream: true });
    }
    return text + decoder.decode();
  } finally {
    clearTimeout(timer);
    cancel();
  }
}
