import { analyze, detectLanguage, getContentTerms } from "@agent-backends/language";
import type { Hit } from "./hybrid-search.ts";

/**
 * The minimum relevance of a chunk, and the weight of the question's words in it relative to the similarity of the vectors. Chosen
 * on questions about five long texts, each asked of its own text and of the other four: of the first 5 % are lost, of the others
 * 4 % pass. Vectors alone are worse (6 and 11 %), and models differ in how similar unrelated texts are; words alone miss what is
 * said in other words.
 */
const relevanceFloor = 0.24;
const wordsWeight = 0.3;

/** The hits that are relevant to the question, in their order. A ranking always has a first hit; this may return none. */
export function relevantHits(question: string, hits: Hit[]): Hit[] {
  return hits.filter((hit) => {
    const { similarity = 0 } = hit;
    if (similarity >= relevanceFloor || similarity + wordsWeight < relevanceFloor) return similarity >= relevanceFloor;
    const language = detectLanguage(hit.searchText) ?? "en";
    const asked = getContentTerms(question, [language]);
    if (asked.size === 0) return false;
    const words = new Set(analyze(hit.searchText, [language]));
    const shared = [...asked].filter((term) => words.has(term));
    return similarity + (wordsWeight * shared.length) / asked.size >= relevanceFloor;
  });
}
