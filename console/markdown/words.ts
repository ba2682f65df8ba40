/** Words shorter than this match only as a whole. */
const minStemLength = 4;
/** What may follow a word for it to be another form of that word: `refund` in `refunds`. */
const maxEndingLength = 3;

const wordSegmenter = new Intl.Segmenter("und", { granularity: "word" });

export const wordsOf = (text: string): string[] =>
  [...wordSegmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);

/** A word without case and accents. */
export const foldWord = (word: string): string => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether two folded words are forms of one, such as `refund` and `refunds`. */
export function isFormOf(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= minStemLength && long.startsWith(short) && long.length - short.length <= maxEndingLength;
}

/** A piece of a text, and whether it is one of the words looked for. `start` is its offset in UTF-16 units. */
interface HighlightedPiece {
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
