import type { Block, Range } from "./blocks.ts";

/** Intl.Segmenter slows down on long texts, so it is given pieces of this length, in UTF-16 code units. */
const segmentedCharacters = 4_000;

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** Cuts a block into its lines or sentences, and one longer than `max` UTF-16 code units at words, or else anywhere. */
export function* splitBlock(text: string, block: Block, max: number): Generator<Range, void, undefined> {
  for (const part of block.kind === "lines" ? linesOf(text, block) : sentencesOf(text, block)) {
    if (part.end - part.start <= max) yield part;
    else if (block.kind === "lines") yield* splitBlock(text, { ...part, kind: "prose" }, max);
    else yield* splitAtWords(text, part, max);
  }
}

function* linesOf(text: string, range: Range): Generator<Range, void, undefined> {
  for (let start = range.start; start < range.end; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 || newline >= range.end ? range.end : newline + 1;
    yield { start, end };
    start = end;
  }
}

function* sentencesOf(text: string, range: Range): Generator<Range, void, undefined> {
  for (const piece of splitAtWords(text, range, segmentedCharacters)) {
    for (const { index, segment } of sentences.segment(text.slice(piece.start, piece.end))) {
      yield { start: piece.start + index, end: piece.start + index + segment.length };
    }
  }
}

/** Cuts behind the last white space that fits, or where there is none at `max`, but never inside a surrogate pair. */
function* splitAtWords(text: string, range: Range, max: number): Generator<Range, void, undefined> {
  let { start } = range;
  while (range.end - start > max) {
    const end = lastSpace(text, start, start + max) ?? withoutHalfPair(text, start + max);
    yield { start, end };
    start = end;
  }
  if (start < range.end) yield { start, end: range.end };
}

/** The offset behind the last white space in the second half of a range. */
function lastSpace(text: string, start: number, end: number): number | undefined {
  const lowest = start + (end - start) / 2;
  for (let offset = end; offset > lowest; offset--) {
    if (/\s/.test(text.charAt(offset - 1))) return offset;
  }
  return undefined;
}

function withoutHalfPair(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset;
}
