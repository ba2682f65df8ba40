import { randomUUID } from "node:crypto";
import { rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Connection, Table } from "@lancedb/lancedb";
import { Index } from "@lancedb/lancedb";
import PQueue from "p-queue";
import { analyzer } from "../analyzer.ts";
import type { Embedding } from "../document.ts";
import { entriesBelow } from "../entries-below.ts";
import type { EmbeddingMismatchError } from "../errors.ts";
import { UnknownStoreError } from "../errors.ts";
import type { KnownSources } from "../knowledge-store.ts";
import type { SmallDocument } from "./add-documents.ts";
import { addDocuments } from "./add-documents.ts";
import { Batcher } from "./batcher.ts";
import { commit } from "./commit.ts";
import { readSources } from "./document-sources.ts";
import { DurableFiles } from "./durable-files.ts";
import { hasAllColumns, tableSchema } from "./rows.ts";
import { draftPrefix, tableNameOf } from "./table-names.ts";
import { readSchema } from "./vector-columns.ts";

/** Chunks that one commit takes when many documents are waiting. */
const chunksPerCommit = 4_096;
/** Contents that are looked for by one query when many are waiting: it takes as long as one for a single content. */
const contentsPerLookup = 256;

/** An open table with what this process keeps beside it. */
export interface NamespaceTable {
  namespace: string;
  connection: Connection;
  table: Table;
  /** One writer at a time in this process; the engine settles races between processes. */
  writes: PQueue;
  /** Gives whether the document was stored, or why it can't be. */
  additions: Batcher<SmallDocument, boolean | EmbeddingMismatchError>;
  /** Gives where the content of a hash came from; `undefined` when it is not there. */
  lookups: Batcher<string, KnownSources | undefined>;
  /** Documents stored in parts of which it is known that all of them are there; see document-parts.ts. */
  wholeUploads: Set<string>;
  /** Absent where the store is not a local folder. */
  files?: DurableFiles;
}

/** Whether a table, or a column of it, is gone that was there before. The engine's errors have no name of their own. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === "Error" &&
  /\bnot found\b|No such file or directory|different schema|No vector column|does not exist/i.test(error.message);

/** Opens a namespace's table; `undefined` when there is none. */
export async function openNamespaceTable(
  connection: Connection,
  namespace: string,
  folder: string | undefined,
  writes: PQueue,
): Promise<NamespaceTable | undefined> {
  try {
    return await prepare(connection, await connection.openTable(tableNameOf(namespace)), { namespace, folder, writes });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Creates a namespace's table, or opens the one that another writer created meanwhile. The engine lets the later of two
 * creators write an empty table over the earlier one's, with what it holds: so in a folder a table is made under another
 * name, and only the first one gets its own.
 */
export async function createNamespaceTable(
  connection: Connection,
  about: { namespace: string } & Embedding,
  folder: string | undefined,
  writes: PQueue,
): Promise<NamespaceTable> {
  const { namespace } = about;
  const name = tableNameOf(about.namespace);
  if (folder === undefined) {
    const table = await connection.createEmptyTable(name, tableSchema(about), { mode: "create", existOk: true });
    return prepare(connection, table, { namespace, folder, writes });
  }
  const draft = `${draftPrefix}${randomUUID()}`;
  const table = await connection.createEmptyTable(draft, tableSchema(about));
  await ensureFullTextIndex(table);
  table.close();
  const draftFolder = join(dirname(folder), `${draft}.lance`);
  if (!(await takesPlace(draftFolder, folder))) {
    // Another process may be removing it just now.
    await removeRemnant(folder).catch(() => undefined);
    if (!(await takesPlace(draftFolder, folder))) await connection.dropTable(draft);
  }
  return prepare(connection, await connection.openTable(name), { namespace, folder, writes });
}

async function takesPlace(draftFolder: string, folder: string): Promise<boolean> {
  try {
    await rename(draftFolder, folder);
    return true;
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return false;
  }
}

/**
 * Empties the folder of a table that has no state: a writer that came after its deletion died before it could commit.
 * Another process may put its table there meanwhile: so the state is looked for last, and what was listed before that is
 * removed one by one, since files of two tables have other names.
 */
async function removeRemnant(folder: string): Promise<void> {
  const entries = await entriesBelow(folder);
  const names = [...entries, ...(await entriesBelow(folder))].map(({ name }) => name);
  if (names.some((name) => name.endsWith(".manifest"))) return;
  const pathOf = (entry: (typeof entries)[number]) => join(entry.parentPath, entry.name);
  for (const file of entries.filter((entry) => !entry.isDirectory())) await rm(pathOf(file), { force: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(pathOf);
  // The deepest first; one that is in use again stays.
  for (const inner of folders.sort().reverse()) await rmdir(inner).catch(() => undefined);
}

async function prepare(
  connection: Connection,
  table: Table,
  { namespace, folder, writes }: { namespace: string; folder: string | undefined; writes: PQueue },
): Promise<NamespaceTable> {
  const schema = await table.schema();
  const recorded = readSchema(schema).namespace;
  if (!hasAllColumns(schema)) throw new UnknownStoreError();
  if (recorded !== namespace) {
    throw new Error(`The table of namespace "${namespace}" says that it belongs to "${recorded}".`);
  }
  await ensureFullTextIndex(table);
  const additions = new Batcher({
    queue: writes,
    weightOf: ({ part }: SmallDocument) => part.chunks.length,
    weightAtMost: chunksPerCommit,
    work: (documents) => addDocuments({ connection, table, namespace }, documents),
  });
  const lookups = new Batcher({
    queue: new PQueue({ concurrency: 1 }),
    weightOf: () => 1,
    weightAtMost: contentsPerLookup,
    work: (hashes: string[]) => readSources({ table, writes }, hashes),
  });
  const wholeUploads = new Set<string>();
  return {
    namespace,
    connection,
    table,
    writes,
    additions,
    lookups,
    wholeUploads,
    ...(folder && { files: new DurableFiles(folder) }),
  };
}

// The process may have died between creating the table and its index, so this is asked at each opening.
async function ensureFullTextIndex(table: Table): Promise<void> {
  const exists = async () => (await table.listIndices()).some((index) => index.columns.includes("search_text"));
  if (await exists()) return;
  try {
    const config = Index.fts({ ...analyzer, withPosition: false });
    await commit(() => table.createIndex("search_text", { config, replace: false }));
  } catch (error) {
    if (!(await exists())) throw error;
  }
}
