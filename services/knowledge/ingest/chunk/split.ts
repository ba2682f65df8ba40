import type { Range } from "../extract/document.ts";
import type { Block } from "./blocks.ts";
import { splitRecords } from "./tables.ts";

/** Intl.Segmenter slows down on long texts, so it gets pieces of this length, in UTF-16 code units. */
const maxSegmentedCharacters = 4_000;

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** The kind of the smaller parts into which a block's parts are cut if they are still too long. */
const smallerKind = { records: "lines", table: "prose", lines: "prose", prose: undefined } as const;

/**
 * Cuts a block into its records, lines or sentences. Parts longer than `max` UTF-16 code units are cut further, finally between words
 * or, without white space, anywhere.
 */
export function* splitBlock(text: string, block: Block, max: number): Generator<Range, void, undefined> {
  const kind = smallerKind[block.kind];
  for (const part of splitParts(text, block)) {
    if (part.end - part.start <= max) yield part;
    else if (kind !== undefined) yield* splitBlock(text, { ...part, kind }, max);
    else yield* splitAtWords(text, part, max);
  }
}

function splitParts(text: string, block: Block): Generator<Range, void, undefined> {
  if (block.kind === "records") return splitRecords(text, block);
  return block.kind === "prose" ? splitSentences(text, block) : splitLines(text, block);
}

function* splitLines(text: string, range: Range): Generator<Range, void, undefined> {
  for (let start = range.start; start < range.end; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 || newline >= range.end ? range.end : newline + 1;
    yield { start, end };
    start = end;
  }
}

function* splitSentences(text: string, range: Range): Generator<Range, void, undefined> {
  for (const piece of splitAtWords(text, range, maxSegmentedCharacters)) {
    for (const { index, segment } of sentences.segment(text.slice(piece.start, piece.end))) {
      yield { start: piece.start + index, end: piece.start + index + segment.length };
    }
  }
}

/** Cuts after the last white space that fits or, without white space, at `max`. Never cuts inside a surrogate pair. */
function* splitAtWords(text: string, range: Range, max: number): Generator<Range, void, undefined> {
  let { start } = range;
  while (range.end - start > max) {
    const end = findLastSpace(text, start, start + max) ?? avoidSplitPair(text, start + max);
    yield { start, end };
    start = end;
  }
  if (start < range.end) yield { start, end: range.end };
}

/** The offset just after the last white space in the second half of a range. */
function findLastSpace(text: string, start: number, end: number): number | undefined {
  const lowest = start + (end - start) / 2;
  for (let offset = end; offset > lowest; offset--) {
    if (/\s/.test(text.charAt(offset - 1))) return offset;
  }
  return undefined;
}

function avoidSplitPair(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset;
}
