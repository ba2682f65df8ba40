import { timingSafeEqual } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import type { Logger } from "../logger.ts";
import type { KnownKey } from "./key-file.ts";
import { hashKey, indexKeys, KeyFileError, parseKeyFile } from "./key-file.ts";
import type { Principal } from "./principal.ts";

const reloadIntervalMs = 2_000;
/** Maximum size of the key file. */
const maxFileBytes = 64 * 1024 * 1024;

/** The keys of a file, reloaded soon after it changes. If a changed file can't be read, the old keys stay valid. */
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
   * @param options.mayBeMissing the file may be created later. No keys are required until then
   * @throws KeyFileError when the file can't be read
   */
  static async open(
    path: string,
    options: { logger: Logger; mayBeMissing?: boolean; intervalMs?: number },
  ): Promise<KeyRing> {
    const ring = new KeyRing(path, options.logger);
    try {
      await ring.#load(await readFileVersion(path));
    } catch (error) {
      if (!(options.mayBeMissing && isMissing(error))) throw toKeyFileError(error);
    }
    ring.#timer = setInterval(() => void ring.#reload(), options.intervalMs ?? reloadIntervalMs).unref();
    return ring;
  }

  /** Whether keys are required. Stays true once there have been keys, even if the file is deleted. */
  get isActive(): boolean {
    return this.#keys !== undefined;
  }

  /** The principal this key belongs to, or undefined if the key is unknown. */
  find(key: string): Principal | undefined {
    // The lookup's timing depends only on the digest of the received key, which reveals nothing about a stored key.
    const digest = hashKey(key);
    const known = this.#keys?.get(digest.toString("hex"));
    return known && timingSafeEqual(known.digest, digest) ? known.principal : undefined;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #load(version: string): Promise<void> {
    const text = await readFile(this.#path, "utf8");
    this.#version = version;
    this.#keys = indexKeys(parseKeyFile(text));
  }

  async #reload(): Promise<void> {
    const before = this.#version;
    try {
      const version = await readFileVersion(this.#path);
      if (version === before) return;
      await this.#load(version);
      this.#logger.info({ keys: this.#keys?.size }, "reloaded the key file");
    } catch (error) {
      const missing = isMissing(error);
      if (missing && (before === "missing" || !this.isActive)) return;
      if (missing) this.#version = "missing";
      // The file exists to protect the service, so an unreadable file must not leave it open.
      this.#keys ??= new Map();
      this.#logger.error(
        `AUTH_KEYS_FILE ${this.#path} ${toKeyFileError(error).message}; the keys stay as they were until it is fixed`,
      );
    }
  }
}

async function readFileVersion(path: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  if (size > maxFileBytes) throw new KeyFileError(`is over ${maxFileBytes} bytes`);
  return [ino, size, mtimeNs, ctimeNs].join(":");
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

function toKeyFileError(error: unknown): Error {
  if (error instanceof KeyFileError) return error;
  return new KeyFileError(`can't be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`, {
    cause: error,
  });
}
