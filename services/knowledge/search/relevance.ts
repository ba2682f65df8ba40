import { analyze, detectLanguage, getContentTerms } from "@agent-backends/language";
import type { Hit } from "./hybrid-search.ts";

/**
 * The minimum relevance of a chunk, and the weight of the question's words in it relative to the similarity of the vectors. Chosen
 * on questions about five long texts, each asked of its own text and of the other four.
 */
const minRelevance = 0.24;
const wordsWeight = 0.3;
/** The share of the question's words that is enough alone: vectors may miss names, numbers and other languages. */
const minSharedWords = 0.5;
/**
 * The hits that are worth asking a model about, in their order: none if neither the meaning nor the words of any hit match the
 * question, otherwise all that have anything in common with it: the judgement of the model is better than this one.
 */
export function relevantHits(question: string, hits: Hit[]): Hit[] {
  const judged = hits.map((hit) => ({ hit, ...judge(question, hit) }));
  if (!judged.some(({ isRelevant }) => isRelevant)) return [];
  return judged.flatMap(({ hit, isRelevant, isRelated }) => (isRelevant || isRelated ? [hit] : []));
}

function judge(question: string, { similarity = 0, searchText }: Hit): { isRelevant: boolean; isRelated: boolean } {
  const language = detectLanguage(searchText);
  const languages = language ? [language] : [];
  const asked = getContentTerms(question, languages);
  const words = new Set(analyze(searchText, languages));
  const shared = asked.size === 0 ? 0 : [...asked].filter((term) => words.has(term)).length / asked.size;
  return {
    isRelevant: shared >= minSharedWords || similarity + wordsWeight * shared >= minRelevance,
    isRelated: shared > 0 || similarity >= minRelevance / 2,
  };
}
