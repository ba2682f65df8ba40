import { foldWord, isFormOf, minStemLength, wordSegmenter, wordsOf } from "../markdown/words.ts";

/** A piece of a text, and whether it is one of the words looked for. `start` is its offset in UTF-16 units. */
export interface HighlightedPiece {
  text: string;
  isMatch: boolean;
  start: number;
}

/** Cuts a text into pieces, those that match a word of the query marked. Case, accents and short endings don't matter, nor short words beside longer ones. */
export function highlight(text: string, query: string): HighlightedPiece[] {
  const all = wordsOf(query).map(foldWord);
  // Short words stand everywhere; they count where there are no others.
  const long = all.filter((word) => word.length >= minStemLength);
  const wanted = long.length > 0 ? long : all;
  const pieces: HighlightedPiece[] = [];
  for (const { segment, index, isWordLike } of wordSegmenter.segment(text)) {
    const isMatch = Boolean(isWordLike) && wanted.some((word) => isFormOf(word, foldWord(segment)));
    const last = pieces.at(-1);
    if (last && last.isMatch === isMatch && !isMatch) last.text += segment;
    else pieces.push({ text: segment, isMatch, start: index });
  }
  return pieces;
}
