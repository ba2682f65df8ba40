import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Job } from "@agent-backends/contract";
import PQueue from "p-queue";
import { findExpired } from "../jobs/expired-jobs.ts";
import { readPieces } from "../jobs/file-pieces.ts";
import type { JobLease, JobOrder, JobPage, JobState, JobStore } from "../jobs/job-store.ts";
import { LeaseLostError, leaseMs } from "../jobs/job-store.ts";
import type { JobRow } from "../jobs/stored-job.ts";
import { parseOrder, parseState, toClaims, toKey, toRenewals, toStoredOrder } from "../jobs/stored-job.ts";
import { hasEnded, makeTemporaryFolder, processMark, temporaryPath } from "../temporary-files.ts";
import type { Database, Query } from "./database/database.ts";
import { Conditions } from "./documents.ts";

/** Number of jobs whose files are stored concurrently. Each occupies a transaction for that time. */
const uploadConcurrency = 2;

const unfinishedCondition = "finished_at IS NULL";
/** A job that the holder of a lease may still write. Takes two parameters: id and epoch. */
const heldCondition = `${unfinishedCondition} AND id = $1 AND epoch = $2`;
const toLeaseEnd = (parameter: string) => `clock_timestamp() + ${parameter}::integer * interval '1 millisecond'`;
/** Ids come from URLs, which may contain characters that PostgreSQL's texts can't. */
const isId = (id: string): boolean => /^[\w-]+$/.test(id);

/**
 * Stores jobs as rows, with their files next to them. A job is accepted by one transaction with all of its files. The server's clock
 * decides when a lease expires, and `SKIP LOCKED` gives each of several processes other jobs.
 */
export class PostgresJobs implements JobStore {
  readonly stage = makeTemporaryFolder;
  readonly #database: Database;
  readonly #leaseMs: number;
  readonly #holder = `${processMark}.${randomUUID()}`;
  readonly #uploadQueue = new PQueue({ concurrency: uploadConcurrency });
  /** Local folders with the files of the leases of this process. */
  readonly #folders = new Map<string, string | undefined>();

  /** @param database closed by its owner */
  constructor(database: Database, options: { leaseMs?: number } = {}) {
    this.#database = database;
    this.#leaseMs = options.leaseMs ?? leaseMs;
  }

  async create(staged: string, state: JobState, order: JobOrder): Promise<JobLease> {
    const { job, owner = "" } = state;
    const lease = { id: job.job_id, epoch: 1 };
    const folder = temporaryPath();
    await rename(staged, folder);
    this.#folders.set(toKey(lease), folder);
    const names = listFiles(order);
    const values = [lease.id, owner, job.namespace, job.status, job.created_at, JSON.stringify(state)];
    const insert = `
      INSERT INTO jobs (id, owner, namespace, status, created_at, state_json, order_json, epoch, holder, leased_until)
      VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, ${toLeaseEnd("$9")}) ON CONFLICT (id) DO NOTHING`;
    const store = async (query: Query) => {
      const stored = toStoredOrder(order, (path) => basename(path));
      const { count } = await query(insert, [...values, stored, this.#holder, this.#leaseMs]);
      // Otherwise the connection was lost after the commit.
      if (count > 0) await storeFiles(query, lease.id, folder, names);
    };
    try {
      await (names.length > 0
        ? this.#uploadQueue.add(() => this.#database.transaction(store))
        : this.#database.transaction(store));
      return lease;
    } catch (error) {
      await this.#discard(lease);
      throw error;
    }
  }

  async read(id: string): Promise<JobState | undefined> {
    if (!isId(id)) return undefined;
    const { rows } = await this.#database.query<JobRow>("SELECT state_json FROM jobs WHERE id = $1", [id]);
    return rows[0] && parseState(rows[0].state_json);
  }

  async list({ owner, limit, after, status }: JobPage): Promise<Job[]> {
    const conditions = new Conditions(owner, limit);
    if (status !== undefined) conditions.add("status = ?", status);
    if (after) {
      conditions.values.push(after.createdAt);
      conditions.add(`(created_at, id) < ($${conditions.values.length}, ?)`, after.id);
    }
    const { rows } = await this.#database.query<JobRow>(
      `SELECT state_json FROM jobs WHERE owner = $1${conditions} ORDER BY created_at DESC, id DESC LIMIT $2`,
      conditions.values,
    );
    return rows.flatMap(({ state_json }) => parseState(state_json)?.job ?? []);
  }

  async listUnfinished(namespace: string): Promise<string[]> {
    const unfinished = `SELECT id FROM jobs WHERE ${unfinishedCondition} AND namespace = $1`;
    const { rows } = await this.#database.query<{ id: string }>(unfinished, [namespace]);
    return rows.map(({ id }) => id);
  }

  async claimAbandoned(): Promise<{ lease: JobLease; state: JobState }[]> {
    const { rows: holders } = await this.#database.query<{ holder: string }>(
      `SELECT DISTINCT holder FROM jobs WHERE ${unfinishedCondition}`,
    );
    const ended = holders.map(({ holder }) => holder).filter(hasEnded);
    const { rows } = await this.#database.query<JobRow>(
      `UPDATE jobs SET epoch = epoch + 1, holder = $1, leased_until = ${toLeaseEnd("$2")}
       WHERE id IN (
         SELECT id FROM jobs WHERE ${unfinishedCondition} AND (leased_until < clock_timestamp() OR holder = ANY ($3::text[]))
         FOR UPDATE SKIP LOCKED)
       RETURNING id, epoch, created_at, state_json`,
      [this.#holder, this.#leaseMs, ended],
    );
    const claims = toClaims(rows);
    for (const { lease } of claims) this.#folders.set(toKey(lease), undefined);
    return claims;
  }

  async readOrder(lease: JobLease): Promise<JobOrder | undefined> {
    const { rows } = await this.#database.query<{ order_json: string | null }>(
      `SELECT order_json FROM jobs WHERE ${heldCondition}`,
      [lease.id, lease.epoch],
    );
    const stored = rows[0]?.order_json;
    if (!stored) return undefined;
    const known = this.#folders.get(toKey(lease));
    const folder = known ?? (await this.stage());
    const order = parseOrder(stored, (name) => join(folder, name));
    if (known !== undefined) return order;
    this.#folders.set(toKey(lease), folder);
    for (const name of listFiles(order)) await this.#fetchFile(lease.id, name, join(folder, name));
    return order;
  }

  async writeState(lease: JobLease, state: JobState): Promise<void> {
    const { status, finished_at } = state.job;
    const update = `UPDATE jobs SET state_json = $3, status = $4, finished_at = $5 WHERE ${heldCondition}`;
    const values = [lease.id, lease.epoch, JSON.stringify(state), status, finished_at];
    if ((await this.#database.query(update, values)).count === 0) throw new LeaseLostError(lease);
  }

  async finish(lease: JobLease, state: JobState): Promise<void> {
    const { status, finished_at } = state.job;
    const values = [lease.id, lease.epoch, JSON.stringify(state), status, finished_at];
    // Ending a job must be idempotent: the statement is repeated after a lost connection, when the job may already have ended.
    const finished = `
      WITH finished AS (
        UPDATE jobs SET state_json = $3, status = $4, finished_at = $5, order_json = NULL
        WHERE id = $1 AND epoch = $2 AND (finished_at IS NULL OR state_json = $3) RETURNING id
      ), removed AS (DELETE FROM job_files WHERE job_id IN (SELECT id FROM finished))
      SELECT FROM finished`;
    if ((await this.#database.query(finished, values)).count === 0) throw new LeaseLostError(lease);
    await this.#discard(lease);
  }

  async renew(leases: readonly JobLease[]): Promise<("held" | "cancelled" | "lost")[]> {
    const { rows } = await this.#database.query<JobRow>(
      `UPDATE jobs SET leased_until = ${toLeaseEnd("$3")}
       WHERE ${unfinishedCondition} AND holder = $1 AND id = ANY ($2::text[]) RETURNING id, epoch, is_cancelled`,
      [this.#holder, leases.map(({ id }) => id), this.#leaseMs],
    );
    return toRenewals(leases, rows);
  }

  async release(lease: JobLease): Promise<void> {
    // The entry is already gone if the job has ended.
    if (!this.#folders.has(toKey(lease))) return;
    await this.#discard(lease);
    await this.#database.query(
      `UPDATE jobs SET holder = '', leased_until = '-infinity' WHERE ${heldCondition} AND holder = $3`,
      [lease.id, lease.epoch, this.#holder],
    );
  }

  async requestCancel(id: string): Promise<void> {
    if (isId(id))
      await this.#database.query(`UPDATE jobs SET is_cancelled = true WHERE ${unfinishedCondition} AND id = $1`, [id]);
  }

  async removeExpired(now: Date): Promise<void> {
    const { rows } = await this.#database.query<{ id: string; namespace: string; owner: string; finishedAt: string }>(
      `SELECT id, namespace, owner, finished_at AS "finishedAt" FROM jobs WHERE finished_at IS NOT NULL`,
    );
    const expired = findExpired(rows, now);
    if (expired.length > 0) await this.#database.query("DELETE FROM jobs WHERE id = ANY ($1::text[])", [expired]);
  }

  async #fetchFile(id: string, name: string, path: string): Promise<void> {
    await using file = await open(path, "w");
    for (let piece = 0; ; piece += 1) {
      const { rows } = await this.#database.query<{ bytes: Buffer }>(
        "SELECT bytes FROM job_files WHERE job_id = $1 AND name = $2 AND piece = $3",
        [id, name, piece],
      );
      if (!rows[0]) return;
      await file.write(rows[0].bytes);
    }
  }

  async #discard(lease: JobLease): Promise<void> {
    const folder = this.#folders.get(toKey(lease));
    this.#folders.delete(toKey(lease));
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

const listFiles = ({ longTexts, files }: JobOrder): string[] =>
  [...longTexts, ...files].map(({ path }) => basename(path));

async function storeFiles(query: Query, id: string, folder: string, names: readonly string[]): Promise<void> {
  for await (const { name, piece, bytes } of readPieces(folder, names)) {
    const values = [id, name, piece, bytes];
    await query("INSERT INTO job_files (job_id, name, piece, bytes) VALUES ($1, $2, $3, $4)", values);
  }
}
