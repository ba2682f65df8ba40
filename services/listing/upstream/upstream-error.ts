import type { UnavailableReason } from "@agent-backends/contract";

/** An upstream gave no usable answer. The message goes to the log, so it never contains a key or the answer's body. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly reason: UnavailableReason;
  /** When the upstream may be asked again, in milliseconds since the epoch, where it said so. */
  readonly retryAt?: number;

  constructor(reason: UnavailableReason, message: string, options: { cause?: unknown; retryAt?: number } = {}) {
    super(message, options);
    this.reason = reason;
    if (options.retryAt !== undefined) this.retryAt = options.retryAt;
  }
}
