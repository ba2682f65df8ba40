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
