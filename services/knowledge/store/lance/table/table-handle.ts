import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { Language } from "@agent-backends/language";
import type { Connection, Table } from "@lancedb/lancedb";
import { Index } from "@lancedb/lancedb";
import type PQueue from "p-queue";
import type { Embedding } from "../../document.ts";
import { UnknownStoreError } from "../../errors.ts";
import { getFolderIdentity } from "../../files.ts";
import { commit, isMissing } from "./commit.ts";
import { DurableFiles } from "./durable-files.ts";
import {
  buildTableSchema,
  draftPrefix,
  getMissingColumns,
  getTableName,
  readSchema,
  toLanguageMetadata,
} from "./schema.ts";
import { publishTable } from "./table-folder.ts";

export interface TableHandle {
  namespace: string;
  connection: Connection;
  table: Table;
  /** Absent on an object store. */
  folder: string | undefined;
  /** Distinguishes the table from a later one of the same namespace. Absent on an object store. */
  identity: string | undefined;
  /** Allows one writer at a time in this process. The engine resolves races between processes. */
  writeQueue: PQueue;
  /** The languages recorded in the schema. A question is analysed in these languages. */
  languages: Set<Language>;
  /** Absent on an object store. */
  files?: DurableFiles;
}

interface TablePlace {
  connection: Connection;
  /** Absent on an object store. */
  folder: string | undefined;
  writeQueue: PQueue;
}

/** @returns `undefined` if the namespace has no table */
export async function openTable(namespace: string, place: TablePlace): Promise<TableHandle | undefined> {
  try {
    return await openExisting(namespace, place);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Creates a namespace's table, or opens the one that another writer created in the meantime. The engine lets the later of two creators
 * replace the earlier one's table, with its data, by an empty one. In a folder, a table is therefore created under another name, and
 * only the first one gets the namespace's name.
 */
export async function createTable(namespace: string, embedding: Embedding, place: TablePlace): Promise<TableHandle> {
  const { connection, folder } = place;
  const name = folder === undefined ? getTableName(namespace) : `${draftPrefix}${randomUUID()}`;
  const schema = buildTableSchema({ namespace, ...embedding });
  const table = await connection.createEmptyTable(name, schema, { mode: "create", existOk: true });
  await ensureTermsIndex(table);
  table.close();
  if (folder !== undefined && !(await publishTable(join(dirname(folder), `${name}.lance`), folder)))
    await connection.dropTable(name);
  return openExisting(namespace, place);
}

async function openExisting(namespace: string, { connection, folder, writeQueue }: TablePlace): Promise<TableHandle> {
  // Read the identity before the table is opened: another process may recreate the table at any time.
  const identity = folder && (await getFolderIdentity(folder));
  const table = await connection.openTable(getTableName(namespace));
  const schema = await table.schema();
  const { namespace: recorded, languages, termsAreComplete } = readSchema(schema);
  const missing = getMissingColumns(schema);
  if (missing.some((name) => name !== "terms")) throw new UnknownStoreError();
  if (recorded !== namespace) {
    throw new Error(`The table of namespace "${namespace}" says that it belongs to "${recorded}".`);
  }
  if (missing.length > 0) await addTermsColumn(table);
  // Check this at each opening: the process may have died between creating the table and its index.
  if (termsAreComplete) await ensureTermsIndex(table);
  const files = folder && { files: new DurableFiles(folder) };
  return { namespace, connection, table, folder, identity, writeQueue, languages: new Set(languages), ...files };
}

/**
 * Identifies a version of a table. Version numbers start from 1 again when a namespace is deleted and recreated; then the folder differs.
 * On an object store that isn't known.
 */
export async function readVersion({
  table,
  folder,
}: TableHandle): Promise<{ id: string; identity: string | undefined }> {
  const [version, identity] = await Promise.all([table.version(), folder && getFolderIdentity(folder)]);
  return { id: `${version} ${identity}`, identity };
}

/** Adds the column to a table of an earlier version. Maintenance fills it. Until then, searches use the earlier index. */
async function addTermsColumn(table: Table): Promise<void> {
  try {
    await commit(() => table.addColumns([{ name: "terms", valueSql: "CAST(NULL AS string)" }]));
  } catch (error) {
    // Another process added the column first.
    if (getMissingColumns(await table.schema()).length > 0) throw error;
  }
}

/** Creates the index of `terms`, unless there is one. */
export async function ensureTermsIndex(table: Table): Promise<void> {
  const exists = async () => (await table.listIndices()).some((index) => index.columns.includes("terms"));
  if (await exists()) return;
  try {
    await createTermsIndex(table, false);
  } catch (error) {
    if (!(await exists())) throw error;
  }
}

/** Rebuilds the index, because merging it would keep the words of deleted rows. */
export const rebuildTermsIndex = (table: Table): Promise<void> => createTermsIndex(table, true);

/** Code makes the terms, so the engine only splits them at spaces. */
function createTermsIndex(table: Table, replace: boolean): Promise<void> {
  const plain = { lowercase: false, stem: false, removeStopWords: false, asciiFolding: false } as const;
  const config = Index.fts({ baseTokenizer: "whitespace", ...plain, maxTokenLength: 256, withPosition: false });
  return commit(() => table.createIndex("terms", { config, replace }));
}

/**
 * Records the languages of chunks before they are stored, so that questions are analysed in the language of every chunk that a search
 * can find.
 */
export async function recordLanguages({ table, languages }: TableHandle, used: Iterable<Language>): Promise<void> {
  const added = [...used].filter((language) => !languages.has(language));
  if (added.length === 0) return;
  await commit(() => table.updateFieldMetadata([{ path: "terms", metadata: toLanguageMetadata(added) }]));
  for (const language of added) languages.add(language);
}
