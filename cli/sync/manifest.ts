import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { CommandError } from "../command.ts";

const version = 1;
/**
 * Interval between writes of the manifest while files are being stored. Unwritten entries are sent again after a crash, and the service
 * skips them.
 */
const saveIntervalMs = 1_000;

/** The state of a file or page that was sent, or may have been. Pages have no times. */
export interface Entry {
  /** The document's source in the service: `file:docs/a.md`. */
  source: string;
  /** SHA-256 of a file's bytes. For a page, the modification date in its sitemap, or an empty string. */
  hash: string;
  /** SHA-256 of the text that the service last extracted. Missing in manifests of earlier versions. */
  textHash?: string;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  /** Time when the file was read. */
  readAtMs: number;
  /** `pending`: about to be sent, and possibly stored. */
  state: "pending" | "stored" | "failed";
  /** No earlier version was stored, so a pending or failed entry isn't a replacement. */
  isNew?: boolean;
  error?: { code: string; message: string };
}

/** The document that was stored last. If the namespace lacks it, the namespace is a different one, or was restored to an older state. */
export interface LatestDocument {
  /** Name of the manifest entry. */
  name: string;
  /** SHA-256 of the document's text. */
  hash: string;
}

/** The two ends of a sync. Each pair has its own manifest. */
export interface SyncPair {
  /** The folder's real path, or the URL of a sitemap. */
  from: string;
  prefix: string;
  namespace: string;
  baseUrl: string;
}

/** Default path of the manifest without `--state`: one file for each pair. */
export function defaultManifestPath(pair: SyncPair, environment: NodeJS.ProcessEnv): string {
  const state = environment.XDG_STATE_HOME?.trim() || join(homedir(), ".local/state");
  const digest = createHash("sha256").update(JSON.stringify([pair.from, pair.prefix, pair.namespace, pair.baseUrl]));
  const name = basename(pair.from).replace(/[^\w.-]/g, "_");
  return join(state, "agent-backends/sync", `${name}-${digest.digest("hex").slice(0, 16)}.json`);
}

/**
 * Records what a sync has stored, by file name or page URL. It decides which documents belong to the sync: no others are ever replaced or
 * deleted. It is written atomically, and before the first file is sent, so the process can be killed at any point.
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

  /** Opens or creates the manifest. Only one process can open it for writing. @throws CommandError */
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

  /** Writes the manifest. Resolves once it is on disk. */
  save(): Promise<void> {
    this.#savedAt = Date.now();
    const content: Content = { entries: Object.fromEntries(this.entries), latest: this.latest };
    const text = JSON.stringify({ version, ...this.#pair, ...content });
    this.#saving = this.#saving.then(() => this.#write(text));
    return this.#saving;
  }

  /** Writes the manifest unless it was written a moment ago. */
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

/** Creates the lock file, or takes it over from a process that ended without removing it. */
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
        `Process ${owner} is already syncing this folder. If it isn't running, delete ${path} and try again.`,
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
