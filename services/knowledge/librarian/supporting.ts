import type { Range } from "@agent-backends/language";
import { analyze, detectLanguage, splitUnits, splitWords, unspacedScript } from "@agent-backends/language";

/** A sentence with fewer words before its mark, such as "According to [1], …", is used as a whole. */
const minClaimWords = 3;
/** Numbers are stronger evidence than words. */
const numberWeight = 2;
/** A single shared term is evidence only if it is a number or at least this long. */
const minSingleTermCharacters = 5;
/** Minimum share of a claim's words, by weight, that a supporting sentence must contain. */
const minSupport = 0.35;
/** Maximum number of characters of an answer to read on either side of a mark. */
const maxClaimCharacters = 600;

const marks = /\s*\[\d{1,4}\]/g;
const marksAtEnd = /(?:\s*\[\d{1,4}\])+\s*$/;
const digit = /\p{Nd}/u;

/**
 * The statement that the mark at `offset` of an answer belongs to: the sentence before it, starting after the previous mark. Adjacent
 * marks share a statement.
 */
export function findClaim(answer: string, offset: number): string {
  const before = lastLine(answer.slice(Math.max(0, offset - maxClaimCharacters), offset)).replace(marksAtEnd, "");
  const [after = ""] = answer.slice(offset, offset + maxClaimCharacters).split("\n");
  const [own = ""] = before.split(marks).slice(-1);
  const sentence = lastSentence(own);
  if (countWords(sentence) >= minClaimWords) return sentence;
  const whole = lastSentence(before.replaceAll(marks, "")) + firstSentence(after.replaceAll(marks, ""));
  return countWords(whole) >= minClaimWords ? whole : (before + after).replaceAll(marks, "");
}

/** In Chinese and Japanese, each character counts as a word. */
const countWords = (text: string): number =>
  splitWords(text).reduce((count, word) => count + (unspacedScript.test(word) ? word.length : 1), 0);

const lastLine = (text: string): string => text.slice(text.lastIndexOf("\n") + 1);

const lastSentence = (text: string): string => sliceUnit(text, -1);
const firstSentence = (text: string): string => sliceUnit(text, 0);

function sliceUnit(text: string, position: 0 | -1): string {
  const unit = splitUnits(text).at(position);
  return unit ? text.slice(unit.start, unit.end) : "";
}

/** A sentence of a chunk that matches a claim. */
export interface Support extends Range {
  /** Whether the sentence shares enough with the claim to be shown as its source. */
  isClear: boolean;
}

/**
 * The sentence or table row of a chunk that contains the largest share of one of the claims. Terms are weighted by their rarity in the
 * chunk (inverse document frequency). A tie goes to the first claim.
 *
 * @returns undefined if no sentence shares anything with a claim
 */
export function findSupport(chunk: string, claims: readonly string[]): Support | undefined {
  const language = detectLanguage(chunk);
  const units = splitUnits(chunk).filter(({ kind }) => kind !== "heading" && kind !== "header");
  let best: (Support & { share: number }) | undefined;
  for (const claim of new Set(claims)) {
    const claimLanguage = detectLanguage(claim);
    const languages = [language, claimLanguage].filter((one) => one !== undefined);
    const readTerms = (text: string) => new Set(analyze(text, languages));
    const sentences = units.map((unit) => ({ ...unit, terms: readTerms(chunk.slice(unit.start, unit.end)) }));
    const wanted = [...readTerms(claim)].map((term) => {
      const having = sentences.filter(({ terms }) => terms.has(term)).length;
      const rarity = Math.log(1 + sentences.length / Math.max(1, having));
      return { term, weight: rarity * (digit.test(term) ? numberWeight : 1) };
    });
    const total = sum(wanted);
    // An answer in another language shares only its numbers with the chunk.
    const numbers = languages.length > 1 && claimLanguage !== language ? wanted.filter(isLongNumber) : [];
    for (const { start, end, terms } of sentences) {
      const shared = wanted.filter(({ term }) => terms.has(term));
      const share = sum(shared) / total;
      if (shared.length === 0 || share <= (best?.share ?? 0)) continue;
      const isEvidence = shared.length > 1 || shared.some(({ term }) => isSignificant(term));
      const hasNumbers = numbers.length > 0 && numbers.every(({ term }) => terms.has(term));
      best = { start, end, share, isClear: hasNumbers || (isEvidence && share >= minSupport) };
    }
  }
  return best && { start: best.start, end: best.end, isClear: best.isClear };
}

const sum = (terms: readonly { weight: number }[]): number => terms.reduce((total, { weight }) => total + weight, 0);
const isSignificant = (term: string) => digit.test(term) || term.length >= minSingleTermCharacters;
/** A single digit may be the number of a list item or a section. */
const isLongNumber = ({ term }: { term: string }) => digit.test(term) && term.length > 1;
