import type { Pool, PoolClient } from "pg";
import { DatabaseError, escapeIdentifier } from "pg";
import { UnknownStoreError, UnusableStoreError } from "../../errors.ts";

/** The first pgvector version with iterative index scans. */
const minVectorVersion = [0, 8] as const;

/**
 * Number of partitions of the table of vectors. Each namespace with many chunks has its own index, and an insert checks all indexes of
 * its partition.
 */
const vectorPartitions = 16;

const insufficientPrivilege = "42501";

/** What is installed in the database. */
export interface Installation {
  /** The schema of pgvector. */
  vectorSchema: string;
  /** The type `vector` in binary arrays. */
  vectorType: number;
}

/**
 * Each entry runs once, in this order. Released entries never change.
 *
 * `keys` are digests of the values by which documents are found (keys.ts). Texts are never indexed directly: a PostgreSQL index entry
 * is limited to 2,700 bytes, and stays on the disk when its row is gone.
 */
const migrations: readonly string[] = [
  `
  CREATE TABLE namespaces (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Null once the namespace is deleted, until all of its rows are gone.
    name text COLLATE "C" UNIQUE,
    languages text[] NOT NULL DEFAULT '{}'
  );

  CREATE TABLE embeddings (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    namespace_id bigint NOT NULL REFERENCES namespaces ON DELETE CASCADE,
    model text NOT NULL,
    dimension integer NOT NULL,
    state text NOT NULL CHECK (state IN ('active', 'building', 'dropped')),
    has_index boolean NOT NULL DEFAULT false,
    indexing_until timestamptz
  );
  CREATE UNIQUE INDEX active_embeddings ON embeddings (namespace_id) WHERE state = 'active';
  CREATE UNIQUE INDEX building_embeddings ON embeddings (namespace_id) WHERE state = 'building';
  CREATE INDEX embeddings_of_namespaces ON embeddings (namespace_id);

  CREATE TABLE documents (
    pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    namespace_id bigint NOT NULL REFERENCES namespaces ON DELETE CASCADE,
    hash text COLLATE "C" NOT NULL,
    -- Distinguishes this upload from others of the same content.
    upload uuid NOT NULL,
    -- Whether all chunks are there. Nobody sees the document before.
    is_whole boolean NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    chunks integer NOT NULL,
    -- Terms of all chunks together.
    term_count bigint NOT NULL,
    ingested_at text COLLATE "C" NOT NULL,
    source_json text NOT NULL,
    others_json text NOT NULL,
    keys uuid[] NOT NULL
  );
  CREATE UNIQUE INDEX whole_documents ON documents (namespace_id, hash) WHERE is_whole;
  CREATE INDEX listed_documents ON documents (namespace_id, ingested_at, hash) WHERE is_whole;
  CREATE INDEX counted_documents ON documents (namespace_id) INCLUDE (chunks, term_count) WHERE is_whole;
  CREATE INDEX unfinished_documents ON documents (changed_at) WHERE NOT is_whole;
  CREATE INDEX documents_by_keys ON documents USING gin (keys);
  CREATE INDEX documents_of_namespaces ON documents (namespace_id);

  -- The document's text: one row for each part, with the chunks that lie in it.
  CREATE TABLE texts (
    document_pk bigint NOT NULL REFERENCES documents ON DELETE CASCADE,
    part integer NOT NULL,
    first_chunk integer NOT NULL,
    chunks integer NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (document_pk, part)
  );

  CREATE TABLE chunks (
    document_pk bigint NOT NULL REFERENCES documents ON DELETE CASCADE,
    chunk integer NOT NULL,
    place_json text NOT NULL,
    search_text text NOT NULL,
    length integer NOT NULL,
    terms tsvector NOT NULL,
    PRIMARY KEY (document_pk, chunk)
  -- Rows stay whole up to the size of a page: a search reads many of them, and each part apart would be another read.
  ) WITH (toast_tuple_target = 8160);
  CREATE INDEX chunks_by_terms ON chunks USING gin (terms) WITH (fastupdate = off);

  CREATE TABLE vectors (
    document_pk bigint NOT NULL REFERENCES documents ON DELETE CASCADE,
    embedding_id bigint NOT NULL,
    chunk integer NOT NULL,
    embedding vector NOT NULL,
    PRIMARY KEY (document_pk, embedding_id, chunk)
  ) PARTITION BY HASH (embedding_id);
  ${Array.from(
    { length: vectorPartitions },
    (_, part) => `CREATE TABLE vectors_${part} PARTITION OF vectors
      FOR VALUES WITH (MODULUS ${vectorPartitions}, REMAINDER ${part}) WITH (toast_tuple_target = 8160);`,
  ).join("\n")}

  CREATE TABLE jobs (
    id text COLLATE "C" PRIMARY KEY,
    owner text NOT NULL,
    namespace text NOT NULL,
    status text NOT NULL,
    created_at text COLLATE "C" NOT NULL,
    finished_at text,
    is_cancelled boolean NOT NULL DEFAULT false,
    epoch integer NOT NULL,
    -- The mark of the process that holds the lease; empty once it was released.
    holder text NOT NULL,
    leased_until timestamptz NOT NULL,
    state_json text NOT NULL,
    -- Null once the job has ended.
    order_json text
  );
  CREATE INDEX listed_jobs ON jobs (owner, created_at, id);
  CREATE INDEX unfinished_jobs ON jobs (leased_until) WHERE finished_at IS NULL;

  CREATE TABLE job_files (
    job_id text COLLATE "C" NOT NULL REFERENCES jobs ON DELETE CASCADE,
    name text COLLATE "C" NOT NULL,
    piece integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (job_id, name, piece)
  );
  -- Files are mostly compressed already.
  ALTER TABLE job_files ALTER bytes SET STORAGE EXTERNAL;
  `,
  `
  -- The log of the change feed.
  CREATE TABLE change_records (
    namespace_id bigint NOT NULL REFERENCES namespaces ON DELETE CASCADE,
    number integer NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (namespace_id, number)
  );
  `,
];

/** Brings the schema up to date, once, even if several processes start at the same time. @throws UnusableStoreError */
export async function migrate(pool: Pool, schema: string): Promise<Installation> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const found = await findVector(client);
    if (found && (await readVersion(client, schema)) === migrations.length) return found;
    // Allow one process at a time, even for stores in other schemas: they share the extension.
    await client.query("SELECT pg_advisory_xact_lock(hashtext('agent-backends migrations'))");
    const vector = (await findVector(client)) ?? (await createVector(client));
    const installed = await readVersion(client, schema);
    if (installed > migrations.length) throw new UnknownStoreError();
    if (installed === 0) await createSchema(client, schema);
    const path = [schema, vector.vectorSchema].map(escapeIdentifier).join(", ");
    await client.query(`SET LOCAL search_path = ${path}`);
    for (const [position, statements] of migrations.entries()) {
      if (position < installed) continue;
      await client.query(statements);
      await client.query("INSERT INTO migrations (version) VALUES ($1)", [position + 1]);
    }
    await client.query("COMMIT");
    return vector;
  } finally {
    await client.query("ROLLBACK").catch(() => undefined);
    client.release();
  }
}

/** The version of the schema, or 0 if there is none. */
async function readVersion(client: PoolClient, schema: string): Promise<number> {
  const table = `${escapeIdentifier(schema)}.migrations`;
  const { rows } = await client.query("SELECT to_regclass($1) IS NOT NULL AS exists", [table]);
  if (!rows[0]?.exists) return 0;
  const found = await client.query(`SELECT coalesce(max(version), 0)::integer AS version FROM ${table}`);
  return found.rows[0]?.version ?? 0;
}

async function createSchema(client: PoolClient, schema: string): Promise<void> {
  const name = escapeIdentifier(schema);
  const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
  // Without the right to create schemas, a schema created by an administrator is sufficient.
  if (rows.length === 0) await client.query(`CREATE SCHEMA ${name}`);
  await client.query(
    `CREATE TABLE ${name}.migrations (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())`,
  );
}

/** The installed extension, if there is one. @throws UnusableStoreError if it is too old */
async function findVector(client: PoolClient): Promise<Installation | undefined> {
  const { rows } = await client.query<{ version: string; schema: string; type: number }>(`
    SELECT extversion AS version, nspname AS schema, pg_type.oid AS type
    FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
    JOIN pg_type ON typnamespace = pg_namespace.oid AND typname = 'vector'
    WHERE extname = 'vector'`);
  const [found] = rows;
  if (!found) return undefined;
  const [major = 0, minor = 0] = found.version.split(".").map(Number);
  const [minMajor, minMinor] = minVectorVersion;
  if (major < minMajor || (major === minMajor && minor < minMinor)) {
    throw new UnusableStoreError(
      `KNOWLEDGE_STORE has pgvector ${found.version}, which is too old: install ${minVectorVersion.join(".")} or newer on the database server and run \`ALTER EXTENSION vector UPDATE\` there.`,
    );
  }
  return { vectorSchema: found.schema, vectorType: found.type };
}

/** @throws UnusableStoreError */
async function createVector(client: PoolClient): Promise<Installation> {
  try {
    await client.query("CREATE EXTENSION vector");
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new UnusableStoreError(
      error.code === insufficientPrivilege
        ? "KNOWLEDGE_STORE lacks the extension pgvector, and its user may not create it: run `CREATE EXTENSION vector` in the database as an administrator."
        : `KNOWLEDGE_STORE lacks the extension pgvector: install pgvector ${minVectorVersion.join(".")} or newer on the database server.`,
      { cause: error },
    );
  }
  const created = await findVector(client);
  if (!created) throw new Error("PostgreSQL does not list an extension that it has just created.");
  return created;
}
