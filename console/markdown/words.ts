/** Words shorter than this match only as a whole. */
export const minStemLength = 4;
/** What may follow a word for it to be another form of that word: `refund` in `refunds`. */
const maxEndingLength = 3;

export const wordSegmenter = new Intl.Segmenter("und", { granularity: "word" });

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
