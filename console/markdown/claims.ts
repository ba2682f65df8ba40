import { splitWords } from "./words.ts";

/** A citation mark: one or more numbers in brackets, such as `[2]`, `[1, 3]` or `【4】`. */
const mark = /[[【]\s*(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\s*[\]】]/g;

/** A piece of an answer: text, or the numbers of a citation mark. */
type MarkedPiece = { text: string } | { numbers: number[] };

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

/** Minimum number of words in a claim. A shorter one, such as a table cell or "and free", is extended to the last sentence of its block. */
const minClaimWords = 3;
/** Minimum number of words before a mark. A block with fewer, such as "Sources:", makes no claim. */
const minBlockWords = 2;

const sentences = new Intl.Segmenter("und", { granularity: "sentence" });

/** Reads one block of an answer, such as a paragraph or a table row, and finds the claim before each citation mark. */
export class ClaimReader {
  #block = "";
  #sinceMark = "";
  #claim: string | undefined;

  addText(text: string): void {
    this.#block += text;
    this.#sinceMark += text;
  }

  /** The claim before a mark at this position, if any. Adjacent marks share their claim. */
  takeClaim(): string | undefined {
    const own = findLastSentence(this.#sinceMark);
    this.#sinceMark = "";
    if (splitWords(this.#block).length < minBlockWords) return undefined;
    if (own !== undefined) this.#claim = splitWords(own).length < minClaimWords ? findLastSentence(this.#block) : own;
    return this.#claim;
  }
}

function findLastSentence(text: string): string | undefined {
  return [...sentences.segment(text)].findLast(({ segment }) => splitWords(segment).length > 0)?.segment.trim();
}

/** All claims of an answer with the mark `n`, or the whole answer if it has no such mark. */
export function findClaims(answer: string, n: number): string[] {
  const claims = answer.split("\n").flatMap((line) => {
    const reader = new ClaimReader();
    return splitMarks(line).flatMap((piece) => {
      if ("text" in piece) {
        reader.addText(piece.text);
        return [];
      }
      const claim = reader.takeClaim();
      return piece.numbers.includes(n) && claim !== undefined ? claim : [];
    });
  });
  return claims.length > 0 ? claims : [answer];
}
