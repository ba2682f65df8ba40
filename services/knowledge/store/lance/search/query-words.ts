import { getTerms } from "../../analyzer.ts";

/** Only the first words of a question are searched for: each costs reading a list of chunks. */
const maxQueryWords = 128;

/**
 * A question with each of its words once. BM25's textbook form counts a word of the question once however often it
 * stands there; the engine counts it each time.
 */
export async function withoutRepetition(query: string): Promise<string> {
  const words = query.split(/\s+/).filter(Boolean).slice(0, maxQueryWords);
  const prefixes = words.map(getPrefix);
  // Analyzing takes a third of a millisecond a word, and words with different prefixes have different terms.
  const isAlone = (prefix: string) => prefixes.indexOf(prefix) === prefixes.lastIndexOf(prefix);
  const terms = await Promise.all(
    words.map(async (word) => (isAlone(getPrefix(word)) ? word : [...(await getTerms(word))].join(" "))),
  );
  return words.filter((_, position) => terms.indexOf(terms[position] ?? "") === position).join(" ");
}

/** What all forms of a word have in common: its first two letters, folded. */
function getPrefix(word: string): string {
  const [prefix = ""] =
    word
      .normalize("NFKD")
      .toLowerCase()
      .match(/[\p{L}\p{N}]{1,2}/u) ?? [];
  return prefix;
}
