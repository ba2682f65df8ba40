import { timingSafeEqual } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import type { Logger } from "../logger.ts";
import type { KnownKey } from "./key-file.ts";
import { digestOf, KeyFileError, knownKeys, parseKeyFile } from "./key-file.ts";
import type { Principal } from "./principal.ts";

const reloadIntervalMs = 2_000;
/** Beyond this a file of keys is not read. */
const mostFileBytes = 64 * 1024 * 1024;

/** The keys of a file, read again soon after it has changed. A change that can't be read leaves the keys as they were. */
export class KeyRing {
  readonly #path: string;
  readonly #logger: Logger;
  #keys: Map<string, KnownKey> | undefined;
  #version = "";
  #timer: NodeJS.Timeout | undefined;

  private constructor(path: string, logger: Logger) {
    this.#path = path;
    this.#logger = logger;
  }

  /**
   * @param options.mayBeMissing the file may come later; until then the ring asks for no keys
   * @throws KeyFileError when the file can't be read
   */
  static async open(
    path: string,
    options: { logger: Logger; mayBeMissing?: boolean; intervalMs?: number },
  ): Promise<KeyRing> {
    const ring = new KeyRing(path, options.logger);
    try {
      await ring.#load(await versionOf(path));
    } catch (error) {
      if (!(options.mayBeMissing && isMissing(error))) throw readable(error);
    }
    ring.#timer = setInterval(() => void ring.#reload(), options.intervalMs ?? reloadIntervalMs).unref();
    return ring;
  }

  /** Whether there are keys to ask for. Once there were, there are, even when the file goes away. */
  get isActive(): boolean {
    return this.#keys !== undefined;
  }

  /** Whom a key stands for; undefined when it is not known. */
  find(key: string): Principal | undefined {
    // Looked up by digest: how long that takes tells about the digest of what was sent, which says nothing about a key.
    const digest = digestOf(key);
    const known = this.#keys?.get(digest.toString("hex"));
    return known && timingSafeEqual(known.digest, digest) ? known.principal : undefined;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #load(version: string): Promise<void> {
    const text = await readFile(this.#path, "utf8");
    this.#version = version;
    this.#keys = knownKeys(parseKeyFile(text));
  }

  async #reload(): Promise<void> {
    const before = this.#version;
    try {
      const version = await versionOf(this.#path);
      if (version === before) return;
      await this.#load(version);
      this.#logger.info({ keys: this.#keys?.size }, "read the file of keys again");
    } catch (error) {
      const missing = isMissing(error);
      if (missing && (before === "missing" || !this.isActive)) return;
      if (missing) this.#version = "missing";
      // The file was to close the service: one that can't be read yet must not leave it open.
      this.#keys ??= new Map();
      this.#logger.error(
        `AUTH_KEYS_FILE ${this.#path} ${readable(error).message}; the keys stay as they were until it is fixed`,
      );
    }
  }
}

async function versionOf(path: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  if (size > mostFileBytes) throw new KeyFileError(`is over ${mostFileBytes} bytes`);
  return [ino, size, mtimeNs, ctimeNs].join(":");
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

function readable(error: unknown): Error {
  if (error instanceof KeyFileError) return error;
  return new KeyFileError(`can't be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`, {
    cause: error,
  });
}
