import type { ExtractedDocument, Mark } from "./extract/index.ts";

/** A passage of a document: `document.text.slice(start, end) === text`. */
export interface Chunk {
  /** 0-based place among the document's chunks. */
  index: number;
  /** Offsets into the document's text, in UTF-16 code units; `end` is exclusive. */
  start: number;
  end: number;
  text: string;
  heading?: string;
  page?: number;
  slide?: number;
  sheet?: string;
}

export interface ChunkOptions {
  /** Length at which a passage is closed, in UTF-16 code units. */
  targetCharacters: number;
  /** Length that no passage exceeds. */
  maxCharacters: number;
}

export const defaultChunkOptions: ChunkOptions = { targetCharacters: 1200, maxCharacters: 1600 };

/** Cuts a document into passages along its structure. */
export function chunkText(document: ExtractedDocument, options: ChunkOptions = defaultChunkOptions): Chunk[] {
  const chunks: Chunk[] = [];
  let next = 0;
  for (let start = 0; start < document.text.length; ) {
    const end = Math.min(start + options.maxCharacters, document.text.length);
    while (next < document.marks.length && (document.marks[next]?.start ?? 0) <= start) next++;
    const { start: _, ...place }: Mark = document.marks[next - 1] ?? { start: 0 };
    chunks.push({ index: chunks.length, start, end, text: document.text.slice(start, end), ...place });
    start = end;
  }
  return chunks;
}

/** What is embedded for a passage: its place in the document, then its text. */
export function embeddingText(chunk: Chunk, title: string): string {
  const place = [title, chunk.heading].filter(Boolean).join(" > ");
  return place === "" ? chunk.text : `${place}\n\n${chunk.text}`;
}
