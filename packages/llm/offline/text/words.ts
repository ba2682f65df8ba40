const segmenters = new Map<"word" | "sentence", Intl.Segmenter>();

/** Created on first use: loading the dictionaries would slow down the start of processes that never need them. */
export function segmenter(granularity: "word" | "sentence"): Intl.Segmenter {
  const known = segmenters.get(granularity);
  if (known) return known;
  const created = new Intl.Segmenter("und", { granularity });
  segmenters.set(granularity, created);
  return created;
}

/** Scripts that are written without spaces between words. */
export const unspacedScript =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Lower case, without accents, in Unicode's compatibility form. */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .normalize("NFC");
}

/** The folded words of a text in any script. Hyphenated and dotted terms (`il-6`, `3.5`) are split into their parts. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter("word").segment(text)) {
    if (!isWordLike) continue;
    const parts = fold(segment).split(/[^\p{L}\p{N}]+/u);
    words.push(...parts.filter(Boolean));
  }
  return words;
}

/** A longer run without spaces is taken for text in an unspaced script. */
const maxRunCharacters = 23;

/** Splits a text into word-sized deltas whose concatenation is the text. White space goes with the word before it. */
export function splitDeltas(text: string): string[] {
  const runs = text.match(/\s*\S+\s*/g) ?? (text ? [text] : []);
  return runs.flatMap((run) => {
    if (run.length <= maxRunCharacters) return [run];
    return Array.from(segmenter("word").segment(run), ({ segment }) => segment);
  });
}

/** Estimates one token per four characters, OpenAI's rule of thumb for English. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
