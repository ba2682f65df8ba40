import type { Embedding } from "../document.ts";
import { requireDimension } from "../embeddings.ts";
import type { Reembedder } from "../knowledge-store.ts";
import type { Database, Query } from "./database/database.ts";
import { readNamespace, removeHidden } from "./namespaces.ts";
import { countChunks, ensureVectorIndex } from "./vector-index.ts";
import { encodeVectors } from "./vectors.ts";

/** Number of chunks whose vectors are computed and stored together. More take more memory; fewer need more calls. */
const chunkBatchSize = 256;

interface MissingChunk {
  document_pk: string;
  chunk: number;
  search_text: string;
}

/**
 * Gives all chunks of a namespace a second vector, and then switches searches to these. Documents added in the meantime only have a
 * vector of the old model, and get theirs before the switch.
 *
 * @returns false for an unknown namespace
 */
export async function reembedNamespace(database: Database, namespace: string, embedder: Reembedder): Promise<boolean> {
  for (;;) {
    const stored = await readNamespace(database.query, namespace);
    if (!stored) return false;
    const { model, dimension } = embedder;
    const isActive = stored.embedding.model === model && stored.embedding.dimension === dimension;
    // Drop embeddings of models that were abandoned before they were searched.
    await database.query(
      `UPDATE embeddings SET state = 'dropped'
       WHERE namespace_id = $1 AND state = 'building' AND ($2 OR model <> $3 OR dimension <> $4)`,
      [stored.id, isActive, model, dimension],
    );
    await removeHidden(database);
    if (isActive) return true;
    const building = await openBuilding(database, stored.id, { model, dimension });
    const chunks = await fillVectors(database, stored.id, building, embedder);
    await ensureVectorIndex(database, { id: building, model, dimension, hasIndex: false }, chunks);
    await database.transaction(async (query) => {
      // Wait for writers, and block others until the switch.
      await query("SELECT FROM namespaces WHERE id = $1 FOR UPDATE", [stored.id]);
      const [missing] = await listMissing(query, stored.id, building, { limit: 1 });
      if (missing) return;
      await query("UPDATE embeddings SET state = 'dropped' WHERE id = $1", [stored.embedding.id]);
      await query("UPDATE embeddings SET state = 'active' WHERE id = $1 AND state = 'building'", [building]);
    });
  }
}

/** The embedding that is being built. Another process may have started it. */
async function openBuilding(database: Database, namespaceId: string, { model, dimension }: Embedding): Promise<string> {
  await database.query(
    `INSERT INTO embeddings (namespace_id, model, dimension, state) VALUES ($1, $2, $3, 'building')
     ON CONFLICT (namespace_id) WHERE state = 'building' DO NOTHING`,
    [namespaceId, model, dimension],
  );
  const { rows } = await database.query<{ id: string }>(
    "SELECT id FROM embeddings WHERE namespace_id = $1 AND state = 'building' AND model = $2 AND dimension = $3",
    [namespaceId, model, dimension],
  );
  if (!rows[0]) throw new Error("Another process gives the namespace vectors of another model.");
  return rows[0].id;
}

/** Computes the missing vectors. @returns how many chunks the namespace has */
async function fillVectors(
  database: Database,
  namespaceId: string,
  embeddingId: string,
  { dimension, embed, onProgress }: Reembedder,
): Promise<number> {
  const { vectorType } = await database.install();
  const total = await countChunks(database.query, namespaceId);
  let done = await countVectors(database.query, namespaceId, embeddingId);
  onProgress?.(done, total);
  let last: MissingChunk | undefined;
  for (;;) {
    const missing = await listMissing(database.query, namespaceId, embeddingId, { limit: chunkBatchSize, after: last });
    if (missing.length === 0) return total;
    const vectors = await embed(missing.map(({ search_text }) => search_text));
    requireDimension(vectors, dimension);
    // Documents that were deleted in the meantime get no vectors.
    await database.query(
      `INSERT INTO vectors (document_pk, embedding_id, chunk, embedding)
       SELECT pk, $1, number, embedding FROM unnest($2::bigint[], $3::integer[], $4::vector[]) AS rows (pk, number, embedding)
       WHERE EXISTS (SELECT FROM documents WHERE documents.pk = rows.pk FOR KEY SHARE)
       ON CONFLICT DO NOTHING`,
      [
        embeddingId,
        missing.map(({ document_pk }) => document_pk),
        missing.map(({ chunk }) => chunk),
        encodeVectors(vectors, vectorType),
      ],
    );
    last = missing.at(-1);
    done += missing.length;
    onProgress?.(Math.min(done, total), total);
  }
}

async function listMissing(
  query: Query,
  namespaceId: string,
  embeddingId: string,
  { limit, after }: { limit: number; after?: MissingChunk | undefined },
): Promise<MissingChunk[]> {
  const { rows } = await query<MissingChunk>(
    `SELECT document_pk, chunk, search_text FROM documents JOIN chunks ON document_pk = pk
     WHERE namespace_id = $1 AND is_whole AND (document_pk, chunk) > ($4, $5)
       AND NOT EXISTS (SELECT FROM vectors WHERE vectors.document_pk = pk AND embedding_id = $2 AND vectors.chunk = chunks.chunk)
     ORDER BY document_pk, chunk LIMIT $3`,
    [namespaceId, embeddingId, limit, after?.document_pk ?? 0, after?.chunk ?? 0],
  );
  return rows;
}

async function countVectors(query: Query, namespaceId: string, embeddingId: string): Promise<number> {
  const { rows } = await query<{ count: string }>(
    "SELECT count(*) AS count FROM documents JOIN vectors ON document_pk = pk WHERE namespace_id = $1 AND embedding_id = $2",
    [namespaceId, embeddingId],
  );
  return Number(rows[0]?.count);
}
