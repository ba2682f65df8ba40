import { knowledgeLimits } from "@agent-backends/contract";
import type { Logger, Reading } from "@agent-backends/kit";
import type { RankedDocument } from "@agent-backends/llm";
import { CircuitBreaker } from "@agent-backends/llm";
import type { Hit, Reranker } from "./hybrid-search.ts";

/** Ranks documents for a query. Returns at least the best `topN`. */
type Rank = (
  request: { query: string; documents: string[]; topN: number },
  signal: AbortSignal,
) => Promise<RankedDocument[]>;

/**
 * Reorders hits with a model. If the model fails or takes too long, the hits keep their order. A model that failed several times in a
 * row isn't called for a while.
 */
export class FailOpenReranker implements Reranker {
  readonly #rank: Rank;
  readonly #timeoutMs: number;
  readonly #log: Logger;
  readonly #breaker: CircuitBreaker;
  readonly #outcomes = { reranked: 0, failed: 0, skipped: 0 };

  constructor(options: { rank: Rank; timeoutMs: number; now: () => number; log: Logger }) {
    this.#rank = options.rank;
    this.#timeoutMs = options.timeoutMs;
    this.#log = options.log;
    this.#breaker = new CircuitBreaker(options.now);
  }

  /** @returns the best `limit` hits, with the model's scores if it reordered them */
  async choose(query: string, hits: readonly Hit[], limit: number, signal: AbortSignal): Promise<Hit[]> {
    const candidates = hits.slice(0, knowledgeLimits.rerankCandidates);
    if (candidates.length < 2) return candidates.slice(0, limit);
    if (this.#breaker.state === "open") {
      this.#outcomes.skipped += 1;
      return candidates.slice(0, limit);
    }
    this.#breaker.enter();
    try {
      const request = { query, documents: candidates.map(toDocument), topN: Math.min(limit, candidates.length) };
      const deadline = AbortSignal.timeout(this.#timeoutMs);
      const ranked = await this.#rank(request, AbortSignal.any([signal, deadline]));
      this.#breaker.succeeded();
      this.#outcomes.reranked += 1;
      return ranked.slice(0, limit).flatMap(({ index, score }) => {
        const hit = candidates[index];
        return hit ? [{ ...hit, score }] : [];
      });
    } catch (error) {
      signal.throwIfAborted();
      this.#outcomes.failed += 1;
      const isLeftAlone = this.#breaker.failed();
      this.#log.warn({ err: error, is_left_alone: isLeftAlone }, "a search keeps its order: the reranker failed");
      return candidates.slice(0, limit);
    }
  }

  readings(): Reading[] {
    const help = "Searches by what the reranker did: reranked, failed, or skipped because it failed before.";
    return [{ kind: "counter", name: "reranks_total", help, label: "outcome", read: () => ({ ...this.#outcomes }) }];
  }
}

/** A chunk with its title and heading. The chunk alone may not name its subject. */
const toDocument = ({ document, heading, text }: Hit): string =>
  [document.title, heading, text].filter(Boolean).join("\n");
