import { segmenter } from "./segmenter.ts";

/** Lower case, without accents and without the differences that Unicode's compatibility forms make. */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .normalize("NFC");
}

/**
 * The words of a text in any script, folded. Hyphenated and dotted terms (`il-6`, `3.5`) come as their parts; scripts without spaces
 * are cut by the dictionary of Intl.Segmenter.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter("word").segment(text)) {
    if (isWordLike)
      words.push(
        ...fold(segment)
          .split(/[^\p{L}\p{N}]+/u)
          .filter(Boolean),
      );
  }
  return words;
}
