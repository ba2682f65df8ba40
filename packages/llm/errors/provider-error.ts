/**
 * Why there is no answer. `refused`: the provider rejects the credentials. `unreachable`: no connection. `timed_out`: the provider sent
 * nothing for too long. `http_status`: another error status. `cut`: the answer broke off. `invalid`: the response isn't an answer, or is an
 * error in place of one.
 */
export type ProviderErrorKind = "refused" | "unreachable" | "timed_out" | "http_status" | "cut" | "invalid";

export interface ProviderErrorDetails {
  /** The HTTP status, if there was a response. */
  status?: number;
  /** The delay that the provider asks for before another attempt. */
  retryAfterMs?: number | undefined;
  /** Whether the message quotes the provider. */
  isQuoted?: boolean;
  /** Whether the request doesn't fit the model, so that another model may answer it. */
  isRequestTooLarge?: boolean;
  cause?: unknown;
}

/** The provider failed. `message` is safe to show to a client: it contains no key, no address and no stack. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: ProviderErrorKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly isQuoted: boolean;
  readonly isRequestTooLarge: boolean;

  constructor(kind: ProviderErrorKind, message: string, details: ProviderErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.isQuoted = details.isQuoted ?? false;
    this.isRequestTooLarge = details.isRequestTooLarge ?? false;
  }
}

/**
 * The error message for an agent's client: who failed, and what helps. It never quotes the provider, whose message may be about the
 * operator's account or other requests of the operator. The service's log has that message.
 */
export function explainProviderError({
  status,
  retryAfterMs,
  isQuoted,
  isRequestTooLarge,
  message,
}: ProviderError): string {
  const when = retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1_000)} s`;
  if (status === 401) return "The model provider rejected the API key.";
  if (status === 403) return "The model provider doesn't allow this request; its reason is in the service's log.";
  if (status === 402 || status === 429) {
    return `The model provider's rate limit or credit is used up; try again ${when}.`;
  }
  if (status === 503 || status === 529) return `The model provider is overloaded; try again ${when}.`;
  if (status !== undefined && status >= 500) {
    return `The model provider failed (status ${status}); try again ${when}.`;
  }
  if (isRequestTooLarge) {
    return "The model provider rejected the request: the model is unknown, or the request too long for it. Shorten the conversation; the reason is in the service's log.";
  }
  if (!isQuoted) return message;
  const how = status !== undefined && status >= 400 ? `rejected the request (status ${status})` : "failed";
  return `The model provider ${how}; its reason is in the service's log.`;
}
