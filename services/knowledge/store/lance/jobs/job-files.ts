import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Connection, Table } from "@lancedb/lancedb";
import type { FilePiece } from "../../jobs/file-pieces.ts";
import { pieceBytes, readPieces } from "../../jobs/file-pieces.ts";
import { Binary, Field, Int32, Schema, Utf8 } from "../table/arrow.ts";
import { isMissing } from "../table/commit.ts";
import { filesPrefix } from "../table/system-tables.ts";

/** Number of pieces of one commit, and of one read. A commit takes several times the memory of its pieces. */
const pieceBatchSize = 8;

const schema = new Schema([
  new Field("name", new Utf8(), false),
  new Field("piece", new Int32(), false),
  new Field("bytes", new Binary(), false),
]);

/** The name of the table with a job's files. It contains the time of creation. */
export const getFilesTable = (id: string, createdAt: number): string => `${filesPrefix}${createdAt}-${id}`;

/** Parses the name of such a table. `undefined` for any other table. */
export function parseFilesTable(name: string): { id: string; createdAt: number } | undefined {
  const [, createdAt, id] =
    /^(\d+)-(.+)$/.exec(name.startsWith(filesPrefix) ? name.slice(filesPrefix.length) : "") ?? [];
  return id === undefined ? undefined : { id, createdAt: Number(createdAt) };
}

/**
 * Stores the files of a folder as a table of pieces. Each job gets a separate table so that it can be dropped: that deletes its objects
 * at once, while deleted rows stay until a table is compacted.
 */
export async function storeFiles(connection: Connection, name: string, folder: string): Promise<void> {
  let table: Table | undefined;
  for await (const pieces of batch(readPieces(folder, await readdir(folder)))) {
    if (table) await table.add(pieces);
    else table = await connection.createTable(name, pieces, { schema });
  }
  table?.close();
}

/** Fetches the files into a folder on this machine. */
export async function fetchFiles(connection: Connection, name: string, folder: string): Promise<void> {
  const table = await connection.openTable(name);
  const count = await table.countRows();
  for (let start = 0; start < count; start += pieceBatchSize) {
    const offsets = Array.from({ length: Math.min(pieceBatchSize, count - start) }, (_, index) => start + index);
    const rows = (await table.takeOffsets(offsets).toArray()) as FilePiece[];
    for (const { name, piece, bytes } of rows) {
      await using file = await open(join(folder, name), constants.O_WRONLY | constants.O_CREAT);
      await file.write(bytes, 0, bytes.length, piece * pieceBytes);
    }
  }
  table.close();
}

export async function dropFiles(connection: Connection, table: string): Promise<void> {
  await connection.dropTable(table).catch((error) => {
    if (!isMissing(error)) throw error;
  });
}

async function* batch(pieces: AsyncIterable<FilePiece>): AsyncGenerator<FilePiece[], void, undefined> {
  let batch: FilePiece[] = [];
  for await (const piece of pieces) {
    batch.push(piece);
    if (batch.length < pieceBatchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
