import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Connection, Table } from "@lancedb/lancedb";
import { processMark } from "../../temporary-files.ts";
import { quote } from "../search/filter.ts";
import { Field, Schema, Utf8 } from "../table/arrow.ts";
import { commit } from "../table/commit.ts";
import { primaryKey } from "../table/schema.ts";
import { lazySystemTable, systemPrefix } from "../table/system-tables.ts";
import { LeaseWatch } from "./lease-watch.ts";
import type { Leases } from "./leases.ts";
import { renewWhile, upkeepLeaseMs } from "./leases.ts";

const leasesTable = `${systemPrefix}leases`;
/** Maximum time that closing waits for the store. */
const maxReleaseWaitMs = 2_000;
/** Share of a lease's duration during which it is used without a request to the store. */
const freshShare = 1 / 3;

const schema = new Schema([
  new Field("id", new Utf8(), false, primaryKey),
  new Field("holder", new Utf8(), false),
  // A new random text after each change.
  new Field("beat", new Utf8(), false),
]);

interface Row {
  id: string;
  holder: string;
  beat: string;
}

/**
 * Leases between machines, as rows of a table. Taking one is a commit of several requests. A kept lease therefore stays with its holder
 * after the work, until it expires: while a namespace is written to, its rounds of upkeep follow each other in the same process.
 */
export class LanceLeases implements Leases {
  readonly #open: () => Promise<Table>;
  readonly #leaseMs: number;
  readonly #watch: LeaseWatch;
  readonly #holder = `${processMark}.${randomUUID()}`;
  /** When each lease of this process was last renewed, on the clock of `performance.now()`. */
  readonly #renewedAt = new Map<string, number>();

  constructor(connect: () => Promise<Connection>, options: { leaseMs?: number; creationSettleMs?: number } = {}) {
    this.#open = lazySystemTable(connect, leasesTable, schema, options.creationSettleMs);
    this.#leaseMs = options.leaseMs ?? upkeepLeaseMs;
    this.#watch = new LeaseWatch(this.#leaseMs);
  }

  async run<Result extends object | boolean>(
    name: string,
    work: () => Promise<Result>,
    { isKept } = { isKept: false },
  ): Promise<Result | undefined> {
    const renewedAt = this.#renewedAt.get(name) ?? Number.NEGATIVE_INFINITY;
    const isFresh = performance.now() - renewedAt < this.#leaseMs * freshShare;
    if (!isFresh && !(await this.#acquire(name))) return undefined;
    try {
      return await renewWhile(() => this.#renew(name), work, this.#leaseMs);
    } finally {
      if (!isKept) {
        this.#renewedAt.delete(name);
        await this.#release(`id = ${quote(name)} AND holder = ${quote(this.#holder)}`);
      }
    }
  }

  async close(): Promise<void> {
    const isHeld = this.#renewedAt.size > 0;
    this.#renewedAt.clear();
    // A store that doesn't answer must not prevent the service from stopping.
    if (isHeld) await Promise.race([this.#release(`holder = ${quote(this.#holder)}`), setTimeout(maxReleaseWaitMs)]);
  }

  /** A lease that can't be released expires by itself. */
  async #release(where: string): Promise<void> {
    const table = await this.#open();
    await commit(() => table.delete(where)).catch(() => undefined);
  }

  async #acquire(name: string): Promise<boolean> {
    const table = await this.#open();
    const startedAt = performance.now();
    const rows = await this.#read(table);
    const ended = this.#watch.findEnded(rows);
    const row = rows.find(({ id }) => id === name);
    if (!row) return this.#recordRenewal(name, startedAt, await this.#insert(table, name));
    if (row.holder !== this.#holder && !ended.includes(row)) return false;
    const isSame = `id = ${quote(name)} AND beat = ${quote(row.beat)}`;
    return this.#recordRenewal(name, startedAt, await this.#update(table, isSame));
  }

  async #renew(name: string): Promise<void> {
    const startedAt = performance.now();
    const isMine = `id = ${quote(name)} AND holder = ${quote(this.#holder)}`;
    this.#recordRenewal(name, startedAt, await this.#update(await this.#open(), isMine));
  }

  #recordRenewal(name: string, renewedAt: number, isHeld: boolean): boolean {
    if (isHeld) this.#renewedAt.set(name, renewedAt);
    else this.#renewedAt.delete(name);
    return isHeld;
  }

  async #read(table: Table): Promise<Row[]> {
    try {
      return (await table.query().select(["id", "holder", "beat"]).toArray()) as Row[];
    } catch (error) {
      this.#watch.forget();
      throw error;
    }
  }

  async #insert(table: Table, id: string): Promise<boolean> {
    const row: Row = { id, holder: this.#holder, beat: randomUUID() };
    const merge = table.mergeInsert("id").useIndex(false).whenNotMatchedInsertAll();
    const { numInsertedRows } = await commit(() => merge.execute([{ ...row }]));
    return Number(numInsertedRows) === 1;
  }

  async #update(table: Table, where: string): Promise<boolean> {
    const values = { holder: this.#holder, beat: randomUUID() };
    const { rowsUpdated } = await commit(() => table.update({ where, values }));
    return Number(rowsUpdated) === 1;
  }
}
