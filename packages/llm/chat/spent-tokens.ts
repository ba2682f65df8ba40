import type { TokenUsage } from "@agent-backends/contract";
import { ProviderError } from "../errors/provider-error.ts";
import type { CompletionChunk } from "./completion-chunk.ts";

/** Counts the output tokens of all rounds of an answer: the provider's count, or at least one per delta. */
export class SpentTokens {
  readonly #maxTokens: number;
  #earlierRoundTokens = 0;
  #deltas = 0;
  /** The provider's latest count. Some providers send a running total with every chunk. */
  #usage: TokenUsage | undefined;

  constructor(maxTokens: number) {
    this.#maxTokens = maxTokens;
  }

  /** @throws ProviderError when the limit is exceeded */
  count({ text, reasoning, refusal, toolCalls, usage }: CompletionChunk): void {
    if (text || reasoning || refusal || toolCalls.some((call) => call.arguments)) this.#deltas += 1;
    this.#usage = usage ?? this.#usage;
    this.requireRoom();
  }

  /** Returns the provider's count for this round, if any, and the number of deltas. */
  endRound(): { usage: TokenUsage | undefined; deltas: number } {
    const round = { usage: this.#usage, deltas: this.#deltas };
    this.#earlierRoundTokens += Math.max(round.deltas, round.usage?.outputTokens ?? 0);
    this.#deltas = 0;
    this.#usage = undefined;
    return round;
  }

  /** @throws ProviderError when the limit is exceeded */
  requireRoom(): void {
    if (this.#earlierRoundTokens + this.#deltas <= this.#maxTokens) return;
    throw new ProviderError("invalid", `The model's answer is over the limit of ${this.#maxTokens} tokens.`);
  }
}
