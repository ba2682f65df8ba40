import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { CommandError } from "../command.ts";

const version = 1;
/** How often changes are written while files are being stored. What isn't written yet is sent again, and skipped by the service. */
const saveIntervalMs = 1_000;

/** What is known of a file or page that was brought, or may have been. Pages have no times. */
export interface Entry {
  /** What the service calls it: `file:docs/a.md`. */
  source: string;
  /** SHA-256 of a file's bytes. Of a page, when its sitemap says it was last modified, or nothing. */
  hash: string;
  /** SHA-256 of the text that the service last read from it. Manifests of earlier versions don't know it. */
  textHash?: string;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  /** When the file was read. */
  readAtMs: number;
  /** `pending`: it was about to be sent, and may have been stored. */
  state: "pending" | "stored" | "failed";
  /** No earlier version of it was stored, so what is pending or has failed is not a replacement. */
  isNew?: boolean;
  error?: { code: string; message: string };
}

/** The document that was stored last. A namespace that hasn't got it is another one, or an older state of it. */
export interface LatestDocument {
  /** The entry's name. */
  name: string;
  /** SHA-256 of the document's text. */
  hash: string;
}

/** What a sync is between. Each has a manifest of its own. */
export interface SyncPair {
  /** The folder's real path, or the address of a sitemap. */
  from: string;
  prefix: string;
  namespace: string;
  baseUrl: string;
}

/** The file's place without `--state`: one for each pair. */
export function defaultManifestPath(pair: SyncPair, environment: NodeJS.ProcessEnv): string {
  const state = environment.XDG_STATE_HOME?.trim() || join(homedir(), ".local/state");
  const digest = createHash("sha256").update(JSON.stringify([pair.from, pair.prefix, pair.namespace, pair.baseUrl]));
  const name = basename(pair.from).replace(/[^\w.-]/g, "_");
  return join(state, "agent-backends/sync", `${name}-${digest.digest("hex").slice(0, 16)}.json`);
}

/**
 * The record of what a sync has brought, by file name or page address. It says which documents are the sync's own: nothing else is ever replaced or
 * deleted. It is written before the first file is sent, and atomically, so it can be killed at any point.
 */
export class Manifest implements AsyncDisposable {
  readonly entries: Map<string, Entry>;
  latest: LatestDocument | undefined;
  readonly #path: string;
  readonly #pair: SyncPair;
  readonly #isReadOnly: boolean;
  #savedAt = 0;
  #saving: Promise<void> = Promise.resolve();

  private constructor(path: string, pair: SyncPair, { entries, latest }: Content, isReadOnly: boolean) {
    this.#path = path;
    this.#pair = pair;
    this.#isReadOnly = isReadOnly;
    this.entries = new Map(Object.entries(entries));
    this.latest = latest;
  }

  /** Opens the manifest, or begins one. Only one process can have it open to write. @throws CommandError */
  static async open(path: string, pair: SyncPair, { isReadOnly = false } = {}): Promise<Manifest> {
    if (isReadOnly) return new Manifest(path, pair, await read(path, pair), isReadOnly);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await lock(`${path}.lock`);
    try {
      return new Manifest(path, pair, await read(path, pair), isReadOnly);
    } catch (error) {
      await rm(`${path}.lock`, { force: true });
      throw error;
    }
  }

  /** Writes the manifest and resolves when it is on the disk. */
  save(): Promise<void> {
    this.#savedAt = Date.now();
    const content: Content = { entries: Object.fromEntries(this.entries), latest: this.latest };
    const text = JSON.stringify({ version, ...this.#pair, ...content });
    this.#saving = this.#saving.then(() => this.#write(text));
    return this.#saving;
  }

  /** Writes the manifest unless that was done a moment ago. */
  async saveSoon(): Promise<void> {
    if (Date.now() - this.#savedAt >= saveIntervalMs) await this.save();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#saving.catch(() => undefined);
    if (!this.#isReadOnly) await rm(`${this.#path}.lock`, { force: true });
  }

  async #write(text: string): Promise<void> {
    const next = `${this.#path}.next`;
    const file = await open(next, "w", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, this.#path);
  }
}

interface Content {
  entries: Record<string, Entry>;
  latest?: LatestDocument | undefined;
}

async function read(path: string, pair: SyncPair): Promise<Content> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { entries: {} };
    throw error;
  }
  let content: Partial<SyncPair & Content & { version: number }>;
  try {
    content = JSON.parse(text) as typeof content;
  } catch {
    throw new CommandError(`${path} is not JSON; delete it and run the command with --adopt.`);
  }
  const { entries, latest } = content;
  if (content.version !== version || typeof entries !== "object") {
    throw new CommandError(`${path} was not written by this version of agents sync; name another file with --state.`);
  }
  for (const field of ["prefix", "namespace", "baseUrl"] as const) {
    if (content[field] !== pair[field]) {
      throw new CommandError(
        `${path} belongs to another sync, with the ${field} "${content[field]}"; name another file with --state.`,
      );
    }
  }
  return { entries, latest };
}

/** Creates the file of a lock, or takes it over from a process that ended without removing it. */
async function lock(path: string): Promise<void> {
  for (let isTakenOver = false; ; isTakenOver = true) {
    try {
      await writeFile(path, String(process.pid), { flag: "wx" });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const owner = Number(await readFile(path, "utf8").catch(() => ""));
    if (isTakenOver || isRunning(owner)) {
      throw new CommandError(
        `Process ${owner} is syncing this folder already. If it is not, delete ${path} and try again.`,
      );
    }
    await rm(path, { force: true });
  }
}

function isRunning(processId: number): boolean {
  if (!(processId > 0) || processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
