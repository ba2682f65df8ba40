import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Table } from "@lancedb/lancedb";
import { makeArrowTable } from "@lancedb/lancedb";
import PQueue from "p-queue";
import type { ChangeRecord } from "../change-log.ts";
import type { OpenTables } from "./open-tables.ts";
import { quote } from "./search/filter.ts";
import { Field, Int64, Schema, Utf8 } from "./table/arrow.ts";
import { commit, isMissing } from "./table/commit.ts";
import { DurableFiles } from "./table/durable-files.ts";
import { draftPrefix, getTableName, primaryKey } from "./table/schema.ts";
import { openSystemTable, systemPrefix } from "./table/system-tables.ts";
import { publishTable } from "./table/table-folder.ts";

const tableName = `${systemPrefix}changes`;
/** Number of versions after which the table's small files are merged. The process whose commit reaches it does the work. */
const versionsPerMerge = 64;
/** Time that replaced versions are kept for readers in other processes. */
const maxVersionAgeMs = 60_000;

/** Because of the key, the engine refuses the later of two commits with the same number. `log` is a hash of the namespace's name. */
const schema = new Schema([
  new Field("key", new Utf8(), false, primaryKey),
  new Field("log", new Utf8(), false),
  new Field("number", new Int64(), false),
  new Field("text", new Utf8(), false),
]);

interface OpenTable {
  table: Table;
  /** Absent on an object store. */
  files?: DurableFiles;
}

/** The records of the change feed, of all namespaces in one table. The table is created with the first record. */
export class ChangeRecords {
  readonly #store: Pick<OpenTables, "connect" | "folder">;
  readonly #writeQueue = new PQueue({ concurrency: 1 });
  #opened: OpenTable | undefined;

  constructor(store: Pick<OpenTables, "connect" | "folder">) {
    this.#store = store;
  }

  async read(namespace: string, { from, limit }: { from: number; limit: number }): Promise<ChangeRecord[]> {
    const opened = await this.#open();
    if (!opened) return [];
    const query = opened.table
      .query()
      .where(`${toLogCondition(namespace)} AND number >= ${from}`)
      .select(["number", "text"]);
    const ordered = query.orderBy([{ columnName: "number", ascending: true }]).limit(limit);
    const rows = (await ordered.toArray()) as { number: bigint; text: string }[];
    return rows.map(({ number, text }) => ({ number: Number(number), text }));
  }

  append(namespace: string, { number, text }: ChangeRecord): Promise<boolean> {
    const log = getTableName(namespace);
    const row = { key: `${log} ${number}`, log, number: BigInt(number), text };
    return this.#write(async ({ table }) => {
      // Don't use an index: with an index on the key, two processes would both store their record.
      const merge = table.mergeInsert("key").useIndex(false).whenNotMatchedInsertAll();
      const { numInsertedRows } = await commit(() => merge.execute(makeArrowTable([row], { schema })));
      return numInsertedRows === 1;
    });
  }

  async remove(namespace: string, before: number): Promise<void> {
    if (!(await this.#open())) return;
    await this.#write(({ table }) => commit(() => table.delete(`${toLogCondition(namespace)} AND number < ${before}`)));
  }

  async close(): Promise<void> {
    await this.#writeQueue.onIdle();
  }

  async #write<Result>(change: (opened: OpenTable) => Promise<Result>): Promise<Result> {
    return this.#writeQueue.add(async () => {
      const opened = (await this.#open()) ?? (await this.#create());
      const result = await change(opened);
      const { table, files } = opened;
      if ((await table.version()) % versionsPerMerge === 0)
        await commit(() => table.optimize({ cleanupOlderThan: new Date(Date.now() - maxVersionAgeMs) }));
      await files?.flush();
      return result;
    });
  }

  async #open(): Promise<OpenTable | undefined> {
    const { folder } = this.#store;
    if (this.#opened) return this.#opened;
    try {
      const table = await (await this.#store.connect()).openTable(tableName);
      this.#opened ??= { table, ...(folder && { files: new DurableFiles(toFolder(folder, tableName)) }) };
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    return this.#opened;
  }

  /**
   * Creates the table. In a folder, it gets its name last, because the engine would let the later of two creators replace the other's
   * table.
   */
  async #create(): Promise<OpenTable> {
    const connection = await this.#store.connect();
    const { folder } = this.#store;
    if (folder === undefined) {
      await openSystemTable(connection, tableName, schema);
    } else {
      const draft = `${draftPrefix}${randomUUID()}`;
      (await connection.createEmptyTable(draft, schema)).close();
      if (!(await publishTable(toFolder(folder, draft), toFolder(folder, tableName))))
        await connection.dropTable(draft);
    }
    const created = await this.#open();
    if (!created) throw new Error("The table of the change feed's records was deleted while it was created.");
    return created;
  }
}

const toFolder = (store: string, table: string): string => join(store, `${table}.lance`);
const toLogCondition = (namespace: string): string => `log = ${quote(getTableName(namespace))}`;
