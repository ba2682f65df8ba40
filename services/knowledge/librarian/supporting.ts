import type { Range } from "./text-units.ts";
import { splitUnits } from "./text-units.ts";

/** A sentence with fewer words before its mark, such as "According to [1], …", is read as a whole. */
const minClaimWords = 3;
/** Numbers are stronger evidence than words. */
const numberWeight = 2;
/** A single shared word is evidence only if it is a number or at least this long. */
const minSingleWordCharacters = 5;
/** The share of a claim's words, by weight, that the sentence which supports it has. */
const minSupport = 0.35;
/** A word of at least this length matches one that is up to `maxEndingCharacters` longer, such as "refund" and "refunds". */
const minStemCharacters = 4;
const maxEndingCharacters = 3;

/** How much of an answer is read on either side of a mark. */
const maxClaimCharacters = 600;

const words = new Intl.Segmenter("und", { granularity: "word" });
const marks = /\s*\[\d{1,4}\]/g;
const marksAtEnd = /(?:\s*\[\d{1,4}\])+\s*$/;
const hasDigit = /\p{Nd}/u;

/**
 * The statement that the mark at `offset` of an answer belongs to: the sentence before it, from the previous mark on. Adjacent marks
 * share theirs.
 */
export function findClaim(answer: string, offset: number): string {
  const before = lastLine(answer.slice(Math.max(0, offset - maxClaimCharacters), offset)).replace(marksAtEnd, "");
  const [after = ""] = answer.slice(offset, offset + maxClaimCharacters).split("\n");
  const [own = ""] = before.split(marks).slice(-1);
  const sentence = lastSentence(own);
  if (splitWords(sentence).length >= minClaimWords) return sentence;
  const whole = lastSentence(before.replaceAll(marks, "")) + firstSentence(after.replaceAll(marks, ""));
  return splitWords(whole).length >= minClaimWords ? whole : (before + after).replaceAll(marks, "");
}

const lastLine = (text: string): string => text.slice(text.lastIndexOf("\n") + 1);

const lastSentence = (text: string): string => sliceUnit(text, -1);
const firstSentence = (text: string): string => sliceUnit(text, 0);

function sliceUnit(text: string, position: 0 | -1): string {
  const unit = splitUnits(text).at(position);
  return unit ? text.slice(unit.start, unit.end) : "";
}

/** A sentence of a chunk that fits a claim. */
export interface Support extends Range {
  /** Whether it shares enough with the claim to be shown as its source. */
  isClear: boolean;
}

/**
 * The sentence or table row of a chunk that shares most with one of the claims. Words are weighted by their rarity in the chunk
 * (inverse document frequency).
 *
 * @returns undefined if no sentence shares anything with a claim
 */
export function findSupport(chunk: string, claims: readonly string[]): Support | undefined {
  const sentences = splitUnits(chunk)
    .filter(({ kind }) => kind !== "heading" && kind !== "header")
    .map((unit) => ({ ...unit, words: splitWords(chunk.slice(unit.start, unit.end)) }));
  let best: (Support & { score: number }) | undefined;
  for (const claim of new Set(claims)) {
    const wanted = [...new Set(splitWords(claim))].map((word) => {
      const having = new Set(sentences.filter((sentence) => sentence.words.some((one) => isFormOf(one, word))));
      const rarity = Math.log(1 + sentences.length / Math.max(1, having.size));
      return { word, having, weight: rarity * (hasDigit.test(word) ? numberWeight : 1) };
    });
    const total = wanted.reduce((sum, { weight }) => sum + weight, 0);
    for (const sentence of sentences) {
      const shared = wanted.filter(({ having }) => having.has(sentence));
      const score = shared.reduce((sum, { weight }) => sum + weight, 0);
      if (score <= (best?.score ?? 0)) continue;
      const isEvidence = shared.length > 1 || shared.some(({ word }) => isSignificant(word));
      const { start, end } = sentence;
      best = { start, end, score, isClear: isEvidence && score >= minSupport * total };
    }
  }
  return best && { start: best.start, end: best.end, isClear: best.isClear };
}

const isSignificant = (word: string) => hasDigit.test(word) || word.length >= minSingleWordCharacters;

/** The words of a text without case and accents. */
function splitWords(text: string): string[] {
  return [...words.segment(text)].flatMap(({ segment, isWordLike }) =>
    isWordLike ? segment.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase() : [],
  );
}

function isFormOf(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return (
    short.length >= minStemCharacters &&
    long.length - short.length <= maxEndingCharacters &&
    long.startsWith(short) &&
    !hasDigit.test(long)
  );
}
