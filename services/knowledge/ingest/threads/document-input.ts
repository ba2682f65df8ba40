import type { ExtractionInput } from "../extract/formats.ts";

/** What a document is read from: bytes in memory, a file, or text of a known format, in memory or in UTF-8 on disk. */
export type DocumentContent =
  | { bytes: Uint8Array }
  | { path: string; bytesOnDisk: number; format?: "text" | "markdown" }
  | { text: string; format: "text" | "markdown" };

/** A text up to this length, in UTF-16 code units, is handed over in memory; a longer one in a file. */
export const textInMemoryCharacters = 1 << 20;

export interface DocumentInput extends Omit<ExtractionInput, "bytes"> {
  content: DocumentContent;
}

/** Bytes; of text in memory UTF-16 code units. */
export function sizeOf(content: DocumentContent): number {
  if ("text" in content) return content.text.length;
  return "bytes" in content ? content.bytes.byteLength : content.bytesOnDisk;
}
