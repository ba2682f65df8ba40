import { stat } from "node:fs/promises";

/** Tells a folder from one that had its name before; `undefined` when there is none. */
export async function folderIdentity(path: string): Promise<string | undefined> {
  try {
    const { ino, birthtimeNs } = await stat(path, { bigint: true });
    return `${ino} ${birthtimeNs}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
