import { createHash } from "node:crypto";
import type { Connection, Table } from "@lancedb/lancedb";
import { Index } from "@lancedb/lancedb";
import PQueue from "p-queue";
import { DurableFiles } from "./durable-files.ts";
import { readSchema, tableSchema } from "./rows.ts";

/**
 * The table of a namespace. A hash, because names are any text of up to 128 characters: a folder's name may not hold
 * them all, nor be that long, and many file systems take `A` and `a`, or two spellings of `é`, for the same.
 */
export const tableNameOf = (namespace: string): string => createHash("sha256").update(namespace, "utf8").digest("hex");

/** Words are cut as Unicode says (Chinese and Japanese by dictionary), folded and stemmed: `Policies` finds `policy`. */
export const analyser = {
  baseTokenizer: "icu",
  language: "English",
  lowercase: true,
  asciiFolding: true,
  stem: true,
  removeStopWords: true,
} as const;

/** An open table with what this process keeps beside it. */
export interface NamespaceTable {
  table: Table;
  /** One writer at a time in this process; the engine settles races between processes. */
  writes: PQueue;
  /** Absent where the store is not a local folder. */
  files?: DurableFiles;
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && /\bnot found\b|No such file or directory/i.test(error.message);

/** Opens a namespace's table; `undefined` when there is none. */
export async function openNamespaceTable(
  connection: Connection,
  namespace: string,
  folder: string | undefined,
): Promise<NamespaceTable | undefined> {
  try {
    return await prepare(await connection.openTable(tableNameOf(namespace)), namespace, folder);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Creates a namespace's table, or opens the one that another writer created meanwhile. */
export async function createNamespaceTable(
  connection: Connection,
  about: { namespace: string; model: string; dimension: number },
  folder: string | undefined,
): Promise<NamespaceTable> {
  const name = tableNameOf(about.namespace);
  let table: Table;
  try {
    table = await connection.createEmptyTable(name, tableSchema(about), { mode: "create", existOk: true });
  } catch (error) {
    table = await connection.openTable(name).catch(() => Promise.reject(error));
  }
  return prepare(table, about.namespace, folder);
}

async function prepare(table: Table, namespace: string, folder: string | undefined): Promise<NamespaceTable> {
  const recorded = readSchema(await table.schema()).namespace;
  if (recorded !== namespace) {
    throw new Error(`The table of namespace "${namespace}" says that it belongs to "${recorded}".`);
  }
  await ensureFullTextIndex(table);
  return {
    table,
    writes: new PQueue({ concurrency: 1 }),
    ...(folder && { files: new DurableFiles(folder) }),
  };
}

// The process may have died between creating the table and its index, so this is asked at each opening.
async function ensureFullTextIndex(table: Table): Promise<void> {
  const exists = async () => (await table.listIndices()).some((index) => index.columns.includes("search_text"));
  if (await exists()) return;
  try {
    const config = Index.fts({ ...analyser, withPosition: false });
    await table.createIndex("search_text", { config, replace: false });
  } catch (error) {
    if (!(await exists())) throw error;
  }
}
