import type { Table } from "@lancedb/lancedb";
import type { Reembedder } from "../../knowledge-store.ts";
import { commit } from "../table/commit.ts";
import { toVectorColumn } from "../table/row-columns.ts";
import type { VectorColumn } from "../table/schema.ts";
import { readSchema, toVectorColumnName, toVectorMetadata } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";
import { fillColumn, writeDurably } from "./fill-column.ts";
import { ensureVectorIndex } from "./vector-index.ts";

/** Number of rows per commit. More rows take more memory; fewer need more commits. */
const rowBatchSize = 512;

/**
 * Fills a second column with vectors of another model, and then drops the first one. That is one commit, which activates the second.
 * Documents added in the meantime lack a vector of the model and are filled before the switch; the last ones after it.
 */
export async function reembedTable(handle: TableHandle, embedder: Reembedder): Promise<void> {
  const { table } = handle;
  const write = (work: () => Promise<unknown>) => writeDurably(handle, work);
  const { active, building } = readSchema(await table.schema());
  const name = toVectorColumnName(embedder);
  const wanted: VectorColumn = { name, model: embedder.model, dimension: embedder.dimension };
  const others = building.filter((column) => column.name !== name);
  // Drop columns of models that were abandoned before they became active.
  if (others.length > 0) await write(() => commit(() => table.dropColumns(others.map((column) => column.name))));
  if (active.name !== name) {
    if (building.length === others.length) await write(() => addVectorColumn(table, wanted));
    await fillVectors(handle, wanted, embedder);
    await write(() => ensureVectorIndex(table, wanted));
    await write(() => commit(() => table.dropColumns([active.name])));
  }
  await fillVectors(handle, wanted, embedder);
}

async function addVectorColumn(table: Table, column: VectorColumn): Promise<void> {
  const { name } = column;
  const valueSql = `arrow_cast(NULL, 'FixedSizeList(${column.dimension}, Float32)')`;
  await commit(() => table.addColumns([{ name, valueSql }]));
  await commit(() => table.updateFieldMetadata([{ path: name, metadata: toVectorMetadata(column) }]));
}

function fillVectors(handle: TableHandle, column: VectorColumn, { embed, onProgress }: Reembedder): Promise<void> {
  const makeColumn = async (texts: string[]) => toVectorColumn(await embed(texts), column);
  return fillColumn(handle, { name: column.name, rowBatchSize, makeColumn, onProgress });
}
