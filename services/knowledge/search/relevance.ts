import { analyze, detectLanguage, getContentTerms } from "@agent-backends/language";
import type { Hit } from "./hybrid-search.ts";

/**
 * The minimum relevance of a chunk, and the weight of the question's words in it relative to the similarity of the vectors. Chosen
 * on questions about five long texts, each asked of its own text and of the other four.
 */
const minRelevance = 0.24;
const wordsWeight = 0.3;
/** The share of the question's words that is enough alone: vectors may miss names, numbers and other languages. */
const minSharedWords = 0.3;
/** The letters and the share of a word by which another one is found. */
const minPartLetters = 5;
const minPartShare = 0.6;

/**
 * The hits that are worth asking a model about, in their order: none if neither the meaning of a hit nor the words of all hits match
 * the question, otherwise all that have anything in common with it: the judgement of the model is better than this one.
 */
export function relevantHits(question: string, hits: Hit[]): Hit[] {
  const judged = hits.map((hit) => ({ hit, ...judge(question, hit) }));
  const sharesWords = [...Map.groupBy(judged, ({ language }) => language).values()].some((some) => {
    const asked = some[0]?.asked.size ?? 0;
    return new Set(some.flatMap(({ shared }) => shared)).size >= Math.max(1, minSharedWords * asked);
  });
  if (!sharesWords && !judged.some(({ relevance }) => relevance >= minRelevance)) return [];
  return judged.flatMap(({ hit, shared, relevance }) =>
    shared.length > 0 || relevance >= minRelevance / 2 ? [hit] : [],
  );
}

function judge(question: string, { similarity = 0, searchText }: Hit) {
  const language = detectLanguage(searchText);
  const languages = language ? [language] : [];
  const asked = getContentTerms(question, languages);
  const words = new Set(analyze(searchText, languages));
  const shared = [...asked].filter((term) => words.has(term) || isPartOfAny(term, words));
  return { language, asked, shared, relevance: similarity + wordsWeight * (shared.length / Math.max(1, asked.size)) };
}

/** Whether words have a long one with the same beginning, or with this one inside: "dirigiert" and "Dirigentin", "Herbstkonzert". */
function isPartOfAny(term: string, words: ReadonlySet<string>): boolean {
  if (term.length < minPartLetters || !/^\p{L}+$/u.test(term)) return false;
  const beginning = term.slice(0, Math.max(minPartLetters, Math.ceil(term.length * minPartShare)));
  for (const word of words) if (word.startsWith(beginning) || word.includes(term)) return true;
  return false;
}
