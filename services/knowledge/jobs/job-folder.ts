import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "@agent-backends/contract";
import { customMetadataSchema, jobSchema } from "@agent-backends/contract";
import { z } from "zod";
import { hasEnded, host, isRunning, processMark } from "../ingest/temporary-files.ts";
import { flushPath, makeDurableFolder } from "../store/lance/durable-files.ts";

/** A job whose owner has not been heard of for this long has none. */
export const ownerSilentAfterMs = 30_000;

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

const stateSchema = z.object({ job: jobSchema, attempts: z.int(), owner: z.string().optional() });
const ownerSchema = z.object({ pid: z.int(), host: z.string(), instance: z.string() });

export type JobOrder = z.output<typeof orderSchema>;

/** A job, how often a process began to work on it, and who sent it. */
export type JobState = z.output<typeof stateSchema>;

/**
 * Jobs as folders: `state.json`, and until the job has ended `order.json`, the uploaded files and `owner.json`, which says
 * which process works on it. A job is there whole or not at all, and survives a loss of power once it is.
 */
export class JobFolder {
  readonly #root: string;
  readonly #instance = randomUUID();

  constructor(root: string) {
    this.#root = root;
  }

  pathOf(id: string, name = ""): string {
    return join(this.#root, id, name);
  }

  /** A new folder into which the files of a job are received before there is one; `create` takes it over. */
  async stage(): Promise<string> {
    await makeDurableFolder(this.#root);
    // Earlier versions made it readable by everyone on the machine.
    await chmod(this.#root, 0o700).catch((error: NodeJS.ErrnoException) => {
      // On a mounted volume the folder may be another user's, who decides over it.
      if (error.code !== "EPERM") throw error;
    });
    const path = join(this.#root, `${processMark}.${randomUUID()}.new`);
    await mkdir(path);
    return path;
  }

  async create(staged: string, job: Job, { owner, ...order }: JobOrder & { owner: string }): Promise<void> {
    await writeFile(join(staged, "order.json"), JSON.stringify(order));
    await writeFile(join(staged, "state.json"), JSON.stringify({ job, attempts: 0, owner } satisfies JobState));
    await writeFile(join(staged, "owner.json"), JSON.stringify(this.#owner));
    for (const name of await readdir(staged)) await flushPath(join(staged, name));
    await flushPath(staged);
    await rename(staged, this.pathOf(job.job_id));
    await flushPath(this.#root);
  }

  async readState(id: string): Promise<JobState | undefined> {
    return this.#read(id, "state.json", stateSchema);
  }

  async readOrder(id: string): Promise<JobOrder | undefined> {
    return this.#read(id, "order.json", orderSchema);
  }

  async writeState(id: string, state: JobState): Promise<void> {
    const path = this.pathOf(id, "state.json");
    const next = `${path}.${this.#instance}`;
    await using file = await open(next, "w");
    await file.writeFile(JSON.stringify(state));
    if (state.job.finished_at !== undefined) await file.sync();
    await rename(next, path);
    if (state.job.finished_at !== undefined) await flushPath(this.pathOf(id));
  }

  /** Takes a job that no living process works on; whether it did. Two that do so at once do the same work twice, no more. */
  async claim(id: string): Promise<boolean> {
    if (await this.#hasLivingOwner(id)) return false;
    await writeFile(this.pathOf(id, "owner.json"), JSON.stringify(this.#owner));
    return true;
  }

  /** Says that this process still works on a job. */
  async renew(id: string): Promise<void> {
    const now = new Date();
    await utimes(this.pathOf(id, "owner.json"), now, now);
  }

  /** Has whichever process works on a job, now or later, end it. */
  async requestCancel(id: string): Promise<void> {
    // Of a job that has ended meanwhile nothing but the state is kept.
    await writeFile(this.pathOf(id, "cancelled"), "").catch(ignoreMissing);
  }

  async isCancelled(id: string): Promise<boolean> {
    return (await stat(this.pathOf(id, "cancelled")).catch(ignoreMissing)) !== undefined;
  }

  async release(id: string): Promise<void> {
    await rm(this.pathOf(id, "owner.json"), { force: true });
  }

  /** Removes everything but the state of a job that has ended. */
  async clear(id: string): Promise<void> {
    for (const name of await readdir(this.pathOf(id))) {
      if (name !== "state.json") await rm(this.pathOf(id, name), { force: true });
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#root, name), { recursive: true, force: true });
  }

  /** The jobs, and folders that were staged long ago, or by a process that ended, and never became one. */
  async list(nowMs: number, staleAfterMs: number): Promise<{ ids: string[]; leftOver: string[] }> {
    const names = await readdir(this.#root).catch(ignoreMissing);
    const leftOver: string[] = [];
    for (const name of (names ?? []).filter((one) => one.endsWith(".new"))) {
      const about = await stat(join(this.#root, name)).catch(ignoreMissing);
      if (hasEnded(name) || (about && nowMs - about.mtimeMs > staleAfterMs)) leftOver.push(name);
    }
    return { ids: (names ?? []).filter((name) => z.uuid().safeParse(name).success), leftOver };
  }

  get #owner(): z.output<typeof ownerSchema> {
    return { pid: process.pid, host, instance: this.#instance };
  }

  async #hasLivingOwner(id: string): Promise<boolean> {
    const owner = await this.#read(id, "owner.json", ownerSchema);
    const about = await stat(this.pathOf(id, "owner.json")).catch(ignoreMissing);
    if (owner === undefined || about === undefined) return false;
    if (Date.now() - about.mtimeMs > ownerSilentAfterMs) return false;
    if (owner.host !== host) return true;
    return owner.pid === process.pid ? owner.instance === this.#instance : isRunning(owner.pid);
  }

  async #read<Schema extends z.ZodType>(
    id: string,
    name: string,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined> {
    const text = await readFile(this.pathOf(id, name), "utf8").catch(ignoreMissing);
    try {
      return text === undefined ? undefined : schema.parse(JSON.parse(text));
    } catch {
      return undefined; // Half written by a process that died: as good as not there.
    }
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
