/** A run of one or more numbers in brackets: `[2]`, `[1, 3]`, `【4】`. */
const mark = /[[【]\s*(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\s*[\]】]/g;

/** A piece of an answer's text: words, or the numbers of the chunks that they rest on. */
export type MarkedPiece = { text: string } | { numbers: number[] };

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
