import { z } from "zod";
import { ProviderError } from "../errors/provider-error.ts";
import type { Provider } from "../provider.ts";
import { postJson } from "./post-json.ts";

/** Some servers return the documents even if they aren't asked to. */
const maxResponseBytes = 4 * 1024 * 1024;

/** Position of a document in the request. */
export interface RankedDocument {
  index: number;
  score: number;
}

const responseSchema = z.object({
  results: z.array(z.object({ index: z.int().nonnegative(), relevance_score: z.number() })),
});

/**
 * Requests the documents that fit a query best from a reranker with Cohere's or Jina's API.
 *
 * @returns at least `topN` documents, best first, with scores from 0 to 1
 * @throws ProviderError, also for a response that isn't a ranking; the signal's reason once it is aborted
 */
export async function rerankDocuments(
  provider: Provider,
  { model, query, documents, topN }: { model: string | undefined; query: string; documents: string[]; topN: number },
  signal: AbortSignal,
): Promise<RankedDocument[]> {
  const body = JSON.stringify({ model, query, documents, top_n: topN });
  const answer = await postJson(provider, body, { signal, maxBytes: maxResponseBytes });
  const { success, data } = responseSchema.safeParse(answer);
  const indices = new Set(data?.results.map(({ index }) => index));
  const isRanking =
    success &&
    indices.size === data.results.length &&
    indices.size >= Math.min(topN, documents.length) &&
    data.results.every(({ index }) => index < documents.length);
  if (!isRanking) throw new ProviderError("invalid", "The answer is not a ranking of the documents.");
  const ranked = data.results.map(({ index, relevance_score }) => ({ index, score: relevance_score }));
  // Some models return logits, which the logistic function maps to 0…1.
  const areLogits = ranked.some(({ score }) => score < 0 || score > 1);
  return ranked
    .map(({ index, score }) => ({ index, score: areLogits ? 1 / (1 + Math.exp(-score)) : score }))
    .sort((one, other) => other.score - one.score);
}
