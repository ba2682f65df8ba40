import { setTimeout } from "node:timers/promises";
import type { Connection, Table } from "@lancedb/lancedb";
import type { Schema } from "apache-arrow";
import { commit, isMissing } from "./commit.ts";

const tableListingSize = 1_000;

/**
 * Prefix of the store's own tables. No namespace can have such a table, because the name of a namespace's table is a hash of 64
 * hexadecimal digits (schema.ts).
 */
export const systemPrefix = "system-";
/** Prefix of the tables with the files of jobs. These tables never change. */
export const filesPrefix = `${systemPrefix}files-`;

/** Time that old versions are kept for readers in other processes. */
const maxVersionAgeMs = 60_000;

/** Merges the files of the store's own tables, and removes the old versions that each commit leaves. */
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
 * Time that the creator of a table waits before using it. The engine lets the later of two creators replace the earlier one's table.
 * Two processes create one of these tables only if both are the first on a new store at the same time, and the later one has committed
 * after this wait.
 */
const defaultSettleMs = 1_000;

/** Opens one of the store's own tables, and creates it on a new store. */
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
  // A creator that loses against another one gets an error, and then opens the other's table.
  await connection.createEmptyTable(name, schema, { existOk: true }).catch(() => undefined);
  await setTimeout(settleMs);
  return connection.openTable(name);
}

/** Opens a table of the store itself when it is first needed, and again after a failure. */
export function lazySystemTable(
  connect: () => Promise<Connection>,
  name: string,
  schema: Schema,
  settleMs: number | undefined,
): () => Promise<Table> {
  let opening: Promise<Table> | undefined;
  return () => {
    opening ??= connect()
      .then((connection) => openSystemTable(connection, name, schema, settleMs))
      .catch((error) => {
        opening = undefined;
        throw error;
      });
    return opening;
  };
}
