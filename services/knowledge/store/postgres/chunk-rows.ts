import { waitForTurn } from "@agent-backends/kit/turns";
import type { Language } from "@agent-backends/language";
import { detectLanguage } from "@agent-backends/language";
import type {
  ChunkPosition,
  DocumentHeader,
  DocumentPart,
  DocumentSource,
  FoundChunk,
  StoredDocument,
} from "../document.ts";
import { toDocumentId } from "../document.ts";
import { analyzeChunk } from "../terms.ts";
import { toTermVector } from "./keys.ts";
import { encodeVectors } from "./vectors.ts";

/** Number of chunks analysed before other requests get their turn. Each takes up to 0.3 ms. */
const chunkBatchSize = 32;

/** A part of a document in stored form. */
export interface PartRows {
  text: string;
  firstChunk: number;
  chunks: number;
  /** Number of terms of all chunks together. */
  terms: number;
  languages: Set<Language>;
  /** Arrays with a value for each chunk: its number, place, text, length in terms, terms, and vector. */
  columns: unknown[];
}

export async function toPartRows(
  { text, chunks }: DocumentPart,
  { namespaceId, vectorType }: { namespaceId: string; vectorType: number },
): Promise<PartRows> {
  const ofDocument = detectLanguage(text);
  const languages = new Set<Language>();
  const places: string[] = [];
  const lengths: number[] = [];
  const termVectors: string[] = [];
  for (const [position, { searchText, vector: _, ...place }] of chunks.entries()) {
    const { terms, language } = analyzeChunk(searchText, ofDocument);
    if (language) languages.add(language);
    places.push(JSON.stringify(place));
    lengths.push(terms.length);
    termVectors.push(toTermVector(namespaceId, terms));
    if (position % chunkBatchSize === chunkBatchSize - 1) await waitForTurn();
  }
  const vectors = encodeVectors(
    chunks.map(({ vector }) => vector),
    vectorType,
  );
  return {
    text,
    firstChunk: chunks[0]?.index ?? 0,
    chunks: chunks.length,
    terms: lengths.reduce((sum, length) => sum + length, 0),
    languages,
    columns: [
      chunks.map(({ index }) => index),
      places,
      chunks.map(({ searchText }) => searchText),
      lengths,
      termVectors,
      vectors,
    ],
  };
}

/**
 * Clauses of a statement that store a part of each document in `stored`. They take nine parameters starting at `first`: the part's
 * number, the first chunk, the text, and the columns of its rows.
 */
export function insertPart(first: number, embeddingId: string): string {
  const [part, firstChunk, text, numbers, places, searchTexts, lengths, terms, vectors] = Array.from(
    { length: 9 },
    (_, position) => `$${first + position}`,
  );
  return `
  inserted_text AS (
    INSERT INTO texts (document_pk, part, first_chunk, chunks, content)
    SELECT pk, ${part}::integer, ${firstChunk}::integer, cardinality(${numbers}::integer[]), ${text}::text FROM stored
    ON CONFLICT DO NOTHING
  ), inserted_chunks AS (
    INSERT INTO chunks (document_pk, chunk, place_json, search_text, length, terms)
    SELECT pk, number, place, search_text, length, terms::tsvector
    FROM stored, unnest(${numbers}::integer[], ${places}::text[], ${searchTexts}::text[], ${lengths}::integer[], ${terms}::text[])
      AS rows (number, place, search_text, length, terms)
    ON CONFLICT DO NOTHING
  ), inserted_vectors AS (
    INSERT INTO vectors (document_pk, embedding_id, chunk, embedding)
    SELECT pk, ${Number(embeddingId)}, number, embedding
    FROM stored, unnest(${numbers}::integer[], ${vectors}::vector[]) AS rows (number, embedding)
    ON CONFLICT DO NOTHING
  )`;
}

export const toPartParameters = (part: number, { firstChunk, text, columns }: PartRows): unknown[] => [
  part,
  firstChunk,
  text,
  ...columns,
];

export interface DocumentRow {
  pk: string;
  hash: string;
  chunks: number;
  ingested_at: string;
  source_json: string;
}

export const documentColumns = "documents.pk, hash, documents.chunks, ingested_at, source_json";

export const toHeader = ({ hash, ingested_at, source_json }: Omit<DocumentRow, "pk" | "chunks">): DocumentHeader => ({
  id: toDocumentId(hash),
  hash,
  ...(JSON.parse(source_json) as DocumentSource),
  ingestedAt: ingested_at,
});

export const toStoredDocument = (row: DocumentRow): StoredDocument => ({ ...toHeader(row), chunks: row.chunks });

export interface ChunkRow {
  place_json: string;
  search_text: string;
}

export function toFoundChunk({ place_json, search_text }: ChunkRow, document: DocumentHeader): FoundChunk {
  const place = JSON.parse(place_json) as ChunkPosition;
  // The chunk's own text is the end of the embedded text.
  const text = search_text.slice(search_text.length - (place.end - place.start));
  return { document, ...place, text, searchText: search_text };
}
