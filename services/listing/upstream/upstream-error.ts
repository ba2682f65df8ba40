import type { UnavailableReason } from "@agent-backends/contract";

/** An upstream that gave no usable answer. The message is for the log: it holds no key and nothing of the answer's body. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}
