import type { TokenUsage } from "@agent-backends/contract";
import { ProviderError } from "../errors/provider-error.ts";
import type { CompletionChunk } from "./completion-chunk.ts";

/** Counts what an answer takes, in all its rounds: as the provider counts its tokens, or at least one for each piece. */
export class SpentTokens {
  readonly #most: number;
  #before = 0;
  #pieces = 0;
  /** The provider's own count; some give one that grows with every chunk. */
  #usage: TokenUsage | undefined;

  /** @param most more are a ProviderError */
  constructor(most: number) {
    this.#most = most;
  }

  /** @throws ProviderError */
  count({ text, reasoning, refusal, toolCalls, usage }: CompletionChunk): void {
    if (text || reasoning || refusal || toolCalls.some((call) => call.arguments)) this.#pieces += 1;
    this.#usage = usage ?? this.#usage;
    this.requireRoom();
  }

  /** Gives what the provider counted in this round, if it did. */
  endRound(): TokenUsage | undefined {
    const usage = this.#usage;
    this.#before += Math.max(this.#pieces, usage?.outputTokens ?? 0);
    this.#pieces = 0;
    this.#usage = undefined;
    return usage;
  }

  /** @throws ProviderError */
  requireRoom(): void {
    if (this.#before + this.#pieces <= this.#most) return;
    throw new ProviderError("invalid", `The model's answer is over the limit of ${this.#most} tokens.`);
  }
}
