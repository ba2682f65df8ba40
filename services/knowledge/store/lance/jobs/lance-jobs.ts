import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Job } from "@agent-backends/contract";
import type { Connection, Table } from "@lancedb/lancedb";
import PQueue from "p-queue";
import { findExpired } from "../../jobs/expired-jobs.ts";
import type { JobLease, JobOrder, JobPage, JobState, JobStore } from "../../jobs/job-store.ts";
import { LeaseLostError, leaseMs } from "../../jobs/job-store.ts";
import type { JobRow } from "../../jobs/stored-job.ts";
import { parseOrder, parseState, toClaims, toKey, toRenewals, toStoredOrder } from "../../jobs/stored-job.ts";
import { makeTemporaryFolder, processMark, temporaryPath } from "../../temporary-files.ts";
import { LeaseWatch } from "../leases/lease-watch.ts";
import type { Leases } from "../leases/leases.ts";
import { quote } from "../search/filter.ts";
import { Bool, Field, Int32, Schema, Utf8 } from "../table/arrow.ts";
import { commit } from "../table/commit.ts";
import { lazySystemTable, listSystemTables, systemPrefix, tidySystemTables } from "../table/system-tables.ts";
import { dropFiles, fetchFiles, getFilesTable, parseFilesTable, storeFiles } from "./job-files.ts";

/** Interval for compacting the store's own tables. */
const tidyIntervalMs = 5 * 60_000;
/** Stored next to the files of a job, whose names are numbers or start with `text-`. */
const orderFile = "order.json";
const jobsTable = `${systemPrefix}jobs`;
/** Number of jobs whose files are stored concurrently. Limited because it takes memory. */
const uploadConcurrency = 2;
/** Files of an unknown job are removed after this time. Until then, their process may still be storing them. */
const maxUploadMs = 60 * 60_000;

const schema = new Schema([
  new Field("id", new Utf8(), false),
  new Field("owner", new Utf8(), false),
  new Field("namespace", new Utf8(), false),
  new Field("status", new Utf8(), false),
  new Field("created_at", new Utf8(), false),
  new Field("finished_at", new Utf8(), true),
  new Field("is_cancelled", new Bool(), false),
  new Field("epoch", new Int32(), false),
  // The mark of the process that holds the lease. Empty once the lease has been released.
  new Field("holder", new Utf8(), false),
  // A new random text after each change of the lease.
  new Field("beat", new Utf8(), false),
  new Field("state_json", new Utf8(), false),
  // The name of the table with the job's order and files.
  new Field("files", new Utf8(), false),
]);

const unfinishedCondition = "finished_at IS NULL";
const toIdCondition = (ids: readonly string[]) => `id IN (${ids.map(quote).join(", ")})`;
const toHeldCondition = ({ id, epoch }: JobLease) =>
  `${unfinishedCondition} AND id = ${quote(id)} AND epoch = ${epoch}`;

/**
 * Stores jobs as rows of a table, for stores that several machines share. Taking a lease and writing a state are conditional updates:
 * the engine makes the later of two processes start again, and then the row no longer meets its condition.
 */
export class LanceJobs implements JobStore {
  /** Each write is a commit, which takes several requests to the store. */
  readonly progressIntervalMs = 1_000;
  readonly stage = makeTemporaryFolder;
  readonly #connect: () => Promise<Connection>;
  readonly #open: () => Promise<Table>;
  readonly #leases: Leases;
  readonly #watch: LeaseWatch;
  readonly #holder = `${processMark}.${randomUUID()}`;
  readonly #uploadQueue = new PQueue({ concurrency: uploadConcurrency });
  readonly #held = new Map<string, HeldFiles>();
  #tidyAt = 0;
  /** A version of the table that has no unfinished jobs. */
  #idleVersion: number | undefined;

  /** @param connect returns the connection to the store, which its owner closes */
  constructor(
    connect: () => Promise<Connection>,
    leases: Leases,
    options: { leaseMs?: number; creationSettleMs?: number } = {},
  ) {
    this.#connect = connect;
    this.#leases = leases;
    this.#watch = new LeaseWatch(options.leaseMs ?? leaseMs);
    this.#open = lazySystemTable(connect, jobsTable, schema, options.creationSettleMs);
  }

  async create(staged: string, state: JobState, order: JobOrder): Promise<JobLease> {
    const { job, owner = "" } = state;
    const lease = { id: job.job_id, epoch: 1 };
    const folder = temporaryPath();
    await rename(staged, folder);
    const files = getFilesTable(lease.id, Date.now());
    this.#held.set(toKey(lease), { folder, table: files });
    try {
      await writeFile(
        join(folder, orderFile),
        toStoredOrder(order, (path) => basename(path)),
      );
      const connection = await this.#connect();
      await this.#uploadQueue.add(() => storeFiles(connection, files, folder));
      const row = {
        ...toColumns(state),
        id: lease.id,
        owner,
        namespace: job.namespace,
        created_at: job.created_at,
        is_cancelled: false,
        epoch: lease.epoch,
        holder: this.#holder,
        beat: randomUUID(),
        files,
      };
      const table = await this.#open();
      await commit(() => table.add([row]));
      return lease;
    } catch (error) {
      await this.#discard(lease);
      throw error;
    }
  }

  async read(id: string): Promise<JobState | undefined> {
    const [row] = await this.#query(toIdCondition([id]), ["state_json"]);
    return row && parseState(row.state_json);
  }

  async list({ owner, limit, after, status }: JobPage): Promise<Job[]> {
    const conditions = [`owner = ${quote(owner)}`];
    if (status) conditions.push(`status = ${quote(status)}`);
    if (after) {
      const createdAt = quote(after.createdAt);
      conditions.push(`(created_at < ${createdAt} OR (created_at = ${createdAt} AND id < ${quote(after.id)}))`);
    }
    const table = await this.#open();
    const found = await table
      .query()
      .where(conditions.join(" AND "))
      .select(["id", "created_at", "state_json"])
      .orderBy([
        { columnName: "created_at", ascending: false },
        { columnName: "id", ascending: false },
      ])
      .limit(limit)
      .toArray();
    return (found as Row[]).flatMap(({ state_json }) => parseState(state_json)?.job ?? []);
  }

  async listUnfinished(namespace: string): Promise<string[]> {
    const rows = await this.#query(`${unfinishedCondition} AND namespace = ${quote(namespace)}`, ["id"]);
    return rows.map(({ id }) => id);
  }

  async claimAbandoned(): Promise<{ lease: JobLease; state: JobState }[]> {
    const rows = await this.#readLeases().catch((error) => {
      this.#watch.forget();
      throw error;
    });
    const ended = this.#watch.findEnded(rows);
    if (ended.length === 0) return [];
    // The beat shows whether the lease is still the one that was read.
    const isEnded = `${unfinishedCondition} AND beat IN (${ended.map(({ beat }) => quote(beat)).join(", ")})`;
    const beat = randomUUID();
    await this.#update(isEnded, { epoch: "epoch + 1", holder: quote(this.#holder), beat: quote(beat) });
    const claims = toClaims(await this.#query(`beat = ${quote(beat)}`, ["id", "epoch", "state_json", "created_at"]));
    for (const { lease } of claims) this.#held.set(toKey(lease), {});
    return claims;
  }

  /**
   * The leases of unfinished jobs. This is called every few seconds, so a table without unfinished jobs is only queried for its version
   * until it changes.
   */
  async #readLeases(): Promise<Pick<Row, "id" | "holder" | "beat">[]> {
    const table = await this.#open();
    const version = await table.version();
    if (version === this.#idleVersion) return [];
    const rows = await this.#query(unfinishedCondition, ["id", "holder", "beat"]);
    if (rows.length === 0) this.#idleVersion = version;
    return rows;
  }

  async readOrder(lease: JobLease): Promise<JobOrder | undefined> {
    const folder = this.#held.get(toKey(lease))?.folder ?? (await this.#fetch(lease));
    if (folder === undefined) return undefined;
    return parseOrder(await readFile(join(folder, orderFile), "utf8"), (name) => join(folder, name));
  }

  async #fetch(lease: JobLease): Promise<string | undefined> {
    const [row] = await this.#query(toHeldCondition(lease), ["files"]);
    if (!row) return undefined;
    const folder = await this.stage();
    this.#held.set(toKey(lease), { folder, table: row.files });
    await fetchFiles(await this.#connect(), row.files, folder);
    return folder;
  }

  async writeState(lease: JobLease, state: JobState): Promise<void> {
    const columns = Object.entries({ ...toColumns(state), beat: randomUUID() });
    const values = columns.map(([name, value]) => [name, value === null ? "NULL" : quote(value)]);
    const updated = await this.#update(toHeldCondition(lease), Object.fromEntries(values));
    if (updated === 0) throw new LeaseLostError(lease);
  }

  async finish(lease: JobLease, state: JobState): Promise<void> {
    await this.writeState(lease, state);
    const files = this.#held.get(toKey(lease))?.table;
    await this.#discard(lease);
    // If this process ends now, or never read the order, the files are removed with the expired jobs.
    if (files) await dropFiles(await this.#connect(), files);
  }

  async renew(leases: readonly JobLease[]): Promise<("held" | "cancelled" | "lost")[]> {
    const ids = leases.map(({ id }) => id);
    const isMine = `${unfinishedCondition} AND holder = ${quote(this.#holder)} AND ${toIdCondition(ids)}`;
    await this.#update(isMine, { beat: quote(randomUUID()) });
    return toRenewals(leases, await this.#query(isMine, ["id", "epoch", "is_cancelled"]));
  }

  async release(lease: JobLease): Promise<void> {
    // The entry is already gone if the job has ended.
    if (!this.#held.has(toKey(lease))) return;
    await this.#discard(lease);
    await this.#update(`${toHeldCondition(lease)} AND holder = ${quote(this.#holder)}`, {
      holder: quote(""),
      beat: quote(randomUUID()),
    });
  }

  async requestCancel(id: string): Promise<void> {
    await this.#update(`${unfinishedCondition} AND ${toIdCondition([id])}`, { is_cancelled: "true" });
  }

  async removeExpired(now: Date): Promise<void> {
    const rows = await this.#query("finished_at IS NOT NULL", ["id", "namespace", "owner", "finished_at"]);
    const finished = rows.map(({ finished_at, ...row }) => ({ ...row, finishedAt: finished_at ?? "" }));
    const expired = findExpired(finished, now);
    const table = await this.#open();
    if (expired.length > 0) await commit(() => table.delete(toIdCondition(expired)));
    await this.#removeFiles(now, new Set(rows.map(({ id }) => id)));
    if (performance.now() < this.#tidyAt) return;
    this.#tidyAt = performance.now() + tidyIntervalMs;
    const tidy = async () => {
      await tidySystemTables(await this.#connect());
      return true;
    };
    await this.#leases.run("system-tables", tidy, { isKept: true });
  }

  /** Removes the files of ended jobs, and of jobs that were never accepted. */
  async #removeFiles(now: Date, finished: ReadonlySet<string>): Promise<void> {
    const connection = await this.#connect();
    const unfinished = new Set((await this.#query(unfinishedCondition, ["id"])).map(({ id }) => id));
    for (const name of await listSystemTables(connection)) {
      const files = parseFilesTable(name);
      if (!files || unfinished.has(files.id)) continue;
      const isOld = now.getTime() - files.createdAt > maxUploadMs;
      if (finished.has(files.id) || isOld) await dropFiles(connection, name);
    }
  }

  async #query<Column extends keyof Row>(where: string, columns: Column[]): Promise<Pick<Row, Column>[]> {
    const table = await this.#open();
    const rows = await table.query().where(where).select(columns).toArray();
    return rows as Pick<Row, Column>[];
  }

  /** @returns the number of rows that met the condition */
  async #update(where: string, values: Record<string, string>): Promise<number> {
    const table = await this.#open();
    const { rowsUpdated } = await commit(() => table.update({ where, valuesSql: values }));
    return Number(rowsUpdated);
  }

  async #discard(lease: JobLease): Promise<void> {
    const folder = this.#held.get(toKey(lease))?.folder;
    this.#held.delete(toKey(lease));
    if (folder) await rm(folder, { recursive: true, force: true });
  }
}

/** The files of a job whose lease this process holds. */
interface HeldFiles {
  /** Path of the files on this machine. */
  folder?: string;
  table?: string | undefined;
}

interface Row extends JobRow {
  owner: string;
  namespace: string;
  finished_at: string | null;
  holder: string;
  beat: string;
  files: string;
}

const toColumns = (state: JobState) => ({
  state_json: JSON.stringify(state),
  status: state.job.status,
  finished_at: state.job.finished_at ?? null,
});
