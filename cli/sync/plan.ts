import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { SitemapResponse } from "@agent-backends/client";
import type { Upload } from "../upload/send.ts";
import { toSource } from "../upload/send.ts";
import type { FoundFile, Walk } from "../upload/walk.ts";
import type { Entry } from "./manifest.ts";

/** Errors that can be fixed only by another file or another configuration of the service. */
export const permanentErrors = new Set([
  "unsupported",
  "no_text",
  "empty",
  "encrypted",
  "damaged",
  "too_large",
  "invalid_item",
]);
/** Granularity of timestamps: a file that was modified shortly before it was read may change again without a new timestamp. */
const timestampGranularityMs = 2_000;

/** A file or page to send, by its name in the manifest. */
export interface PlannedItem {
  name: string;
  size: number;
  upload: Upload;
  entry: Entry;
}

/** The changes that make the namespace match the folder or site. */
export interface Plan {
  added: PlannedItem[];
  replaced: PlannedItem[];
  /** New files with the content of a deleted one. Storing them needs no embedding. */
  renamed: { from: string; item: PlannedItem }[];
  /** Names in the manifest whose files or pages are gone. */
  deleted: string[];
  /** Files that were refused before and are unchanged. */
  stillFailed: { name: string; error: { code: string; message: string } }[];
  /** Files that can't be read now. Their stored documents stay. */
  unreadable: { name: string; error: string }[];
  unchanged: number;
}

const emptyPlan = (): Plan => ({
  added: [],
  replaced: [],
  renamed: [],
  deleted: [],
  stillFailed: [],
  unreadable: [],
  unchanged: 0,
});

/** Whether an unchanged file or page needs no work. */
function isSettled(known: Entry | undefined, retry: boolean): known is Entry {
  if (known?.state === "failed") return !retry && permanentErrors.has(known.error?.code ?? "");
  return known?.state === "stored";
}

/** Compares a folder with the manifest. Updates the times of unchanged files in `entries`. */
export async function planFiles(
  { files, unreadable }: Pick<Walk, "files" | "unreadable">,
  entries: Map<string, Entry>,
  { prefix, retry, now }: { prefix: string; retry: boolean; now: () => number },
): Promise<Plan> {
  const plan = { ...emptyPlan(), unreadable: [...unreadable] };
  for (const file of files) {
    const { name, path, size, mtimeMs, ctimeMs } = file;
    const known = entries.get(name);
    if (isSettled(known, retry) && hasSameTimes(file, known)) {
      keepEntry(plan, name, known);
      continue;
    }
    const readAtMs = now();
    let hash: string;
    try {
      hash = await hashFile(path);
    } catch (error) {
      plan.unreadable.push({ name, error: (error as Error).message });
      continue;
    }
    const upload = { path, name: prefix === "" ? name : `${prefix}/${name}`, size };
    const entry: Entry = { source: toSource(upload), hash, size, mtimeMs, ctimeMs, readAtMs, state: "pending" };
    if (isSettled(known, retry) && known.hash === hash) {
      entries.set(name, { ...known, size, mtimeMs, ctimeMs, readAtMs });
      keepEntry(plan, name, known);
    } else addItem(plan, { name, size, upload, entry }, known);
  }
  const kept = new Set(files.map(({ name }) => name));
  const isUnreadable = (name: string) =>
    plan.unreadable.some((one) => name === one.name || name.startsWith(`${one.name}/`));
  const gone = forgetUnstored(
    [...entries.keys()].filter((name) => !kept.has(name) && !isUnreadable(name)),
    entries,
  );
  findRenames(plan, gone, entries);
  return plan;
}

/** Compares a sitemap with the manifest. Pages without a modification date are always sent. The service skips unchanged ones. */
export function planPages(
  pages: SitemapResponse["pages"],
  entries: Map<string, Entry>,
  { retry, now }: { retry: boolean; now: () => number },
): Plan {
  const plan = emptyPlan();
  for (const { url: address, lastmod = "" } of pages) {
    const known = entries.get(address);
    if (isSettled(known, retry) && lastmod !== "" && known.hash === lastmod) {
      keepEntry(plan, address, known);
      continue;
    }
    const upload = { address };
    const times = { size: 0, mtimeMs: 0, ctimeMs: 0, readAtMs: now() };
    const entry: Entry = { source: toSource(upload), hash: lastmod, ...times, state: "pending" };
    addItem(plan, { name: address, size: 0, upload, entry }, known);
  }
  const kept = new Set(pages.map(({ url }) => url));
  plan.deleted = forgetUnstored(
    [...entries.keys()].filter((address) => !kept.has(address)),
    entries,
  );
  return plan;
}

/** Removes the entries of deleted files that were never stored. Returns the remaining names. */
function forgetUnstored(gone: readonly string[], entries: Map<string, Entry>): string[] {
  return gone.filter((name) => {
    const { state, isNew } = entries.get(name) ?? {};
    return !(state === "failed" && isNew && entries.delete(name));
  });
}

function addItem(plan: Plan, item: PlannedItem, known: Entry | undefined): void {
  const isNew = known?.isNew ?? known === undefined;
  const textHash = known?.textHash;
  const entry = { ...item.entry, ...(isNew && { isNew }), ...(textHash !== undefined && { textHash }) };
  plan[isNew ? "added" : "replaced"].push({ ...item, entry });
}

function keepEntry(plan: Plan, name: string, { error }: Entry): void {
  if (error) plan.stillFailed.push({ name, error });
  else plan.unchanged++;
}

function hasSameTimes(file: FoundFile, known: Entry): boolean {
  const isSame = file.size === known.size && file.mtimeMs === known.mtimeMs && file.ctimeMs === known.ctimeMs;
  return isSame && known.readAtMs - known.ctimeMs > timestampGranularityMs;
}

/** Moves new files with the content of a deleted one to `renamed`, and the remaining deleted files to `deleted`. */
function findRenames(plan: Plan, gone: readonly string[], entries: ReadonlyMap<string, Entry>): void {
  const goneByHash = new Map<string, string[]>();
  for (const name of gone) {
    const entry = entries.get(name);
    if (entry?.state === "stored") goneByHash.set(entry.hash, [...(goneByHash.get(entry.hash) ?? []), name]);
  }
  const renamed = new Set<string>();
  plan.added = plan.added.filter((item) => {
    const from = goneByHash.get(item.entry.hash)?.pop();
    if (from === undefined) return true;
    renamed.add(from);
    plan.renamed.push({ from, item });
    return false;
  });
  plan.deleted = gone.filter((name) => !renamed.has(name));
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
