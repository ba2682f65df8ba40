import { randomUUID } from "node:crypto";
import { mkdirSync, readlinkSync, rmSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

const prefix = "knowledge-";
const systemFolder = tmpdir();

/** Identifies the machine and its process id namespace, because containers may share a host name. */
export const host = `${hostname()}-${processIdNamespace()}`.replaceAll(/[^\w-]/g, "_");

/** Identifies this process. A later process may get the same process id. */
export const processMark = `${host}.${process.pid}.${randomUUID().slice(0, 8)}`;

/** Whether a file with this mark belongs to a process of this machine that has ended. False for processes of other machines. */
export function hasEnded(mark: string): boolean {
  const [markedHost, pid, instance] = mark.split(".");
  if (markedHost !== host || pid === undefined) return false;
  if (Number(pid) === process.pid) return instance !== processMark.split(".")[2];
  return !isRunning(Number(pid));
}

function processIdNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return ""; // The system has no such namespaces.
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Gives this process its own folder for temporary files, which is removed with it, because the engine leaves some behind at each exit.
 * Call this before anything else uses temporary files.
 */
export function useOwnTemporaryFolder(): void {
  const folder = temporaryPath();
  mkdirSync(folder);
  process.env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

/** A new path in the folder for temporary files. */
export const temporaryPath = (): string => join(tmpdir(), `${prefix}${processMark}.${randomUUID()}`);

/** Creates a temporary folder for clients' files. */
export async function makeTemporaryFolder(): Promise<string> {
  const path = temporaryPath();
  await mkdir(path, { mode: 0o700 });
  return path;
}

/** Removes the temporary files of processes that were killed. */
export async function removeOrphanedFiles(): Promise<void> {
  for (const name of await readdir(systemFolder)) {
    if (!name.startsWith(prefix) || !hasEnded(name.slice(prefix.length))) continue;
    await rm(join(systemFolder, name), { recursive: true, force: true });
  }
}
