import { answerError, silenceError, transportError } from "../errors/failures.ts";
import { readBounded } from "./read-bounded.ts";
import { readRetryAfterMs, withRetries } from "./retry.ts";

/** Of an error's body this much is read: enough for a message. */
const MAX_ERROR_BYTES = 64 * 1024;

export interface PostOptions {
  url: string;
  headers: RequestInit["headers"];
  body: string;
  signal: AbortSignal;
  /** How long the provider may take until its answer starts, for each attempt. */
  timeoutMs: number;
  /** Whether an answer with status 200 and this media type is what was asked for. */
  accepts(mediaType: string): boolean;
  /** What no message may hold. */
  secrets: readonly string[];
}

/**
 * Posts to the provider and gives its answer as soon as that starts. Passing failures (429, 5xx, a connection
 * closed under the request) are tried again a few times, after the wait that the provider asks for. Throws a ProviderError, or the
 * signal's reason.
 */
export function postToProvider(options: PostOptions): Promise<Response> {
  return withRetries(options.signal, () => attemptPost(options));
}

async function attemptPost(options: PostOptions): Promise<Response> {
  const { url, headers, body, signal, timeoutMs, accepts, secrets } = options;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), timeoutMs);
  try {
    // A redirect would carry the prompt to an address that nobody configured.
    const init: RequestInit = { method: "POST", headers, body, redirect: "manual" };
    const response = await fetch(url, { ...init, signal: AbortSignal.any([signal, silence.signal]) });
    const mediaType = response.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    if (response.status === 200 && accepts(mediaType)) return response;
    const text = await readBounded(response, MAX_ERROR_BYTES);
    const retryAfterMs = readRetryAfterMs(response.headers, Date.now());
    const wait = retryAfterMs === undefined ? {} : { "retry-after": String(retryAfterMs / 1000) };
    throw answerError({ status: response.status, headers: wait, body: text }, secrets);
  } catch (error) {
    signal.throwIfAborted();
    if (silence.signal.aborted) throw silenceError(false);
    throw error instanceof TypeError ? transportError(error, false) : error;
  } finally {
    clearTimeout(timer);
  }
}
