import { setTimeout } from "node:timers/promises";
import type { Connection, Table } from "@lancedb/lancedb";
import type { Schema } from "apache-arrow";
import { commit, isMissing } from "./commit.ts";

const tableListingSize = 1_000;

/**
 * Prefix of the tables of the store itself. No namespace can have one: the name of a namespace's table is a hash, of 64 hexadecimal
 * digits (schema.ts).
 */
export const systemPrefix = "system-";
/** Prefix of the tables with the files of jobs, which are never changed. */
export const filesPrefix = `${systemPrefix}files-`;

/** Old versions are kept for this long, for readers in other processes. */
const maxVersionAgeMs = 60_000;

/** Merges the files of the store's own tables, and removes their old versions, which each commit leaves. */
export async function tidySystemTables(connection: Connection): Promise<void> {
  for (const name of await listSystemTables(connection)) {
    if (name.startsWith(filesPrefix)) continue;
    const table = await connection.openTable(name);
    await commit(() => table.optimize({ cleanupOlderThan: new Date(Date.now() - maxVersionAgeMs) }));
    table.close();
  }
}

export async function listSystemTables(connection: Connection): Promise<string[]> {
  return (await listTables(connection)).filter((name) => name.startsWith(systemPrefix));
}

/** The names of all tables of a store. */
export async function listTables(connection: Connection): Promise<string[]> {
  const tables: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await connection.listTables({ limit: tableListingSize, ...(pageToken && { pageToken }) });
    tables.push(...page.tables);
    pageToken = page.pageToken;
  } while (pageToken);
  return tables;
}

const namespaceTable = /^[0-9a-f]{64}$/;
export const isNamespaceTable = (name: string): boolean => namespaceTable.test(name);

/**
 * How long the creator of a table waits before it uses it. The engine lets the later of two creators replace the earlier one's table.
 * Two processes create one of these only if they are the first on a new store at the same time, and then the later one has committed
 * by now.
 */
const defaultSettleMs = 1_000;

/** Opens a table of the store itself, and creates it on a new store. */
export async function openSystemTable(
  connection: Connection,
  name: string,
  schema: Schema,
  settleMs = defaultSettleMs,
): Promise<Table> {
  try {
    return await connection.openTable(name);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  // A creator that loses against another one is told so, and opens what the other one has made.
  await connection.createEmptyTable(name, schema, { existOk: true }).catch(() => undefined);
  await setTimeout(settleMs);
  return connection.openTable(name);
}
