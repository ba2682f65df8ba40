import type { Table } from "@lancedb/lancedb";
import type { Reembedder } from "../../knowledge-store.ts";
import { quote } from "../search/filter.ts";
import { commit } from "../table/commit.ts";
import { toVectorUpdates } from "../table/row-columns.ts";
import type { Row, VectorColumn } from "../table/schema.ts";
import { readSchema, vectorColumnName, vectorMetadata } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";
import { ensureVectorIndex } from "./vector-index.ts";

/** Rows of one commit. More take more memory, fewer make more commits. */
const rowBatchSize = 512;

/**
 * Fills a second column with vectors of another model and then drops the first one: one commit that activates the second.
 * Documents that are added meanwhile lack a vector of the model and are filled before the switch; the last ones after it.
 */
export async function reembedTable({ table, writes, files }: TableHandle, embedder: Reembedder): Promise<void> {
  const write = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = await writes.add(work);
    await files?.flush();
    return result;
  };
  const { active, building } = readSchema(await table.schema());
  const name = vectorColumnName(embedder);
  const wanted: VectorColumn = { name, model: embedder.model, dimension: embedder.dimension };
  const others = building.filter((column) => column.name !== name);
  // Columns of models that were given up before they were active.
  if (others.length > 0) await write(() => commit(() => table.dropColumns(others.map((column) => column.name))));
  if (active.name !== name) {
    if (building.length === others.length) await write(() => addVectorColumn(table, wanted));
    await fill(table, wanted, embedder, write);
    await write(() => ensureVectorIndex(table, wanted));
    await write(() => commit(() => table.dropColumns([active.name])));
  }
  await fill(table, wanted, embedder, write);
}

async function addVectorColumn(table: Table, column: VectorColumn): Promise<void> {
  const { name } = column;
  const valueSql = `arrow_cast(NULL, 'FixedSizeList(${column.dimension}, Float32)')`;
  await commit(() => table.addColumns([{ name, valueSql }]));
  await commit(() => table.updateFieldMetadata([{ path: name, metadata: vectorMetadata(column) }]));
}

async function fill(
  table: Table,
  column: VectorColumn,
  { embed, onProgress }: Reembedder,
  write: (work: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  const isEmpty = `${column.name} IS NULL`;
  for (;;) {
    const total = await table.countRows();
    const empty = (await table.query().where(isEmpty).select(["hash", "chunk"]).toArray()) as Pick<
      Row,
      "hash" | "chunk"
    >[];
    onProgress?.(total - empty.length, total);
    if (empty.length === 0) return;
    for (let start = 0; start < empty.length; start += rowBatchSize) {
      const keys = empty.slice(start, start + rowBatchSize);
      const rows = await readRows(table, keys, isEmpty);
      const vectors = rows.length > 0 ? await embed(rows.map((row) => String(row.search_text))) : [];
      if (rows.length > 0) {
        const updates = toVectorUpdates(rows, vectors, column);
        // Rows that were deleted meanwhile match nothing.
        const merge = table.mergeInsert(["hash", "chunk"]).useIndex(false).whenMatchedUpdateAll();
        await write(() => commit(() => merge.execute(updates)));
      }
      onProgress?.(total - empty.length + Math.min(start + rowBatchSize, empty.length), total);
    }
  }
}

async function readRows(table: Table, keys: Pick<Row, "hash" | "chunk">[], isEmpty: string) {
  const hashes = [...new Set(keys.map(({ hash }) => String(hash)))];
  const wanted = new Set(keys.map(({ hash, chunk }) => `${hash} ${chunk}`));
  // All chunks of a large document share a hash; the range keeps each call from reading all of them.
  const chunks = keys.map(({ chunk }) => Number(chunk));
  const isInRange = `chunk >= ${Math.min(...chunks)} AND chunk <= ${Math.max(...chunks)}`;
  const query = table.query().where(`hash IN (${hashes.map(quote).join(", ")}) AND ${isInRange} AND ${isEmpty}`);
  const rows = (await query.select(["hash", "chunk", "search_text"]).toArray()) as Pick<
    Row,
    "hash" | "chunk" | "search_text"
  >[];
  return rows.filter(({ hash, chunk }) => wanted.has(`${hash} ${chunk}`));
}
