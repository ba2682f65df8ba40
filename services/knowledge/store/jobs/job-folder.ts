import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Job } from "@agent-backends/contract";
import { knowledgeLimits } from "@agent-backends/contract";
import { z } from "zod";
import { failAsUnreachable } from "../errors.ts";
import { flushPath, ignoreMissing, makeDurableFolder } from "../files.ts";
import { LeaseFile, takeNextLease } from "../lease-file.ts";
import { hasEnded, processMark } from "../temporary-files.ts";
import { findExpired } from "./expired-jobs.ts";
import { JobList } from "./job-list.ts";
import type { JobLease, JobOrder, JobPage, JobState, JobStore } from "./job-store.ts";
import { LeaseLostError, leaseMs } from "./job-store.ts";
import { parseOrder, parseState, toStoredOrder } from "./stored-job.ts";

/** Name of the state file of a job that has ended, or of a job of an earlier version. */
const finalStateFileName = "state.json";
const numberedFile = /^(state|lease)\.(\d+)\.json$/;

/**
 * Stores jobs as folders. Until a job ends, its folder contains `order.json`, its files, and a lease and a state for each epoch. After
 * that it contains only `state.json`.
 *
 * - A job is created by renaming its staged folder, once everything in it is durable.
 * - A lease is taken by creating the file of the next epoch, which only one process can do.
 * - A holder writes only the state of its own epoch, and the latest one counts. So anything a former holder still writes is never read.
 */
export class JobFolder implements JobStore {
  readonly #root: string;
  readonly #leaseMs: number;
  readonly #jobList = new JobList();
  #hasRemovedRemnants = false;

  constructor(root: string, options: { leaseMs?: number } = {}) {
    this.#root = root;
    this.#leaseMs = options.leaseMs ?? leaseMs;
  }

  async stage(): Promise<string> {
    await makeDurableFolder(this.#root).catch((error: NodeJS.ErrnoException) => {
      // A new folder would hide that the store's folder, in which this one is, was deleted or unmounted.
      if (error.code === "ENOENT") failAsUnreachable(error);
      throw error;
    });
    // Earlier versions made the folder readable by everyone on the machine.
    await chmod(this.#root, 0o700).catch((error: NodeJS.ErrnoException) => {
      // On a mounted volume, the folder may belong to another user, who then controls its permissions.
      if (error.code !== "EPERM") throw error;
    });
    const path = join(this.#root, `${processMark}.${randomUUID()}.new`);
    await mkdir(path);
    return path;
  }

  async create(staged: string, state: JobState, order: JobOrder): Promise<JobLease> {
    const lease = { id: state.job.job_id, epoch: 1 };
    await writeFile(
      join(staged, "order.json"),
      toStoredOrder(order, (path) => relative(staged, path)),
    );
    await writeFile(join(staged, getStateFileName(lease)), JSON.stringify(state));
    await writeFile(join(staged, getLeaseFileName(lease)), processMark);
    for (const name of await readdir(staged)) await flushPath(join(staged, name));
    await flushPath(staged);
    await rename(staged, this.#getPath(lease.id));
    await flushPath(this.#root);
    return lease;
  }

  async read(id: string): Promise<JobState | undefined> {
    const last = await this.#readState(id, finalStateFileName);
    if (last?.job.finished_at !== undefined) return last;
    const epochs = await this.#listEpochs(id, "state");
    for (const epoch of epochs) {
      const state = await this.#readState(id, getStateFileName({ id, epoch }));
      if (state) return state;
    }
    // The states listed above are gone, so the job has ended in the meantime.
    return this.#readState(id, finalStateFileName);
  }

  async list(page: JobPage): Promise<Job[]> {
    return this.#jobList.list(page, await this.#listIds(), (id) => this.read(id));
  }

  async listUnfinished(namespace: string): Promise<string[]> {
    const unfinished = await this.#jobList.findUnfinished(await this.#listIds(), (id) => this.read(id));
    return unfinished.flatMap((job) => (job.namespace === namespace ? job.id : []));
  }

  async claimAbandoned(): Promise<{ lease: JobLease; state: JobState }[]> {
    const unfinished = await this.#jobList.findUnfinished(await this.#listIds(), (id) => this.read(id));
    const claimed: { lease: JobLease; state: JobState }[] = [];
    for (const { id } of unfinished) {
      const lease = await this.#claim(id);
      const state = lease && (await this.read(id));
      // Read the state after taking the lease: the former holder may have ended the job just before.
      if (lease === undefined || state === undefined || state.job.finished_at !== undefined) continue;
      await this.writeState(lease, state);
      claimed.push({ lease, state });
    }
    return claimed;
  }

  async readOrder({ id }: JobLease): Promise<JobOrder | undefined> {
    const text = await readFile(this.#getPath(id, "order.json"), "utf8").catch(ignoreMissing);
    return text === undefined ? undefined : parseOrder(text, (name) => this.#getPath(id, name));
  }

  async writeState(lease: JobLease, state: JobState): Promise<void> {
    await this.#requireLatest(lease);
    const path = this.#getPath(lease.id, getStateFileName(lease));
    const next = `${path}.next`;
    try {
      await using file = await open(next, "w");
      await file.writeFile(JSON.stringify(state));
      if (state.job.finished_at !== undefined) await file.sync();
      await rename(next, path);
    } catch (error) {
      ignoreMissing(error);
      // Another process has taken the job over, and removed it after it ended.
      throw new LeaseLostError(lease);
    }
  }

  async finish(lease: JobLease, state: JobState): Promise<void> {
    await this.writeState(lease, state);
    // Check only now: a process that takes the lease after this reads that the job has ended, and one that took it before keeps the
    // job's files.
    await this.#requireLatest(lease);
    await rename(this.#getPath(lease.id, getStateFileName(lease)), this.#getPath(lease.id, finalStateFileName));
    await flushPath(this.#getPath(lease.id));
    await this.#removeRemnants(lease.id);
  }

  renew(leases: readonly JobLease[]): Promise<("held" | "cancelled" | "lost")[]> {
    return Promise.all(
      leases.map(async (lease) => {
        const [latest] = await this.#listEpochs(lease.id, "lease");
        if (latest !== lease.epoch) return "lost";
        await this.#leaseFile(lease).renew();
        const cancelled = await stat(this.#getPath(lease.id, "cancelled")).catch(ignoreMissing);
        return cancelled ? "cancelled" : "held";
      }),
    );
  }

  release(lease: JobLease): Promise<void> {
    return this.#leaseFile(lease).release();
  }

  async requestCancel(id: string): Promise<void> {
    await writeFile(this.#getPath(id, "cancelled"), "").catch(ignoreMissing);
  }

  async removeExpired(now: Date): Promise<void> {
    for (const name of await this.#listNames()) {
      if (!name.endsWith(".new")) continue;
      const found = await stat(join(this.#root, name)).catch(ignoreMissing);
      const isOld = found && now.getTime() - found.mtimeMs > knowledgeLimits.finishedJobMs;
      if (hasEnded(name) || isOld) await rm(join(this.#root, name), { recursive: true, force: true });
    }
    const finished = await this.#jobList.findFinished(await this.#listIds(), (id) => this.read(id));
    for (const id of findExpired(finished, now)) await rm(this.#getPath(id), { recursive: true, force: true });
    if (this.#hasRemovedRemnants) return;
    // Once is enough: only a process that died in the middle of `finish` leaves files behind.
    for (const { id } of finished) await this.#removeRemnants(id);
    this.#hasRemovedRemnants = true;
  }

  /** Removes everything of an ended job except its last state. If that is missing, another process may still need the job's files. */
  async #removeRemnants(id: string): Promise<void> {
    const names = (await readdir(this.#getPath(id)).catch(ignoreMissing)) ?? [];
    if (!names.includes(finalStateFileName)) return;
    for (const name of names)
      if (name !== finalStateFileName) await rm(this.#getPath(id, name), { recursive: true, force: true });
  }

  async #listNames(): Promise<string[]> {
    return (await readdir(this.#root).catch(ignoreMissing)) ?? [];
  }

  async #listIds(): Promise<string[]> {
    return (await this.#listNames()).filter((name) => z.uuid().safeParse(name).success);
  }

  /** The epochs for which a job has a file of this kind, latest first. */
  async #listEpochs(id: string, kind: "state" | "lease"): Promise<number[]> {
    const names = (await readdir(this.#getPath(id)).catch(ignoreMissing)) ?? [];
    const found = names.map((name) => numberedFile.exec(name)).filter((match) => match?.[1] === kind);
    return found.map((match) => Number(match?.[2])).sort((one, other) => other - one);
  }

  async #requireLatest(lease: JobLease): Promise<void> {
    const [latest] = await this.#listEpochs(lease.id, "lease");
    if (latest !== lease.epoch) throw new LeaseLostError(lease);
  }

  async #claim(id: string): Promise<JobLease | undefined> {
    const [latest = 0] = await this.#listEpochs(id, "lease");
    const epoch = await takeNextLease(latest, (number) => this.#leaseFile({ id, epoch: number }), this.#leaseMs);
    return epoch === undefined ? undefined : { id, epoch };
  }

  #leaseFile(lease: JobLease): LeaseFile {
    return new LeaseFile(this.#getPath(lease.id, getLeaseFileName(lease)));
  }

  async #readState(id: string, name: string): Promise<JobState | undefined> {
    const text = await readFile(this.#getPath(id, name), "utf8").catch(ignoreMissing);
    return text === undefined ? undefined : parseState(text);
  }

  #getPath(id: string, name = ""): string {
    return join(this.#root, id, name);
  }
}

const getStateFileName = ({ epoch }: JobLease) => `state.${epoch}.json`;
const getLeaseFileName = ({ epoch }: JobLease) => `lease.${epoch}.json`;
