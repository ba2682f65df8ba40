import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { Connection, Table } from "@lancedb/lancedb";
import { Index } from "@lancedb/lancedb";
import type PQueue from "p-queue";
import { analyzer } from "../../analyzer.ts";
import type { Embedding } from "../../document.ts";
import { UnknownStoreError } from "../../errors.ts";
import { getFolderIdentity } from "../../files.ts";
import { commit, isMissing } from "./commit.ts";
import { DurableFiles } from "./durable-files.ts";
import { draftPrefix, getTableName, hasAllColumns, readSchema, tableSchema } from "./schema.ts";
import { publishTable } from "./table-folder.ts";

/** An open table of a namespace. */
export interface TableHandle {
  namespace: string;
  connection: Connection;
  table: Table;
  /** Distinguishes the table from a later one of the same namespace. Absent on an object store. */
  identity?: string;
  /** One writer at a time in this process. The engine resolves races between processes. */
  writes: PQueue;
  /** Absent on an object store. */
  files?: DurableFiles;
}

/** How to reach the table of a namespace. */
interface TablePlace {
  connection: Connection;
  /** Absent on an object store. */
  folder: string | undefined;
  writes: PQueue;
}

/** @returns `undefined` when the namespace has no table */
export async function openTable(namespace: string, place: TablePlace): Promise<TableHandle | undefined> {
  try {
    return await openExisting(namespace, place);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Creates a namespace's table, or opens the one that another writer created meanwhile. The engine lets the later of two
 * creators replace the earlier one's table, with what it holds, by an empty one. In a folder a table is therefore created
 * under another name, and only the first one gets the namespace's name.
 */
export async function createTable(namespace: string, embedding: Embedding, place: TablePlace): Promise<TableHandle> {
  const { connection, folder } = place;
  const name = getTableName(namespace);
  const schema = tableSchema({ namespace, ...embedding });
  if (folder === undefined) {
    const options = { mode: "create", existOk: true } as const;
    return prepare(namespace, place, await connection.createEmptyTable(name, schema, options));
  }
  const draft = `${draftPrefix}${randomUUID()}`;
  const table = await connection.createEmptyTable(draft, schema);
  await ensureFullTextIndex(table);
  table.close();
  if (!(await publishTable(join(dirname(folder), `${draft}.lance`), folder))) await connection.dropTable(draft);
  return openExisting(namespace, place);
}

async function openExisting(namespace: string, place: TablePlace): Promise<TableHandle> {
  // Before the table is opened: another process may recreate it at any time.
  const identity = place.folder && (await getFolderIdentity(place.folder));
  const handle = await prepare(namespace, place, await place.connection.openTable(getTableName(namespace)));
  return identity === undefined ? handle : { ...handle, identity };
}

async function prepare(
  namespace: string,
  { connection, folder, writes }: TablePlace,
  table: Table,
): Promise<TableHandle> {
  const schema = await table.schema();
  const recorded = readSchema(schema).namespace;
  if (!hasAllColumns(schema)) throw new UnknownStoreError();
  if (recorded !== namespace) {
    throw new Error(`The table of namespace "${namespace}" says that it belongs to "${recorded}".`);
  }
  await ensureFullTextIndex(table);
  return { namespace, connection, table, writes, ...(folder && { files: new DurableFiles(folder) }) };
}

// Checked at each opening: the process may have died between creating the table and its index.
async function ensureFullTextIndex(table: Table): Promise<void> {
  const exists = async () => (await table.listIndices()).some((index) => index.columns.includes("search_text"));
  if (await exists()) return;
  try {
    await createFullTextIndex(table, false);
  } catch (error) {
    if (!(await exists())) throw error;
  }
}

/** Makes the index anew: merging it keeps the words of rows that were deleted. */
export const rebuildFullTextIndex = (table: Table): Promise<void> => createFullTextIndex(table, true);

function createFullTextIndex(table: Table, replace: boolean): Promise<void> {
  const config = Index.fts({ ...analyzer, withPosition: false });
  return commit(() => table.createIndex("search_text", { config, replace }));
}
