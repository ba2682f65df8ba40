import type { Embedding } from "../document.ts";
import type { Database, Query } from "./database/database.ts";
import type { StoredEmbedding } from "./namespaces.ts";
import { getIndexName } from "./namespaces.ts";

/** Minimum number of chunks for an index. Comparing fewer vectors takes about as long as searching an index. */
const minIndexedChunks = 10_000;

/** pgvector's dimension limits for an HNSW index: for 4-byte numbers, and for the 2-byte numbers with which longer vectors are indexed. */
const maxIndexedDimension = 2_000;
const maxHalfDimension = 4_000;

/** If the lease wasn't renewed for this long, its process has died, and another process may build the index. */
const buildLeaseMinutes = 60;

/** A vector in indexed form. The index needs to know the dimension, which the column leaves open. */
export const toIndexedVector = (expression: string, { dimension }: Embedding): string =>
  dimension <= maxIndexedDimension
    ? `(${expression}::vector(${Number(dimension)}))`
    : `(${expression}::vector::halfvec(${Number(dimension)}))`;

/**
 * Builds the HNSW index of an embedding once it has many vectors. Each namespace with many chunks has its own index: a search in it
 * finds no other tenant's chunks, and small namespaces need none. Writers continue in the meantime.
 */
export async function ensureVectorIndex(
  database: Database,
  { id, dimension }: StoredEmbedding & Embedding,
  chunks: number,
) {
  if (chunks < minIndexedChunks || dimension > maxHalfDimension) return;
  const claimed = await database.query(
    `UPDATE embeddings SET indexing_until = now() + interval '${buildLeaseMinutes} minutes'
     WHERE id = $1 AND NOT has_index AND (indexing_until IS NULL OR indexing_until < now())`,
    [id],
  );
  if (claimed.count === 0) return;
  try {
    const name = getIndexName(id);
    // An index left by an interrupted build is invalid.
    await database.execute(`DROP INDEX CONCURRENTLY IF EXISTS ${database.qualify(name)}`);
    const table = await findPartition(database, id);
    if (table === undefined) return;
    const operators = dimension <= maxIndexedDimension ? "vector_cosine_ops" : "halfvec_cosine_ops";
    const { vectorSchema } = await database.install();
    await database.execute(
      `CREATE INDEX CONCURRENTLY "${name}" ON ${database.qualify(table)}
       USING hnsw (${toIndexedVector("embedding", { model: "", dimension })} ${vectorSchema}.${operators})
       WHERE embedding_id = ${Number(id)}`,
    );
    await database.query("UPDATE embeddings SET has_index = true WHERE id = $1", [id]);
  } finally {
    await database.query("UPDATE embeddings SET indexing_until = NULL WHERE id = $1", [id]);
  }
}

async function findPartition(database: Database, id: string): Promise<string | undefined> {
  const { rows } = await database.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE oid = (SELECT tableoid FROM vectors WHERE embedding_id = $1 LIMIT 1)",
    [id],
  );
  return rows[0]?.name;
}

/** Number of chunks of a namespace's complete documents. */
export async function countChunks(query: Query, namespaceId: string): Promise<number> {
  const { rows } = await query<{ count: string }>(
    "SELECT coalesce(sum(chunks), 0) AS count FROM documents WHERE namespace_id = $1 AND is_whole",
    [namespaceId],
  );
  return Number(rows[0]?.count);
}
