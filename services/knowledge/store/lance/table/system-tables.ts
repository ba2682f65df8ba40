import { setTimeout } from "node:timers/promises";
import type { Connection, Table } from "@lancedb/lancedb";
import type { Schema } from "apache-arrow";
import { isMissing } from "./commit.ts";

/**
 * Prefix of the tables of the store itself. No namespace can have one: the name of a namespace's table is a hash, of 64 hexadecimal
 * digits (schema.ts).
 */
export const systemPrefix = "system-";

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
