import { ProviderError } from "../errors/provider-error.ts";

/** Aborts an answer when its caller does, or when it takes too long. */
export class AnswerDeadline {
  readonly signal: AbortSignal;
  readonly #caller: AbortSignal;
  readonly #late = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(caller: AbortSignal, totalMs: number) {
    this.#caller = caller;
    this.signal = AbortSignal.any([caller, this.#late.signal]);
    this.#timer = setTimeout(() => {
      const message = `The answer took longer than ${Math.ceil(totalMs / 1_000)} s.`;
      this.#late.abort(new ProviderError("timed_out", message));
    }, totalMs);
  }

  /** Why an answer failed: whoever aborted it, else what was thrown. */
  explain(thrown: unknown): unknown {
    if (this.#caller.aborted) return this.#caller.reason;
    return this.#late.signal.aborted ? this.#late.signal.reason : thrown;
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
