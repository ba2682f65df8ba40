import { stat } from "node:fs/promises";
import { filesBelow } from "./entries-below.ts";

/** Whoever asks more often than this gets the last answer: a large store has many files. */
const measuredAgainAfterMs = 30_000;

/** Measures a folder with all that is in it, in bytes. What goes away meanwhile counts as nothing. */
export function folderSize(folder: string): () => Promise<number> {
  let last: { at: number; bytes: Promise<number> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > measuredAgainAfterMs)
      last = { at: performance.now(), bytes: sum(folder) };
    return last.bytes;
  };
}

async function sum(folder: string): Promise<number> {
  let bytes = 0;
  for (const path of await filesBelow(folder).catch(() => [])) {
    bytes += await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return bytes;
}
