/** A piece of a text, and whether it is one of the words looked for. `start` is its offset in UTF-16 units. */
export interface HighlightedPiece {
  text: string;
  isMatch: boolean;
  start: number;
}

/** Words shorter than this match only as a whole. */
const stemLength = 4;
/** What may follow a word of the query for it to be another form of that word: `refund` in `refunds`. */
const endingLength = 3;

const words = new Intl.Segmenter("und", { granularity: "word" });
const fold = (word: string) => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Cuts a text into pieces, those that match a word of the query marked. Case, accents and short endings don't matter, nor short words beside longer ones. */
export function highlight(text: string, query: string): HighlightedPiece[] {
  const all = [...words.segment(query)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => fold(segment));
  // Short words stand everywhere; they count where there are no others.
  const long = all.filter((word) => word.length >= stemLength);
  const wanted = long.length > 0 ? long : all;
  const pieces: HighlightedPiece[] = [];
  for (const { segment, index, isWordLike } of words.segment(text)) {
    const isMatch = Boolean(isWordLike) && wanted.some((word) => areForms(word, fold(segment)));
    const last = pieces.at(-1);
    if (last && last.isMatch === isMatch && !isMatch) last.text += segment;
    else pieces.push({ text: segment, isMatch, start: index });
  }
  return pieces;
}

function areForms(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= stemLength && long.startsWith(short) && long.length - short.length <= endingLength;
}
