import type { ChunkPosition } from "../store/document.ts";
import type { Block, OpenBlock } from "./chunk/blocks.ts";
import { findBlocks, findRecords } from "./chunk/blocks.ts";
import { splitBlock } from "./chunk/split.ts";
import type { ExtractedText, Mark, Range } from "./extract/document.ts";

/** A whole document, or a stretch of a large document. Stretches end between blocks. */
type MarkedText = Pick<ExtractedText, "text" | "marks" | "isSeparatedValues" | "indexedLength">;

/** A chunk of a document: `document.text.slice(start, end) === text`. */
export interface Chunk extends ChunkPosition {
  text: string;
}

export interface ChunkOptions {
  /** Maximum length of a chunk, in UTF-16 code units. */
  maxCharacters: number;
  /** A shorter section is joined with the next one of the same page. */
  minCharacters: number;
}

/** In scripts/evals/chunks.ts, shorter chunks and overlapping chunks answered fewer questions, or hardly more. */
export const defaultChunkOptions: ChunkOptions = { maxCharacters: 1600, minCharacters: 200 };

/**
 * Share of a chunk that the rows of a long table fill. Rows contain twice as many searchable words as prose, so a name in a full chunk
 * of rows would weigh half as much.
 */
const longTableShare = 0.5;

/**
 * Cuts a document into chunks along its structure, in order and without overlap: first at pages and headings, then between blocks. Long
 * blocks are cut between lines, rows or sentences, and as a last resort anywhere except inside a surrogate pair. The chunks contain
 * everything up to the document's `indexedLength` except white space. Takes time linear in the text's length.
 *
 * @param openBlock the block that is open at the start of a stretch; updated to the one open at its end
 */
export function chunkText(
  document: MarkedText,
  options: ChunkOptions = defaultChunkOptions,
  openBlock: OpenBlock = {},
): Chunk[] {
  const { text } = document;
  const { maxCharacters, minCharacters } = options;
  const chunks: Chunk[] = [];
  let open: (Range & { mark: Mark; further: Mark[]; tableHeader: string | undefined }) | undefined;
  const close = () => {
    if (open === undefined) return;
    const { start, end } = trim(text, open);
    const { start: _, ...place } = open.mark;
    const sections = open.further.map(({ start: at, ...further }) => ({ ...further, offset: at - start }));
    if (end > start) {
      chunks.push({
        index: chunks.length,
        start,
        end,
        text: text.slice(start, end),
        ...place,
        ...(sections.length > 0 && { sections }),
        ...(open.tableHeader !== undefined && { tableHeader: open.tableHeader }),
      });
    }
    open = undefined;
  };
  const fits = (range: Range, max = maxCharacters) => range.end - (open ?? range).start <= max;
  const isLongEnough = () => open !== undefined && open.end - open.start >= minCharacters;
  const add = (piece: Range, mark: Mark, block: Block) => {
    if (!fits(piece, getMaxCharacters(block))) close();
    if (open === undefined) {
      const holdsHeader = piece.start === block.start && !block.isContinued;
      const tableHeader = holdsHeader ? undefined : block.tableHeader;
      open = { start: piece.start, end: piece.end, mark, further: [], tableHeader };
      return;
    }
    open.end = piece.end;
    if (mark !== (open.further.at(-1) ?? open.mark)) open.further.push(mark);
  };
  const getMaxCharacters = (block: Block) => (isLongTable(block) ? maxCharacters * longTableShare : maxCharacters);
  const isLongTable = ({ kind, start, end }: Block) =>
    (kind === "table" || kind === "records") && end - start > maxCharacters;
  for (const section of findSections(document)) {
    if (open !== undefined && (isLongEnough() || !isSamePage(open.mark, section.mark))) close();
    if (section.start > 0) Object.assign(openBlock, { fence: undefined, tableHeader: undefined });
    const blocks = document.isSeparatedValues
      ? findRecords(text, section, openBlock)
      : findBlocks(text, section.start, section.end, openBlock);
    for (const block of blocks) {
      // Join a short part, such as a lone heading, with the beginning of a long block.
      if (!fits(block) && isLongEnough()) close();
      // A row that is longer than its share of a chunk stays whole.
      for (const piece of fits(block) ? [block] : splitBlock(text, block, maxCharacters))
        add(piece, section.mark, block);
    }
  }
  close();
  return chunks;
}

/** The text to embed for a chunk: its place in the document, the header row of its table, then its text. */
export function embeddingText(
  chunk: Pick<Chunk, "text" | "heading" | "sheet" | "tableHeader">,
  title?: string,
): string {
  const place = [title, chunk.sheet, chunk.heading].filter(Boolean).join(" > ");
  const text = chunk.tableHeader === undefined ? chunk.text : `${chunk.tableHeader}\n${chunk.text}`;
  return place === "" ? text : `${place}\n\n${text}`;
}

/** The document's parts between its marks. */
function* findSections(document: MarkedText): Generator<Range & { mark: Mark }, void, undefined> {
  const { text, marks, indexedLength: length = text.length } = document;
  const first = marks[0]?.start ?? length;
  if (first > 0) yield { start: 0, end: first, mark: { start: 0 } };
  for (const [position, mark] of marks.entries()) {
    yield { start: mark.start, end: marks[position + 1]?.start ?? length, mark };
  }
}

function isSamePage(one: Mark, other: Mark): boolean {
  return one.page === other.page && one.slide === other.slide && one.sheet === other.sheet;
}

function trim(text: string, range: Range): Range {
  let { start, end } = range;
  while (start < end && /\s/.test(text.charAt(start))) start++;
  while (end > start && /\s/.test(text.charAt(end - 1))) end--;
  return { start, end };
}
