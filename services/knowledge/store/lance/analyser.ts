import { tokenize } from "@lancedb/lancedb";

/** Lucene's English stop words but for `no` and `not`, which turn a sentence's meaning around. */
const customStopWords =
  "a an and are as at be but by for if in into is it of on or such that the their then there these they this to was will with".split(
    " ",
  );

/** Words are cut as Unicode says (Chinese and Japanese by dictionary), folded and stemmed: `Policies` finds `policy`. */
export const analyser = {
  baseTokenizer: "icu",
  language: "English",
  lowercase: true,
  asciiFolding: true,
  stem: true,
  removeStopWords: true,
  customStopWords,
} as const;

/** A question is searched by its first words alone beyond this: each costs a list of chunks. */
const queryWordsAtMost = 128;

/** The words by which a text is indexed. */
export async function termsOf(text: string): Promise<Set<string>> {
  return new Set((await tokenize(text, analyser)).map((token) => token.text));
}

/** What questions are made of, whatever they are about. They are indexed, since in a title or a name they may matter. */
const functionWords = `about all also am any anything been being can could did do does doing every from get give had has have having he
  her here him his how i just know let like many may me mean might much must my need of our please say shall she should
  show so some something tell than them these us very want we were what when where whether which while who whom whose why
  would you your yours`;
let functionTerms: Promise<Set<string>> | undefined;

/** The terms of a text that say what it is about. */
export async function contentTermsOf(text: string): Promise<Set<string>> {
  functionTerms ??= termsOf(functionWords);
  const [terms, withoutMeaning] = await Promise.all([termsOf(text), functionTerms]);
  return new Set([...terms].filter((term) => !withoutMeaning.has(term)));
}

/**
 * A question with each of its words once. BM25's textbook form counts a word of the question once however often it
 * stands there; the engine counts it each time.
 */
export async function withoutRepetition(query: string): Promise<string> {
  const words = query.split(/\s+/).filter(Boolean).slice(0, queryWordsAtMost);
  const beginnings = words.map(beginningOf);
  // Cutting takes a third of a millisecond a word, and words that begin otherwise are others.
  const isAlone = (beginning: string) => beginnings.indexOf(beginning) === beginnings.lastIndexOf(beginning);
  const meant = await Promise.all(
    words.map(async (word) => (isAlone(beginningOf(word)) ? word : [...(await termsOf(word))].join(" "))),
  );
  return words.filter((_, position) => meant.indexOf(meant[position] ?? "") === position).join(" ");
}

/** What forms of one word have in common. */
function beginningOf(word: string): string {
  const [beginning = ""] =
    word
      .normalize("NFKD")
      .toLowerCase()
      .match(/[\p{L}\p{N}]{1,2}/u) ?? [];
  return beginning;
}
