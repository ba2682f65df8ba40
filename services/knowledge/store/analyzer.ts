import { tokenize } from "@lancedb/lancedb";

/** Lucene's English stop words but for `no` and `not`, which turn a sentence's meaning around. */
const customStopWords =
  "a an and are as at be but by for if in into is it of on or such that the their then there these they this to was will with".split(
    " ",
  );

/** Splits words as Unicode says (Chinese and Japanese by dictionary), folds and stems them: `Policies` finds `policy`. */
export const analyzer = {
  baseTokenizer: "icu",
  language: "English",
  lowercase: true,
  asciiFolding: true,
  stem: true,
  removeStopWords: true,
  customStopWords,
} as const;

/** The terms by which a text is indexed. */
export async function getTerms(text: string): Promise<Set<string>> {
  return new Set((await tokenize(text, analyzer)).map((token) => token.text));
}

/** Words that questions are made of, whatever they are about. They are indexed all the same: a title or a name may consist of them. */
const functionWords = `about all also am any anything been being can could did do does doing every from get give had has have having he
  her here him his how i just know let like many may me mean might much must my need of our please say shall she should
  show so some something tell than them these us very want we were what when where whether which while who whom whose why
  would you your yours`;
let functionTerms: Promise<Set<string>> | undefined;

/** The terms of a text that say what it is about. */
export async function getContentTerms(text: string): Promise<ReadonlySet<string>> {
  functionTerms ??= getTerms(functionWords);
  const [terms, excluded] = await Promise.all([getTerms(text), functionTerms]);
  return new Set([...terms].filter((term) => !excluded.has(term)));
}
