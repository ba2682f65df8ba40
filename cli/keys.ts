import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { KeyEntry, Scope } from "@agent-backends/kit/auth";
import { defaultScopes, hashKey, parseKeyFile } from "@agent-backends/kit/auth";
import { CommandError } from "./command.ts";

const keyBytes = 32;
/** Lets people and secret scanners recognise a key. */
const keyPrefix = "abk_";

export interface NewKey {
  name: string;
  namespaces: string[];
  scopes: Scope[];
  rate: number | undefined;
  tokensPerMinute: number | undefined;
  tokensPerDay: number | undefined;
}

/** Adds a key with a unique name. Returns the key and the new list. */
export function addKey(keys: readonly KeyEntry[], { name, scopes, ...about }: NewKey) {
  if (keys.some((key) => key.name === name)) {
    throw new CommandError(`There is a key named "${name}" already; choose another name, or remove it first.`);
  }
  const key = keyPrefix + randomBytes(keyBytes).toString("base64url");
  const entry: KeyEntry = {
    name,
    sha256: hashKey(key).toString("hex"),
    scopes: scopes.length > 0 ? scopes : [...defaultScopes],
    ...about,
  };
  return { key, keys: [...keys, entry] };
}

export function removeKey(keys: readonly KeyEntry[], name: string): KeyEntry[] {
  const left = keys.filter((key) => key.name !== name);
  if (left.length === keys.length)
    throw new CommandError(`There is no key named "${name}"; see them with: agents keys list`);
  return left;
}

/** One line per key. The key itself isn't stored and can't be shown. */
export function describeKeys(keys: readonly KeyEntry[], file: string): string {
  if (keys.length === 0) return `There are no keys in ${file}.`;
  return keys
    .map(({ name, sha256, scopes, namespaces, rate, tokensPerMinute, tokensPerDay }) =>
      [
        name,
        `scopes ${scopes.join(",") || "none"}`,
        `namespaces ${namespaces.map((namespace) => JSON.stringify(namespace)).join(",") || "none"}`,
        `rate ${rate === undefined ? "limit of the service" : `${rate} per minute`}`,
        ...(tokensPerMinute === undefined ? [] : [`${tokensPerMinute} tokens per minute`]),
        ...(tokensPerDay === undefined ? [] : [`${tokensPerDay} tokens per day`]),
        `sha256 ${sha256.slice(0, 8)}…`,
      ].join("  "),
    )
    .join("\n");
}

const ownerOnly = 0o600;
const permissionBits = 0o777;
const maxLockWaitMs = 5_000;
const lockPollMs = 50;

/** The keys of a file, or none if the file doesn't exist. @throws KeyFileError */
export async function readKeys(path: string): Promise<KeyEntry[]> {
  await requireFile(path);
  const text = await unlessMissing(readFile(path, "utf8"));
  return text === undefined ? [] : parseKeyFile(text);
}

/** Refuses a device, a pipe or a folder: reading it might never end, and a change would replace it. */
async function requireFile(path: string): Promise<void> {
  const found = await unlessMissing(stat(path));
  if (found && !found.isFile())
    throw new CommandError(`${path} isn't a file; name a file for the keys: --file keys.json`);
}

/** Creates a folder and its parents. Node 24's recursive mkdir never returns for one in /proc. */
async function createFolder(path: string): Promise<void> {
  if (await unlessMissing(stat(path))) return;
  if (dirname(path) !== path) await createFolder(dirname(path));
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw new CommandError(`The folder ${path} can't be created (${error.code}).`);
  });
}

async function unlessMissing<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Gives the new file the owner and mode of the file that it replaces. Otherwise services that run as another user couldn't read it, and
 * would keep accepting a removed key.
 */
async function copyAccess(path: string, file: FileHandle): Promise<void> {
  const old = await unlessMissing(stat(path));
  if (old === undefined) return;
  const { uid, gid } = await file.stat();
  if (old.uid !== uid || old.gid !== gid) {
    await file.chown(old.uid, old.gid).catch(() => {
      throw new CommandError(
        `${path} belongs to another user (${old.uid}), who couldn't read it any more: run this command as that user, or as root.`,
      );
    });
  }
  await file.chmod(old.mode & permissionBits);
}

/**
 * Changes a key file atomically: readers see the old or the new file. The new file is created exclusively and so serves as a lock
 * between concurrent changes.
 */
export async function changeKeys(path: string, change: (keys: KeyEntry[]) => KeyEntry[]): Promise<void> {
  await requireFile(path);
  await createFolder(dirname(path));
  // Keep a symbolic link: services may read its target under another name.
  const target = (await unlessMissing(realpath(path))) ?? path;
  const next = `${target}.next`;
  const file = await openExclusively(next);
  try {
    const keys = change(await readKeys(target));
    const text = `${JSON.stringify({ keys }, undefined, 2)}\n`;
    // A file that services can't parse must not replace a valid one.
    parseKeyFile(text);
    await file.writeFile(text);
    await copyAccess(target, file);
    await file.sync();
    await rename(next, target);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function openExclusively(path: string) {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  for (let waitedMs = 0; ; waitedMs += lockPollMs) {
    try {
      return await open(path, flags, ownerOnly);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (waitedMs >= maxLockWaitMs) {
        throw new CommandError(
          `Another command is changing the keys. If none is running, delete ${path} and try again.`,
        );
      }
      await delay(lockPollMs);
    }
  }
}
