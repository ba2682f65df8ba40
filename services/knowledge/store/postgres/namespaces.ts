import type { Language } from "@agent-backends/language";
import type { Embedding } from "../document.ts";
import { requireEmbedding } from "../embeddings.ts";
import { EmbeddingMismatchError, NamespaceGoneError } from "../errors.ts";
import type { Database, Query } from "./database/database.ts";

/** Number of documents deleted by one transaction. */
const documentBatchSize = 200;
/** Number of vectors of an unused model deleted by one transaction. */
const vectorBatchSize = 5_000;

export interface StoredEmbedding extends Embedding {
  id: string;
  /** Whether searches use its index. Otherwise they compare all vectors. */
  hasIndex: boolean;
}

export interface StoredNamespace {
  id: string;
  languages: Language[];
  /** The embedding of the vectors that are searched. */
  embedding: StoredEmbedding;
}

interface NamespaceRow {
  id: string;
  languages: Language[];
  embedding_id: string;
  model: string;
  dimension: number;
  has_index: boolean;
}

const selectNamespace = `
  SELECT namespaces.id, languages, embeddings.id AS embedding_id, model, dimension, has_index
  FROM namespaces JOIN embeddings ON namespace_id = namespaces.id AND state = 'active'`;

const toNamespace = ({ id, languages, embedding_id, model, dimension, has_index }: NamespaceRow): StoredNamespace => ({
  id,
  languages,
  embedding: { id: embedding_id, model, dimension, hasIndex: has_index },
});

/** `undefined` for an unknown namespace. */
export async function readNamespace(query: Query, name: string): Promise<StoredNamespace | undefined> {
  const { rows } = await query<NamespaceRow>(`${selectNamespace} WHERE name = $1`, [name]);
  return rows[0] && toNamespace(rows[0]);
}

/**
 * Creates the namespace with this embedding if it is unknown and may be created.
 *
 * @throws EmbeddingMismatchError if it has another embedding; NamespaceGoneError
 */
export async function openOrCreateNamespace(
  database: Database,
  name: string,
  { embedding: { model, dimension }, mayCreate }: { embedding: Embedding; mayCreate: boolean },
): Promise<StoredNamespace> {
  const known = await readNamespace(database.query, name);
  if (!known && !mayCreate) throw new NamespaceGoneError();
  const found = known ?? (await database.transaction(create));
  requireEmbedding(name, found.embedding, { model, dimension });
  return found;

  async function create(query: Query): Promise<StoredNamespace> {
    // Waits for another process that creates the namespace at the same time.
    await query(
      `WITH made AS (INSERT INTO namespaces (name) VALUES ($1) ON CONFLICT (name) DO NOTHING RETURNING id)
       INSERT INTO embeddings (namespace_id, model, dimension, state) SELECT id, $2, $3, 'active' FROM made`,
      [name, model, dimension],
    );
    const created = await readNamespace(query, name);
    if (!created) throw new NamespaceGoneError();
    return created;
  }
}

/**
 * Prevents a namespace from being deleted, and its vectors from being replaced, until the transaction ends. Writers don't exclude each
 * other.
 *
 * @throws NamespaceGoneError; EmbeddingMismatchError if searches use other vectors in the meantime
 */
export async function lockNamespace(query: Query, name: string, { id, embedding }: StoredNamespace): Promise<void> {
  // Use two statements, so that the second one reads the state after the first has waited for its lock.
  const [locked, { rows }] = await Promise.all([
    query("SELECT FROM namespaces WHERE id = $1 AND name = $2 FOR KEY SHARE", [id, name]),
    query<NamespaceRow>(`${selectNamespace} WHERE namespaces.id = $1`, [id]),
  ]);
  const [row] = rows;
  if (locked.count === 0 || !row) throw new NamespaceGoneError();
  const current = toNamespace(row);
  if (current.embedding.id !== embedding.id) throw new EmbeddingMismatchError(name, current.embedding, embedding);
}

/** Records the languages of a namespace's chunks, so that questions are analysed in them. */
export async function recordLanguages(query: Query, { id, languages }: StoredNamespace, found: Iterable<Language>) {
  const added = [...new Set(found)].filter((language) => !languages.includes(language));
  if (added.length === 0) return;
  await query(
    `UPDATE namespaces SET languages = ARRAY(SELECT DISTINCT unnest(languages || $2::text[]) ORDER BY 1)
     WHERE id = $1 AND NOT languages @> $2::text[]`,
    [id, added],
  );
}

/** Hides a namespace from all readers and writers at once, after waiting for the writers that hold it. @returns its id, if it existed */
export async function hideNamespace(database: Database, name: string): Promise<string | undefined> {
  const { rows } = await database.query<{ id: string }>(
    "UPDATE namespaces SET name = NULL WHERE name = $1 RETURNING id",
    [name],
  );
  return rows[0]?.id;
}

/**
 * Deletes the rows of hidden namespaces and of unused vectors, including those left by a process that died. Uses small transactions, so
 * that none blocks others or exceeds the statement timeout.
 */
export async function removeHidden(database: Database): Promise<void> {
  const dropped = await database.query<{ id: string }>("SELECT id FROM embeddings WHERE state = 'dropped'");
  for (const { id } of dropped.rows) await removeEmbedding(database, id);
  const hidden = await database.query<{ id: string }>("SELECT id FROM namespaces WHERE name IS NULL");
  for (const { id } of hidden.rows) {
    const deleteSome = `DELETE FROM documents WHERE pk IN (SELECT pk FROM documents WHERE namespace_id = $1 LIMIT ${documentBatchSize})`;
    while ((await database.query(deleteSome, [id])).count > 0);
    const embeddings = await database.query<{ id: string }>("SELECT id FROM embeddings WHERE namespace_id = $1", [id]);
    for (const embedding of embeddings.rows) await removeEmbedding(database, embedding.id);
    await database.query("DELETE FROM namespaces WHERE id = $1 AND name IS NULL", [id]);
  }
}

async function removeEmbedding(database: Database, id: string): Promise<void> {
  await database.execute(`DROP INDEX CONCURRENTLY IF EXISTS ${database.qualify(getIndexName(id))}`);
  const deleteSome = `DELETE FROM vectors WHERE embedding_id = $1 AND (document_pk, chunk) IN
    (SELECT document_pk, chunk FROM vectors WHERE embedding_id = $1 LIMIT ${vectorBatchSize})`;
  while ((await database.query(deleteSome, [id])).count > 0);
  await database.query("DELETE FROM embeddings WHERE id = $1", [id]);
}

export const getIndexName = (embeddingId: string): string => `vectors_of_embedding_${embeddingId}`;
