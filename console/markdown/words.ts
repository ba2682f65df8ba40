/** Minimum length of a stem. Shorter words match only as a whole. */
export const minStemLength = 4;
/** Maximum length of an ending that forms another form of a word, such as the "s" of "refunds". */
const maxEndingLength = 3;

export const wordSegmenter = new Intl.Segmenter("und", { granularity: "word" });

export const splitWords = (text: string): string[] =>
  [...wordSegmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);

export const foldWord = (word: string): string => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether two folded words are forms of the same word, such as "refund" and "refunds". */
export function isFormOf(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= minStemLength && long.startsWith(short) && long.length - short.length <= maxEndingLength;
}
