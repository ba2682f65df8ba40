import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

const prefix = "knowledge-";

/** Where the numbers of processes are the same: containers of one name have their own. */
export const host = `${hostname()}-${processNumbers()}`.replaceAll(/[^\w-]/g, "_");

/** Names this process among those of all times: a later one may get its number. */
export const processMark = `${host}.${process.pid}.${randomUUID().slice(0, 8)}`;

/** Whether what carries a mark is of a process of this machine that has ended. Of other machines' processes nobody can tell. */
export function hasEnded(mark: string): boolean {
  const [markedHost, pid, instance] = mark.split(".");
  if (markedHost !== host || pid === undefined) return false;
  if (Number(pid) === process.pid) return instance !== processMark.split(".")[2];
  return !isRunning(Number(pid));
}

function processNumbers(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return ""; // A system without such namespaces.
  }
}

/** Whether this machine has a process of this number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A new path in the system's folder for temporary files. */
export const temporaryPath = (): string => join(tmpdir(), `${prefix}${processMark}.${randomUUID()}`);

/** Removes the temporary files of processes that were killed. */
export async function removeTemporaryFilesOfTheDead(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix) || !hasEnded(name.slice(prefix.length))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}
