/**
 * Why a provider's answer is missing. `refused`: it did not accept the credentials. `unreachable`: no connection.
 * `timed_out`: it stayed silent too long. `http_status`: another error status. `cut`: the answer broke off.
 * `invalid`: what came is not an answer, or is an error in the place of one.
 */
export type ProviderErrorKind = "refused" | "unreachable" | "timed_out" | "http_status" | "cut" | "invalid";

export interface ProviderErrorDetails {
  /** The HTTP status, where there was an answer. */
  status?: number;
  /** How long the provider asks to wait before the next try. */
  retryAfterMs?: number;
  /** Whether the message is the provider's own. */
  isQuoted?: boolean;
  cause?: unknown;
}

/** The provider failed. `message` may be shown to a client: it holds no key, no address and no stack. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: ProviderErrorKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly isQuoted: boolean;

  constructor(kind: ProviderErrorKind, message: string, details: ProviderErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.isQuoted = details.isQuoted ?? false;
  }
}
