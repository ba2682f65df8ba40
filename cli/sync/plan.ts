import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { FoundFile, Walk } from "../upload/walk.ts";
import type { Entry } from "./manifest.ts";

/** Errors that only another file, or another configuration of the service, would change. */
const permanentErrors = new Set([
  "unsupported",
  "no_text",
  "empty",
  "encrypted",
  "damaged",
  "too_large",
  "invalid_item",
]);
/** A file that changed shortly before it was read may change again without another time. */
const timestampGranularityMs = 2_000;

export interface PlannedFile extends FoundFile {
  entry: Entry;
}

/** What has to be done so that the namespace has what the folder has. */
export interface Plan {
  added: PlannedFile[];
  replaced: PlannedFile[];
  /** Files with the content of one that is gone. Storing them embeds nothing. */
  renamed: { from: string; file: PlannedFile }[];
  /** Names in the manifest whose files are gone. */
  deleted: string[];
  /** Files that were refused before and haven't changed. */
  stillFailed: { name: string; error: { code: string; message: string } }[];
  /** Files that can't be read now. What was brought from them stays. */
  unreadable: { name: string; error: string }[];
  unchanged: number;
}

/** Compares a folder with what was brought from it. Updates the times of unchanged files in `entries`. */
export async function makePlan(
  { files, unreadable }: Pick<Walk, "files" | "unreadable">,
  entries: Map<string, Entry>,
  { retry, now }: { retry: boolean; now: () => number },
): Promise<Plan> {
  const plan: Plan = {
    added: [],
    replaced: [],
    renamed: [],
    deleted: [],
    stillFailed: [],
    unreadable: [...unreadable],
    unchanged: 0,
  };
  for (const file of files) {
    const known = entries.get(file.name);
    const isRefused = known?.state === "failed" && !retry && permanentErrors.has(known.error?.code ?? "");
    const isSettled = known?.state === "stored" || isRefused;
    if (known && isSettled && hasSameTimes(file, known)) {
      keep(plan, file.name, known);
      continue;
    }
    const readAtMs = now();
    let hash: string;
    try {
      hash = await hashFile(file.path);
    } catch (error) {
      plan.unreadable.push({ name: file.name, error: (error as Error).message });
      continue;
    }
    const { size, mtimeMs, ctimeMs } = file;
    const entry: Entry = { hash, size, mtimeMs, ctimeMs, readAtMs, state: "pending" };
    if (known && isSettled && known.hash === hash) {
      const { state, error } = known;
      entries.set(file.name, { ...entry, state, ...(error && { error }) });
      keep(plan, file.name, known);
    } else plan[known ? "replaced" : "added"].push({ ...file, entry });
  }
  const kept = new Set(files.map(({ name }) => name));
  const isUnreadable = (name: string) =>
    plan.unreadable.some((one) => name === one.name || name.startsWith(`${one.name}/`));
  const gone = [...entries.keys()].filter((name) => !kept.has(name) && !isUnreadable(name));
  findRenames(plan, gone, entries);
  return plan;
}

function keep(plan: Plan, name: string, { error }: Entry): void {
  if (error) plan.stillFailed.push({ name, error });
  else plan.unchanged++;
}

function hasSameTimes(file: FoundFile, known: Entry): boolean {
  const isSame = file.size === known.size && file.mtimeMs === known.mtimeMs && file.ctimeMs === known.ctimeMs;
  return isSame && known.readAtMs - known.ctimeMs > timestampGranularityMs;
}

/** Sorts new files with the content of one that is gone into `renamed`, and the rest of those that are gone into `deleted`. */
function findRenames(plan: Plan, gone: readonly string[], entries: ReadonlyMap<string, Entry>): void {
  const goneByHash = new Map<string, string[]>();
  for (const name of gone) {
    const entry = entries.get(name);
    if (entry?.state === "stored") goneByHash.set(entry.hash, [...(goneByHash.get(entry.hash) ?? []), name]);
  }
  const renamed = new Set<string>();
  plan.added = plan.added.filter((file) => {
    const from = goneByHash.get(file.entry.hash)?.pop();
    if (from === undefined) return true;
    renamed.add(from);
    plan.renamed.push({ from, file });
    return false;
  });
  plan.deleted = gone.filter((name) => !renamed.has(name));
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
