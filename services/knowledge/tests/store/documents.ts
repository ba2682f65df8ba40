import { createHash } from "node:crypto";
import type {
  DocumentHeader,
  DocumentPart,
  Embedding,
  FoundChunk,
  NewChunk,
  NewDocument,
} from "../../store/document.ts";
import { DocumentGoneError, EmbeddingMismatchError } from "../../store/errors.ts";
import type { KnowledgeStore, SearchScope } from "../../store/knowledge-store.ts";

interface DocumentOptions extends Partial<DocumentHeader> {
  embeddingModel?: string;
  /** The texts of the chunks, with one line per chunk in the document. */
  pieces?: string[];
  toVector?: (text: string) => Float32Array;
  /** Number of chunks per part. By default, all chunks are in one part. */
  partSize?: number;
  /** Awaited before each part. */
  beforePart?: (part: number) => Promise<void>;
}

/** A document to store. The test makes up a vector for each chunk. */
export function buildDocument(
  content: string,
  {
    pieces = [content],
    toVector = toLetterVector,
    partSize = pieces.length,
    beforePart = async () => {},
    ...header
  }: DocumentOptions = {},
) {
  const text = pieces.join("\n");
  const hash = createHash("sha256").update(text).digest("hex");
  let start = 0;
  const chunks = pieces.map((piece, index): NewChunk => {
    const chunk = { index, start, end: start + piece.length, searchText: piece, vector: toVector(piece) };
    start += piece.length + 1;
    return chunk;
  });
  return {
    id: hash.slice(0, 32),
    hash,
    title: "A title",
    source: "text:0",
    ingestedAt: "2026-01-01T00:00:00.000Z",
    text,
    embeddingModel: "letters",
    chunkCount: chunks.length,
    ...header,
    async *parts(): AsyncGenerator<DocumentPart, void, undefined> {
      for (let from = 0; from < chunks.length; from += partSize) {
        await beforePart(from / partSize);
        const end = from + partSize < chunks.length ? chunks[from + partSize - 1]?.end : undefined;
        yield { text: text.slice(chunks[from - 1]?.end ?? 0, end), chunks: chunks.slice(from, from + partSize) };
      }
    },
  } satisfies NewDocument & { text: string };
}

/** Summaries of the namespaces that contain documents. */
export async function describeAll(store: KnowledgeStore) {
  const found = await Promise.all((await store.listNamespaces()).map((name) => store.describeNamespace(name)));
  return found.filter((summary) => summary !== undefined && summary.documents > 0);
}

/** A document with its whole text, or undefined if it is unknown or is deleted in the meantime. */
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

/** Letter frequencies as a vector, so that texts with the same letters are similar. */
export function toLetterVector(text: string): Float32Array {
  const counts = new Float32Array(26);
  for (const letter of text.toLowerCase()) {
    const position = letter.charCodeAt(0) - 97;
    if (position >= 0 && position < 26) counts[position] = (counts[position] ?? 0) + 1;
  }
  return counts;
}

/** Frequencies of the last eight letters only, which acts as another model with another dimension. */
export const toLastLetterVector = (text: string): Float32Array => toLetterVector(text).slice(18);

/** The chunks nearest to a vector of a model, nearest first. */
export async function findNearest(
  store: KnowledgeStore,
  namespace: string,
  { model, vector }: { model: string; vector: Float32Array },
  scope: SearchScope,
): Promise<{ chunk: FoundChunk; similarity: number }[]> {
  const getVector = async (stored: Embedding) => {
    if (stored.model === model) return vector;
    throw new EmbeddingMismatchError(namespace, stored, { model, dimension: vector.length });
  };
  const found = await store.search(namespace, { getVector }, scope, ({ byMeaning }) => byMeaning);
  return found.map(({ chosen, chunk }) => ({ chunk, similarity: chosen.similarity ?? Number.NaN }));
}

/** The chunks that share words with a query, best first. */
export async function findMatching(
  store: KnowledgeStore,
  namespace: string,
  words: string,
  scope: SearchScope,
): Promise<FoundChunk[]> {
  const found = await store.search(namespace, { words }, scope, ({ byWords }) => byWords);
  return found.map(({ chunk }) => chunk);
}
