import { createHash } from "node:crypto";
import type { KnowledgeStore, NewDocument } from "../../store/knowledge-store.ts";
import { DocumentGoneError } from "../../store/knowledge-store.ts";

/** A document of chunks with vectors that a test makes up. */
export function documentOf(
  content: string,
  options: Partial<NewDocument> & { pieces?: string[]; vectorOf?: (text: string) => Float32Array } = {},
): NewDocument {
  const { pieces = [content], vectorOf = lettersOf, ...header } = options;
  const text = pieces.join("\n");
  const hash = createHash("sha256").update(text).digest("hex");
  let start = 0;
  const chunks = pieces.map((piece, index) => {
    const chunk = { index, start, end: start + piece.length, searchText: piece, vector: vectorOf(piece) };
    start += piece.length + 1;
    return chunk;
  });
  const ingestedAt = "2026-01-01T00:00:00.000Z";
  return {
    id: hash.slice(0, 32),
    hash,
    title: "A title",
    source: "text:0",
    ingestedAt,
    text,
    embeddingModel: "letters",
    chunks,
    ...header,
  };
}

/** A document with its whole text; undefined when there is none, or it is deleted meanwhile. */
export async function readWhole(store: KnowledgeStore, namespace: string, id: string) {
  const found = await store.readDocument(namespace, id);
  if (!found) return undefined;
  const { pieces, ...document } = found;
  try {
    let text = "";
    for await (const piece of pieces) text += piece;
    return { ...document, text };
  } catch (error) {
    if (error instanceof DocumentGoneError) return undefined;
    throw error;
  }
}

/** How often each letter occurs: near for texts with the same letters. */
export function lettersOf(text: string): Float32Array {
  const counts = new Float32Array(26);
  for (const letter of text.toLowerCase()) {
    const position = letter.charCodeAt(0) - 97;
    if (position >= 0 && position < 26) counts[position] = (counts[position] ?? 0) + 1;
  }
  return counts;
}

/** The same, of the last eight letters alone: another model with another dimension. */
export const lastLettersOf = (text: string): Float32Array => lettersOf(text).slice(18);
