import { wordsOf } from "./words.ts";

/** A run of one or more numbers in brackets: `[2]`, `[1, 3]`, `【4】`. */
const mark = /[[【]\s*(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\s*[\]】]/g;

/** A piece of an answer's text: words, or the numbers of the chunks that they rest on. */
type MarkedPiece = { text: string } | { numbers: number[] };

/** Cuts a text at its citation marks. */
export function splitMarks(text: string): MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  let from = 0;
  for (const { 0: whole, 1: list = "", index } of text.matchAll(mark)) {
    if (index > from) pieces.push({ text: text.slice(from, index) });
    pieces.push({ numbers: list.split(/[,;]/).map(Number) });
    from = index + whole.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** The numbers that a text refers to, each once, in ascending order. */
export function markedNumbers(text: string): number[] {
  const numbers = splitMarks(text).flatMap((piece) => ("numbers" in piece ? piece.numbers : []));
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** A claim with fewer words, such as a cell or "and free", is taken together with what its block says before. */
const minClaimWords = 3;
/** A block with fewer words before a mark, such as "Sources:", claims nothing. */
const minBlockWords = 2;

const sentences = new Intl.Segmenter("und", { granularity: "sentence" });

/** Follows one block of an answer, such as a paragraph or a table row, and tells which of its words a citation mark stands for. */
export class ClaimReader {
  #block = "";
  #sinceMark = "";
  #claim: string | undefined;

  say(text: string): void {
    this.#block += text;
    this.#sinceMark += text;
  }

  /** What a mark at this place stands for, if anything. Marks side by side stand for the same. */
  claimHere(): string | undefined {
    const own = lastSentence(this.#sinceMark);
    this.#sinceMark = "";
    if (wordsOf(this.#block).length < minBlockWords) return undefined;
    if (own !== undefined) this.#claim = wordsOf(own).length < minClaimWords ? lastSentence(this.#block) : own;
    return this.#claim;
  }
}

function lastSentence(text: string): string | undefined {
  return [...sentences.segment(text)].findLast(({ segment }) => wordsOf(segment).length > 0)?.segment.trim();
}

/** All that an answer says with the mark `n`; the whole answer where it has no such mark. */
export function findClaims(answer: string, n: number): string[] {
  const claims = answer.split("\n").flatMap((line) => {
    const reader = new ClaimReader();
    return splitMarks(line).flatMap((piece) => {
      if ("text" in piece) {
        reader.say(piece.text);
        return [];
      }
      const claim = reader.claimHere();
      return piece.numbers.includes(n) && claim !== undefined ? claim : [];
    });
  });
  return claims.length > 0 ? claims : [answer];
}
