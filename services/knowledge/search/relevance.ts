import { analyze, detectLanguage, getContentWords } from "@agent-backends/language";
import type { Hit } from "./hybrid-search.ts";

/**
 * Minimum relevance of a chunk, and the weight of shared words relative to vector similarity. Chosen on questions about five long
 * texts, each asked of its own text and of the other four.
 */
const minRelevance = 0.24;
const wordsWeight = 0.3;
/** Share of the question's words that is sufficient alone. Vectors may miss names, numbers and other languages. */
const minSharedWords = 0.3;
/** Minimum length, in letters and as a share of the word, of a part that matches another word. */
const minPartLetters = 5;
const minPartShare = 0.6;

/**
 * The hits worth sending to a model, in their order. Returns none if neither the meaning of a hit nor the words of all hits match the
 * question. Otherwise returns every hit that has anything in common with it, because the model judges better than this function.
 */
export function findRelevantHits(question: string, hits: Hit[]): Hit[] {
  const judged = hits.map((hit) => ({ hit, ...judge(question, hit) }));
  const names = findNames(question);
  const sharesName = judged.some(({ language, asked, shared }) =>
    names.some((name) => {
      const [term] = analyze(name, language ? [language] : []);
      return term !== undefined && shared.some((at) => asked[at]?.includes(term));
    }),
  );
  const sharesWords = [...Map.groupBy(judged, ({ language }) => language).values()].some((some) => {
    const asked = some[0]?.asked.length ?? 0;
    return new Set(some.flatMap(({ shared }) => shared)).size >= Math.max(1, minSharedWords * asked);
  });
  if (!sharesName && !sharesWords && !judged.some(({ relevance }) => relevance >= minRelevance)) return [];
  return judged.flatMap(({ hit, shared, relevance }) =>
    shared.length > 0 || relevance >= minRelevance / 2 ? [hit] : [],
  );
}

/**
 * The question's words that are enough alone: identifiers with digits, and names, which have a capital letter amid a sentence. German
 * capitalises every noun.
 */
function findNames(question: string): string[] {
  const isGerman = detectLanguage(question) === "de";
  return [...question.matchAll(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu)].flatMap(({ 0: word, index }) => {
    const isIdentifier = /\p{N}/u.test(word) && /\p{L}/u.test(word);
    const isFirst = /(?:^|[.!?]\s)[^\p{L}\p{N}]*$/u.test(question.slice(0, index));
    return isIdentifier || (!isGerman && !isFirst && /^\p{Lu}/u.test(word)) ? [word] : [];
  });
}

function judge(question: string, { similarity = 0, searchText }: Hit) {
  const language = detectLanguage(searchText);
  const languages = language ? [language] : [];
  const asked = getContentWords(question, languages);
  const words = new Set(analyze(searchText, languages));
  // A compound and its parts count as one word.
  const shared = asked.flatMap((terms, at) =>
    terms.some((term) => words.has(term) || isPartOfAny(term, words)) ? [at] : [],
  );
  return { language, asked, shared, relevance: similarity + wordsWeight * (shared.length / Math.max(1, asked.length)) };
}

/**
 * Whether a word starts with the same letters or contains the term: "dirigiert" matches "Dirigentin", and "Konzert" matches
 * "Herbstkonzert".
 */
function isPartOfAny(term: string, words: ReadonlySet<string>): boolean {
  if (term.length < minPartLetters || !/^\p{L}+$/u.test(term)) return false;
  const beginning = term.slice(0, Math.max(minPartLetters, Math.ceil(term.length * minPartShare)));
  for (const word of words) if (word.startsWith(beginning) || word.includes(term)) return true;
  return false;
}
