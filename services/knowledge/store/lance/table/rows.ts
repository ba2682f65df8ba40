import { randomUUID } from "node:crypto";
import type { CustomMetadata } from "@agent-backends/contract";
import type { Language } from "@agent-backends/language";
import { detectLanguage } from "@agent-backends/language";
import type {
  ChunkPosition,
  DocumentHeader,
  DocumentPart,
  DocumentSource,
  FoundChunk,
  NewChunk,
  NewDocument,
  OtherSources,
  StoredDocument,
} from "../../document.ts";
import { toDocumentId, toSource } from "../../document.ts";
import { analyzeChunk } from "../../terms.ts";
import type { chunkColumns, Row } from "./schema.ts";

/** Number of hexadecimal digits of a document's hash. */
const hashDigits = 64;

export type ChunkRow = Pick<Row, (typeof chunkColumns)[number]>;

/** Content of `place_json`. */
export interface RowPlace extends Pick<Row, "hash" | "document_id" | "ingested_at">, ChunkPosition {}

export interface NewRow {
  row: Row;
  vector: Float32Array;
  /** The language in which the row's terms were made. Undefined if unknown. */
  language: Language | undefined;
}

/**
 * The rows of a document of one part. Only the first row has the text. Their `document_id` is a name that no other rows have, not even
 * later ones of the same content, so that a delete never removes rows it hasn't seen.
 */
export function* toRows({ document, part }: { document: NewDocument; part: DocumentPart }): Generator<NewRow> {
  const header = { ...document, id: newRowsId() };
  const chunks = part.chunks.length;
  const documentLanguage = detectLanguage(part.text);
  for (const chunk of part.chunks) {
    const text = chunk.index === 0 ? part.text : null;
    yield toRow(header, chunk, { chunks, text, documentLanguage });
  }
}

export const newRowsId = (): string => randomUUID().replaceAll("-", "");

/** The row of one chunk. `chunks` is the number of chunks of its document, and `text` the part of the document's text in this row. */
export function toRow(
  document: DocumentHeader & Pick<NewDocument, "others">,
  chunk: NewChunk,
  { chunks, text, documentLanguage }: { chunks: number; text: string | null; documentLanguage: Language | undefined },
): NewRow {
  const { index, start, end, page, slide, sheet, heading, sections, tableHeader, searchText } = chunk;
  const names = { hash: document.hash, document_id: document.id, ingested_at: document.ingestedAt };
  const place: RowPlace = { ...names, index, start, end, page, slide, sheet, heading, sections, tableHeader };
  const { terms, language } = analyzeChunk(searchText, documentLanguage);
  const row: Row = {
    ...names,
    chunk: index,
    chunks,
    ...toSourceColumns(document),
    search_text: searchText,
    terms: terms.join(" "),
    end_offset: end,
    place_json: JSON.stringify(place),
    document_text: text,
    other_sources: index === 0 && document.others ? formatOthers(document.others) : null,
  };
  return { row, vector: chunk.vector, language };
}

export function formatOthers({ others, hasMore }: OtherSources): string | null {
  if (others.length === 0 && !hasMore) return null;
  // Keep the order of the fields, because `toSourceCondition` relies on it.
  return JSON.stringify({ others: others.map(toSource), hasMore });
}

export const parseOthers = ({ other_sources }: Pick<Row, "other_sources">): OtherSources =>
  other_sources === null ? { others: [] } : (JSON.parse(other_sources) as OtherSources);

export function toSourceColumns(document: DocumentSource) {
  const { title, source, contentType, metadata } = document;
  return {
    title,
    source,
    source_json: JSON.stringify(toSource(document)),
    content_type: contentType ?? null,
    metadata_json: metadata ? toFilterFields(metadata) : null,
  };
}

/** The client's fields as a flat JSON object, in which a list repeats its field for each value. search/filter.ts reads it. */
function toFilterFields(metadata: CustomMetadata): string {
  const fields = Object.entries(metadata).flatMap(([name, value]) =>
    [value].flat().map((one) => `${JSON.stringify(name)}:${JSON.stringify(one)}`),
  );
  return `{${fields.join(",")}}`;
}

export function toHeader(row: Pick<Row, "hash" | "ingested_at" | "source_json">): DocumentHeader {
  // In rows of a document of several parts, the upload follows the hash.
  const hash = row.hash.slice(0, hashDigits);
  return { id: toDocumentId(hash), hash, ...parseSource(row), ingestedAt: row.ingested_at };
}

export const toStoredDocument = (row: Row): StoredDocument => ({ ...toHeader(row), chunks: row.chunks });

export const parseSource = (row: Pick<Row, "source_json">): DocumentSource =>
  JSON.parse(row.source_json) as DocumentSource;

/** The position of a chunk, and the rows it belongs to. */
export const parsePlace = (row: Pick<Row, "place_json">): RowPlace => JSON.parse(row.place_json) as RowPlace;

export function toChunk(row: ChunkRow): FoundChunk {
  const { hash, document_id: _, ingested_at, ...position } = parsePlace(row);
  const searchText = row.search_text;
  const text = searchText.slice(searchText.length - (position.end - position.start));
  return { document: toHeader({ ...row, hash, ingested_at }), ...position, text, searchText };
}
