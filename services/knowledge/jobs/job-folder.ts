import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { customMetadataSchema, jobItemSchema, jobSchema, knowledgeLimits } from "@agent-backends/contract";
import { z } from "zod";
import { hasEnded, host, isRunning, processMark } from "../ingest/temporary-files.ts";
import { flushPath, ignoreMissing, makeDurableFolder } from "../store/files.ts";
import type { JobOrder, JobState, JobStore } from "./job-store.ts";
import { leaseMs } from "./job-store.ts";

/** What is to be ingested; files lie beside it under `name`. */
const orderSchema = z.object({
  namespace: z.string(),
  sources: z.array(z.unknown()),
  longTexts: z.array(z.object({ position: z.int(), name: z.string(), bytesOnDisk: z.number() })).default([]),
  files: z.array(
    z.object({
      filename: z.string(),
      contentType: z.string().optional(),
      name: z.string(),
      bytesOnDisk: z.number(),
      truncated: z.boolean().optional(),
    }),
  ),
  replaces: z.boolean(),
  metadata: customMetadataSchema.optional(),
});

/** An item in a stage of earlier versions. It starts again when its job continues. */
const earlierItemSchema = z
  .object({ stage: z.enum(["queued", "reading", "embedding"]), source: z.string() })
  .transform(({ source }) => ({ stage: "waiting" as const, source }));
const storedJobSchema = jobSchema.extend({ items: z.array(jobItemSchema.or(earlierItemSchema)) });
const stateSchema = z.object({ job: storedJobSchema, attempts: z.int(), owner: z.string().optional() });
const leaseSchema = z.object({ pid: z.int(), host: z.string(), instance: z.string() });

/**
 * Jobs as folders: `state.json`, and until the job has ended `order.json`, the uploaded files and `owner.json`, the lease. A job is
 * created by renaming its staged folder, after everything in it is durable.
 */
export class JobFolder implements JobStore {
  readonly #root: string;
  readonly #instance = randomUUID();

  constructor(root: string) {
    this.#root = root;
  }

  async stage(): Promise<string> {
    await makeDurableFolder(this.#root);
    // Earlier versions made it readable by everyone on the machine.
    await chmod(this.#root, 0o700).catch((error: NodeJS.ErrnoException) => {
      // On a mounted volume the folder may belong to another user, who decides about it.
      if (error.code !== "EPERM") throw error;
    });
    const path = join(this.#root, `${processMark}.${randomUUID()}.new`);
    await mkdir(path);
    return path;
  }

  async create(staged: string, state: JobState, order: JobOrder): Promise<void> {
    const toStored = <File extends { path: string }>({ path, ...file }: File) => ({
      ...file,
      name: relative(staged, path),
    });
    const stored = { ...order, longTexts: order.longTexts.map(toStored), files: order.files.map(toStored) };
    await writeFile(join(staged, "order.json"), JSON.stringify(stored));
    await writeFile(join(staged, "state.json"), JSON.stringify(state));
    await writeFile(join(staged, "owner.json"), JSON.stringify(this.#lease));
    for (const name of await readdir(staged)) await flushPath(join(staged, name));
    await flushPath(staged);
    await rename(staged, this.#pathOf(state.job.job_id));
    await flushPath(this.#root);
  }

  async list(now: Date): Promise<string[]> {
    const names = (await readdir(this.#root).catch(ignoreMissing)) ?? [];
    for (const name of names.filter((one) => one.endsWith(".new"))) {
      const found = await stat(join(this.#root, name)).catch(ignoreMissing);
      const isOld = found && now.getTime() - found.mtimeMs > knowledgeLimits.finishedJobMs;
      if (hasEnded(name) || isOld) await rm(join(this.#root, name), { recursive: true, force: true });
    }
    return names.filter((name) => z.uuid().safeParse(name).success);
  }

  readState(id: string): Promise<JobState | undefined> {
    return this.#read(id, "state.json", stateSchema);
  }

  async readOrder(id: string): Promise<JobOrder | undefined> {
    const order = await this.#read(id, "order.json", orderSchema);
    if (!order) return undefined;
    const toFile = <File extends { name: string }>({ name, ...file }: File) => ({
      ...file,
      path: this.#pathOf(id, name),
    });
    return { ...order, longTexts: order.longTexts.map(toFile), files: order.files.map(toFile) };
  }

  async writeState(id: string, state: JobState): Promise<void> {
    const path = this.#pathOf(id, "state.json");
    const next = `${path}.${this.#instance}`;
    await using file = await open(next, "w");
    await file.writeFile(JSON.stringify(state));
    if (state.job.finished_at !== undefined) await file.sync();
    await rename(next, path);
  }

  async finish(id: string, state: JobState): Promise<void> {
    await this.writeState(id, state);
    await flushPath(this.#pathOf(id));
    for (const name of await readdir(this.#pathOf(id))) {
      if (name !== "state.json") await rm(this.#pathOf(id, name), { force: true });
    }
  }

  async remove(id: string): Promise<void> {
    await rm(this.#pathOf(id), { recursive: true, force: true });
  }

  async claim(id: string): Promise<boolean> {
    if (await this.#isLeased(id)) return false;
    await writeFile(this.#pathOf(id, "owner.json"), JSON.stringify(this.#lease));
    return true;
  }

  async renew(id: string): Promise<{ isCancelled: boolean }> {
    const now = new Date();
    await utimes(this.#pathOf(id, "owner.json"), now, now).catch(ignoreMissing);
    const cancelled = await stat(this.#pathOf(id, "cancelled")).catch(ignoreMissing);
    return { isCancelled: cancelled !== undefined };
  }

  async release(id: string): Promise<void> {
    await rm(this.#pathOf(id, "owner.json"), { force: true });
  }

  async requestCancel(id: string): Promise<void> {
    await writeFile(this.#pathOf(id, "cancelled"), "").catch(ignoreMissing);
  }

  #pathOf(id: string, name = ""): string {
    return join(this.#root, id, name);
  }

  get #lease(): z.output<typeof leaseSchema> {
    return { pid: process.pid, host, instance: this.#instance };
  }

  async #isLeased(id: string): Promise<boolean> {
    const lease = await this.#read(id, "owner.json", leaseSchema);
    const found = await stat(this.#pathOf(id, "owner.json")).catch(ignoreMissing);
    if (lease === undefined || found === undefined) return false;
    if (Date.now() - found.mtimeMs > leaseMs) return false;
    if (lease.host !== host) return true;
    return lease.pid === process.pid ? lease.instance === this.#instance : isRunning(lease.pid);
  }

  async #read<Schema extends z.ZodType>(
    id: string,
    name: string,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined> {
    const text = await readFile(this.#pathOf(id, name), "utf8").catch(ignoreMissing);
    try {
      return text === undefined ? undefined : schema.parse(JSON.parse(text));
    } catch {
      // A file that is half written, by a process that died, counts as missing.
      return undefined;
    }
  }
}
