import type { Table } from "@lancedb/lancedb";
import type { StoredDocument } from "../../document.ts";
import { toHashUpperBound } from "../../document.ts";
import type { DocumentConditions, DocumentPage } from "../../knowledge-store.ts";
import { quote, toCondition } from "../search/filter.ts";
import { commit } from "../table/commit.ts";
import { toStoredDocument } from "../table/rows.ts";
import type { Row } from "../table/schema.ts";
import { headerColumns } from "../table/schema.ts";
import { toSourceCondition } from "./sources.ts";

/** The first rows of documents, ordered by time of ingest, then by hash. */
export async function listHeads(table: Table, { limit, after, where = {} }: DocumentPage): Promise<Row[]> {
  const conditions = toConditions(where);
  if (after) {
    const { ingestedAt, id } = after;
    const time = quote(ingestedAt);
    conditions.push(`(ingested_at > ${time} OR (ingested_at = ${time} AND hash >= ${quote(toHashUpperBound(id))}))`);
  }
  const ordered = queryHeads(table, conditions.join(" AND ")).orderBy([
    { columnName: "ingested_at", ascending: true },
    { columnName: "hash", ascending: true },
  ]);
  return (await ordered.limit(limit).toArray()) as Row[];
}

function toConditions({ hashes, source, filter, ingestedAfter, ingestedBefore }: DocumentConditions): string[] {
  return [
    hashes && `hash IN (${["", ...hashes].map(quote).join(", ")})`,
    source !== undefined && `(${toSourceCondition(source)})`,
    toCondition(filter),
    ingestedAfter !== undefined && `ingested_at > ${quote(ingestedAfter)}`,
    ingestedBefore !== undefined && `ingested_at < ${quote(ingestedBefore)}`,
  ].filter((condition) => typeof condition === "string");
}

/** Queries the first rows of documents that meet a condition, or of all documents if it is empty. */
export const queryHeads = (table: Table, condition: string) =>
  table
    .query()
    .where(condition === "" ? "chunk = 0" : `chunk = 0 AND (${condition})`)
    .select([...headerColumns, "chunks"]);

/** Maps all documents of one version of a table while they are read. */
export async function mapDocuments<Result>(table: Table, map: (document: StoredDocument) => Result): Promise<Result[]> {
  const results: Result[] = [];
  for await (const rows of queryHeads(table, "")) {
    for (const row of rows.toArray() as unknown as Row[]) results.push(map(toStoredDocument(row)));
  }
  return results;
}

/** Deletes the documents that meet a condition, in one commit. @returns how many there were */
export async function deleteDocuments(table: Table, condition: string): Promise<number> {
  const heads = (await queryHeads(table, condition).toArray()) as Row[];
  if (heads.length === 0) return 0;
  const uploads = heads.map(({ document_id }) => quote(document_id)).join(", ");
  const { numDeletedRows } = await commit(() => table.delete(`document_id IN (${uploads})`));
  return numDeletedRows > 0 ? heads.length : 0;
}
