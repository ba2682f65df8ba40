import type {
  ChunkPosition,
  DocumentCursor,
  DocumentPart,
  Embedding,
  ExportedDocument,
  OtherSources,
} from "../document.ts";
import { requireEmbedding } from "../embeddings.ts";
import { DocumentGoneError, EmbeddingMismatchError } from "../errors.ts";
import type { ChunkRow, DocumentRow } from "./chunk-rows.ts";
import { toStoredDocument } from "./chunk-rows.ts";
import type { Database } from "./database/database.ts";
import { listDocuments } from "./documents.ts";
import { readNamespace } from "./namespaces.ts";
import { decodeVector } from "./vectors.ts";

/** Number of documents listed by one query. */
const documentBatchSize = 256;

interface PartRow extends ChunkRow {
  vector: Buffer | null;
}

export async function* exportDocuments(
  database: Database,
  namespace: string,
  embedding: Embedding,
): AsyncGenerator<ExportedDocument, void, undefined> {
  const stored = await readNamespace(database.query, namespace);
  if (!stored) return;
  requireEmbedding(namespace, stored.embedding, embedding);
  let after: DocumentCursor | undefined;
  for (;;) {
    const rows = await listDocuments(database.query, stored.id, { limit: documentBatchSize, after });
    for (const row of rows) {
      const first = await readPart(row, 0);
      if (first) yield { ...toStoredDocument(row), others: first.others, parts: readParts(row, first) };
    }
    const last = rows.at(-1);
    if (!last || rows.length < documentBatchSize) return;
    const { ingestedAt, id } = toStoredDocument(last);
    after = { ingestedAt, id };
  }

  async function* readParts(row: DocumentRow, first: DocumentPart): AsyncGenerator<DocumentPart, void, undefined> {
    yield first;
    let read = first.chunks.length;
    for (let part = 1; read < row.chunks; part += 1) {
      const next = await readPart(row, part);
      if (!next) throw new DocumentGoneError();
      read += next.chunks.length;
      yield next;
    }
  }

  /** Reads a part of a document. Resolves with undefined if the document is gone. */
  async function readPart(
    { pk }: DocumentRow,
    part: number,
  ): Promise<(DocumentPart & { others: OtherSources }) | undefined> {
    return database.transaction(
      async (query) => {
        const [text, chunks] = await Promise.all([
          query<{ content: string; others_json: string }>(
            "SELECT content, others_json FROM texts JOIN documents ON pk = document_pk WHERE document_pk = $1 AND part = $2",
            [pk, part],
          ),
          query<PartRow>(
            `SELECT place_json, search_text, vector_send(embedding) AS vector
             FROM texts JOIN chunks ON chunks.document_pk = texts.document_pk
             LEFT JOIN vectors ON vectors.document_pk = chunks.document_pk AND vectors.chunk = chunks.chunk AND embedding_id = $3
             WHERE texts.document_pk = $1 AND part = $2 AND chunks.chunk >= first_chunk AND chunks.chunk < first_chunk + texts.chunks
             ORDER BY chunks.chunk`,
            [pk, part, stored?.embedding.id],
          ),
        ]);
        const [found] = text.rows;
        if (!found) return undefined;
        return {
          text: found.content,
          others: JSON.parse(found.others_json) as OtherSources,
          chunks: chunks.rows.map(({ place_json, search_text: searchText, vector }) => {
            if (!vector) throw new EmbeddingMismatchError(namespace, embedding, embedding);
            return { ...(JSON.parse(place_json) as ChunkPosition), searchText, vector: decodeVector(vector) };
          }),
        };
      },
      { isSnapshot: true },
    );
  }
}
