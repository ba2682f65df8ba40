import type { Table } from "@lancedb/lancedb";
import type { Reembedder } from "../knowledge-store.ts";
import { commit } from "./commit.ts";
import { quote } from "./filter.ts";
import type { NamespaceTable } from "./namespace-table.ts";
import type { Row } from "./rows.ts";
import { vectorUpdates } from "./rows.ts";
import type { VectorColumn } from "./vector-columns.ts";
import { readSchema, vectorColumnName } from "./vector-columns.ts";
import { ensureVectorIndex } from "./vector-index.ts";

/** Chunks that get their vectors in one commit: more rows are written again at once, fewer make more commits. */
const chunksAtOnce = 512;

/**
 * Fills a second column with vectors of another model and then drops the first one, which makes the second the one
 * that is searched, in one commit. Documents that come meanwhile are found by looking for empty vectors until there are
 * none; those that come in the last moment, after the switch.
 */
export async function reembedTable({ table, writes, files }: NamespaceTable, embedder: Reembedder): Promise<void> {
  const write = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = await writes.add(work);
    await files?.flush();
    return result;
  };
  const { active, building } = readSchema(await table.schema());
  const name = vectorColumnName(embedder);
  const wanted: VectorColumn = { name, model: embedder.model, dimension: embedder.dimension };
  const others = building.filter((column) => column.name !== name);
  // Of an earlier change of mind; without vectors of the present model in it.
  if (others.length > 0) await write(() => commit(() => table.dropColumns(others.map((column) => column.name))));
  if (active.name !== name) {
    if (building.length === others.length) await write(() => addVectorColumn(table, wanted));
    await fill(table, wanted, embedder, write);
    await write(() => ensureVectorIndex(table, wanted));
    await write(() => commit(() => table.dropColumns([active.name])));
  }
  await fill(table, wanted, embedder, write);
}

async function addVectorColumn(table: Table, { name, model, dimension }: VectorColumn): Promise<void> {
  const valueSql = `arrow_cast(NULL, 'FixedSizeList(${dimension}, Float32)')`;
  await commit(() => table.addColumns([{ name, valueSql }]));
  await commit(() => table.updateFieldMetadata([{ path: name, metadata: { embedding_model: model } }]));
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
    for (let start = 0; start < empty.length; start += chunksAtOnce) {
      const keys = empty.slice(start, start + chunksAtOnce);
      const rows = await chunksOf(table, keys, isEmpty);
      const vectors = rows.length > 0 ? await embed(rows.map((row) => String(row.search_text))) : [];
      if (rows.length > 0) {
        const updates = vectorUpdates(rows, vectors, column);
        // What was deleted meanwhile matches nothing and stays away.
        const merge = table.mergeInsert(["hash", "chunk"]).useIndex(false).whenMatchedUpdateAll();
        await write(() => commit(() => merge.execute(updates)));
      }
      onProgress?.(total - empty.length + Math.min(start + chunksAtOnce, empty.length), total);
    }
  }
}

async function chunksOf(table: Table, keys: Pick<Row, "hash" | "chunk">[], isEmpty: string) {
  const hashes = [...new Set(keys.map(({ hash }) => String(hash)))];
  const wanted = new Set(keys.map(({ hash, chunk }) => `${hash} ${chunk}`));
  // A large document's chunks have the same hash: without a range each call would read all of them.
  const chunks = keys.map(({ chunk }) => Number(chunk));
  const isInRange = `chunk >= ${Math.min(...chunks)} AND chunk <= ${Math.max(...chunks)}`;
  const query = table.query().where(`hash IN (${hashes.map(quote).join(", ")}) AND ${isInRange} AND ${isEmpty}`);
  const rows = (await query.select(["hash", "chunk", "search_text"]).toArray()) as Pick<
    Row,
    "hash" | "chunk" | "search_text"
  >[];
  return rows.filter(({ hash, chunk }) => wanted.has(`${hash} ${chunk}`));
}
