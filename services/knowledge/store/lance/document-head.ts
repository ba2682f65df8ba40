import type { Table } from "@lancedb/lancedb";
import { quote } from "./filter.ts";
import type { Row } from "./rows.ts";
import { headerColumns, idDigits } from "./rows.ts";

/**
 * Comes after all hashes that begin with a document's id, in the order of text. Documents are found by their hash, since
 * `document_id` names the rows of one that was stored, and is another one when the same content is stored again.
 */
export const behindHashesOf = (id: string): string => `${id}~`;

/** The first row of a document, which all are found by and which holds what is true of the whole. */
export async function headOf(table: Table, id: string): Promise<Row | undefined> {
  if (id.length !== idDigits) return undefined;
  return firstHead(table, `hash >= ${quote(id)} AND hash < ${quote(behindHashesOf(id))}`);
}

export const headOfHash = (table: Table, hash: string): Promise<Row | undefined> =>
  firstHead(table, `hash = ${quote(hash)}`);

async function firstHead(table: Table, condition: string): Promise<Row | undefined> {
  const query = table.query().where(`chunk = 0 AND ${condition}`);
  const [row] = await query
    .select([...headerColumns, "chunks", "source", "other_sources"])
    .limit(1)
    .toArray();
  return row as Row | undefined;
}
