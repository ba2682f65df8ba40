import type { ExtractionInput } from "../extract/formats.ts";

/** What a document is read from: text as a client gave it, bytes in memory, or a file. */
export type DocumentContent =
  | { text: string; format: "text" | "markdown" }
  | { bytes: Uint8Array }
  | { path: string; bytesOnDisk: number };

/** A text up to this length, in UTF-16 code units, is handed over in memory; a longer one in a file. */
export const textInMemoryCharacters = 1 << 20;

export interface DocumentInput extends Omit<ExtractionInput, "bytes"> {
  content: DocumentContent;
}
