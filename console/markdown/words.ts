/** Shorter words match only as a whole. */
const minStemLength = 4;
/** Maximum length of an ending that makes another form of a word, such as the "s" of "refunds". */
const maxEndingLength = 3;

const wordSegmenter = new Intl.Segmenter("und", { granularity: "word" });

export const splitWords = (text: string): string[] =>
  [...wordSegmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);

/** Removes case and accents. */
export const foldWord = (word: string): string => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether two folded words are forms of the same word, such as "refund" and "refunds". */
export function isFormOf(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= minStemLength && long.startsWith(short) && long.length - short.length <= maxEndingLength;
}

/** A piece of a text. `start` is its offset in UTF-16 units. */
interface HighlightedPiece {
  text: string;
  isMatch: boolean;
  start: number;
}

/** Marks the words of a query in a text, ignoring case, accents and short endings. */
export function highlight(text: string, query: string): HighlightedPiece[] {
  const all = splitWords(query).map(foldWord);
  // Short words are everywhere: they count only if the query has no longer ones.
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
