import type { SearchFilter } from "@agent-backends/contract";
import { knowledgeLimits } from "@agent-backends/contract";
import type { Caller } from "@agent-backends/kit";
import { splitWords } from "@agent-backends/language";
import type { Texts, VectorMemory } from "@agent-backends/llm";
import { ProviderError } from "@agent-backends/llm";
import type { Embedding, FoundChunk } from "../store/document.ts";
import type { ChunkSearch, RankedChunk, Rankings } from "../store/knowledge-store.ts";

/** Computes the vectors of texts, in the order of the texts. */
export interface Embedder {
  /** The model of new namespaces. A namespace keeps its model until it is reindexed. */
  model: string;
  /** @param memory stores the vectors contiguously, if given */
  embed(texts: Texts, signal: AbortSignal, model: string, memory?: VectorMemory): Promise<Float32Array[]>;
  /** Weight of a ranking by the model's vectors relative to one by words: 1 unless it is known to be worse. */
  getWeight?(model: string): number;
}

export interface Hit extends FoundChunk {
  /** Between 0 and 1. A chunk that is first in both rankings has 1. */
  score: number;
  /**
   * How much more similar the chunk is to the question than an ordinary chunk of its namespace, between 0 and 1: the cosine similarity,
   * rescaled so that an ordinary chunk has 0. This makes models comparable. Absent if only words matched the chunk.
   */
  similarity?: number;
  /** Chunks with the same words, which are not listed as hits of their own. */
  alsoIn?: FoundChunk[];
  /** Set in a search over several namespaces. */
  namespace?: string;
}

/** Reorders the hits of a search with another model. */
export interface Reranker {
  /** @returns the best `limit` hits @throws the signal's reason once it is aborted */
  choose(query: string, hits: readonly Hit[], limit: number, signal: AbortSignal): Promise<Hit[]>;
}

/**
 * Minimum number of chunks to fuse from each ranking. It exceeds the limit because the best chunk overall may be far down in one
 * ranking.
 */
const minCandidates = 25;

/** How many times as many chunks to look at if most of them are copies, and their maximum number. */
const moreCandidates = 4;
const maxCandidates = 500;

/** Number of words that distinguish most chunks, and the number of characters to look for them in first. */
const openingWords = 8;
const openingCharacters = 160;

/**
 * The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). They fuse many rankings with 60. With few
 * rankings, a smaller constant is better: a first place in one says more than a low place in all.
 */
const rankConstant = 1;

/**
 * Searches by meaning (vectors) and by words (BM25), and fuses the two rankings by reciprocal rank. Hits of several namespaces are
 * merged by score. These scores are comparable across models because they come from ranks alone.
 *
 * @returns at most `limit` hits, best first; none for an unknown namespace
 * @throws EmbeddingMismatchError, and what the embedder throws
 */
export async function searchNamespace(
  dependencies: SearchDependencies,
  { query, ...search }: NamespaceSearch & { query: string },
): Promise<Hit[]> {
  const { reranker } = dependencies;
  const { limit, caller } = search;
  const candidates = reranker ? knowledgeLimits.rerankCandidates : limit;
  const [hits = []] = await searchForEach(dependencies, { ...search, limit: candidates, queries: [query] });
  return reranker ? reranker.choose(query, hits, limit, caller.signal) : hits.slice(0, limit);
}

/** Searches for several queries, whose vectors are computed in one call. @returns for each query, up to `limit` hits of each namespace */
export async function searchForEach(
  { store, embedder }: SearchDependencies,
  { namespace, queries, limit, filter, minScore = 0, caller, onNoVectors }: QueriesSearch,
): Promise<Hit[][]> {
  const vectors = new Map<string, Promise<Float32Array[] | undefined>>();
  const embedAll = (model: string): Promise<Float32Array[] | undefined> => {
    const made = embedder.embed([...queries], caller.signal, model);
    if (onNoVectors === undefined) return made;
    return made.catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
      onNoVectors(error);
      return undefined;
    });
  };
  const makeVectors = (model: string) => {
    const made = vectors.get(model) ?? embedAll(model);
    vectors.set(model, made);
    return made;
  };
  const searchOne = async (name: string, words: string, position: number): Promise<Hit[]> => {
    const getVector = async ({ model }: Embedding) => {
      const made = await makeVectors(model);
      return made && (made[position] ?? new Float32Array());
    };
    const label = typeof namespace === "string" ? undefined : { namespace: name };
    const findHits = async (candidates: number): Promise<Hit[]> => {
      const scope = { limit: Math.max(minCandidates, candidates), filter, caller };
      const choose = (rankings: Rankings) =>
        fuse(rankings, embedder.getWeight?.(rankings.embedding.model) ?? 1)
          .filter(({ similarity = 0 }) => similarity >= minScore)
          .slice(0, candidates);
      const found = await store.search(name, { words, getVector }, scope, choose);
      return found.map(({ chunk, chosen: { score, similarity } }) => {
        return { ...chunk, score, ...(similarity !== undefined && { similarity }), ...label };
      });
    };
    // Copies are folded into other hits, so more candidates than hits are needed.
    for (let candidates = 2 * limit; ; candidates *= moreCandidates) {
      const hits = await findHits(candidates);
      const folded = foldCopies(hits);
      const isAll = hits.length < candidates || candidates * moreCandidates > maxCandidates;
      if (folded.length >= limit || isAll) return folded.slice(0, limit);
    }
  };
  return Promise.all(
    queries.map(async (words, position) => {
      const hits = await Promise.all([namespace].flat().map((name) => searchOne(name, words, position)));
      return hits.flat().sort((one, other) => other.score - one.score);
    }),
  );
}

/** The client of a search. The signal aborts the search. */
export type SearchCaller = Caller & { signal: AbortSignal };

interface SearchDependencies {
  store: ChunkSearch;
  embedder: Embedder;
  reranker?: Reranker | undefined;
}

export type SearchedNamespaces = string | string[];

interface NamespaceSearch {
  namespace: SearchedNamespaces;
  limit: number;
  filter?: SearchFilter | undefined;
  /** Minimum similarity of a hit. Above 0, hits found by their words alone are left out. */
  minScore?: number | undefined;
  caller: SearchCaller;
}

interface QueriesSearch extends NamespaceSearch {
  queries: readonly string[];
  /** Called when the provider can't embed the queries, which are then searched by their words alone. Without it, the search fails. */
  onNoVectors?: ((error: ProviderError) => void) | undefined;
}

interface Scored extends RankedChunk {
  score: number;
}

/** Folds each hit into a better one with the same words, ignoring case, white space and punctuation. */
function foldCopies(hits: Hit[]): Hit[] {
  const openings = hits.map(({ text }) => readOpening(text));
  const first = new Map<string, Hit>();
  for (const [position, hit] of hits.entries()) {
    const opening = openings[position] as string;
    // Splitting a whole chunk into words takes 0.03 ms, so only split chunks that begin alike.
    const isAlone = openings.indexOf(opening) === openings.lastIndexOf(opening);
    const words = isAlone ? opening : splitWords(hit.text).join(" ");
    const copied = words === "" ? undefined : first.get(words);
    if (!copied) first.set(words === "" ? `${hit.document.id} ${hit.index}` : words, hit);
    else copied.alsoIn = [...(copied.alsoIn ?? []), hit];
  }
  return [...first.values()];
}

/** The first words of a text. Texts with the same words have the same opening. */
function readOpening(text: string): string {
  const isLong = text.length > openingCharacters;
  const words = splitWords(isLong ? text.slice(0, Math.max(0, text.lastIndexOf(" ", openingCharacters))) : text);
  return (words.length < openingWords ? splitWords(text) : words).slice(0, openingWords).join(" ");
}

const roundScore = (score: number): number => Math.round(score * 1e12) / 1e12;

function fuse({ byMeaning, byWords, ordinarySimilarity }: Rankings, meaningWeight: number): Scored[] {
  const fused = new Map<RankedChunk["key"], Scored>();
  const bestScore = (1 + meaningWeight) / (rankConstant + 1);
  const calibrate = ({ similarity }: RankedChunk) =>
    similarity === undefined
      ? {}
      : { similarity: Math.min(1, Math.max(0, (similarity - ordinarySimilarity) / (1 - ordinarySimilarity))) };
  const add = (position: number, weight: number, ranked: RankedChunk) => {
    const before = fused.get(ranked.key);
    // Round: sums of fractions may slightly miss 1.
    const score = roundScore((before?.score ?? 0) + weight / (rankConstant + position + 1) / bestScore);
    fused.set(ranked.key, { ...before, ...ranked, ...calibrate(ranked), score });
  };
  // A tie goes to the chunk added first. Words come first, because BM25 ranks the chunk with the rarest of the question's words
  // highest.
  for (const [position, ranked] of byWords.entries()) add(position, 1, ranked);
  for (const [position, ranked] of byMeaning.entries()) add(position, meaningWeight, ranked);
  return [...fused.values()].sort((one, other) => other.score - one.score);
}

/** Fuses the hits of several searches for the same thing by reciprocal rank. A tie goes to the earlier search. */
export function fuseRankings(rankings: readonly Hit[][]): Hit[] {
  const [first = [], ...others] = rankings;
  if (others.length === 0) return first;
  const fused = new Map<string, { hit: Hit; weight: number }>();
  for (const ranking of rankings) {
    for (const [position, hit] of ranking.entries()) {
      const key = JSON.stringify([hit.namespace, hit.document.id, hit.index]);
      const weight = (fused.get(key)?.weight ?? 0) + 1 / (rankConstant + position + 1);
      fused.set(key, { hit, weight });
    }
  }
  return [...fused.values()].sort((one, other) => other.weight - one.weight).map(({ hit }) => hit);
}
