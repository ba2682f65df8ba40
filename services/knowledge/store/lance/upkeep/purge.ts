import { setTimeout } from "node:timers/promises";
import type { Logger } from "@agent-backends/kit";
import type { Table, Version } from "@lancedb/lancedb";
import { listFiles } from "../../files.ts";
import { AbandonedUploads } from "../documents/uploads.ts";
import { upkeepLeaseMs } from "../leases/leases.ts";
import type { NamespaceTable, OpenTables } from "../open-tables.ts";
import { commit, isMissing } from "../table/commit.ts";
import { getTableFolder } from "../table/schema.ts";
import { rebuildTermsIndex } from "../table/table-handle.ts";
import { removeUnreferencedFiles } from "../table/unreferenced-files.ts";
import { fillTerms } from "./fill-terms.ts";
import { indexNewRows, removeOldVersions } from "./index-upkeep.ts";
import type { Maintenance } from "./maintenance.ts";

/**
 * Fractions of the time after which deleted text must be gone. Once a version has been replaced for long enough, a sweep rewrites the
 * rows. Once that has replaced versions for long enough, another sweep removes them: 2 * (1/4 + 1/5) in all. So continuous writes cost
 * a namespace little. Unreferenced files have to reach their age before a sweep.
 */
const replacedShare = 1 / 4;
const sweepShare = 1 / 5;
const unreferencedShare = 2 / 3;
/** Minimum time that old versions are kept for readers in other processes. */
const maxVersionAgeMs = 60_000;
/** After each namespace with work, a sweep pauses for as long as the work took, up to this time. */
const maxPauseMs = 1_000;
/** How long, and how often, a purge requested by a client waits for another process that works on the namespace. */
const maxLeaseWaitMs = 2 * upkeepLeaseMs;
const leaseRetryDelayMs = 500;
/** Number of rows per commit. More rows take more memory; fewer need more commits. */
const rowBatchSize = 1_024;
/** Share of rows to move out of a fragment. Compacting rewrites a fragment if more than a tenth of it is deleted. */
const movedShare = 0.12;
/** The upper half of a row's id is its fragment. */
const fragmentShift = 32n;

interface PurgeDependencies {
  tables: OpenTables;
  maintenance: Maintenance;
  logger: Logger;
  /** Maximum time that deleted, replaced and failed text may stay on the disk. */
  purgeAfterMs: number;
}

/**
 * Removes text from the disk that no document contains any more. The engine only marks deleted rows, and compacts a fragment once a
 * tenth of it is deleted; replaced versions and files of interrupted writes would stay for days. A sweep looks at every table, since
 * another process may have deleted rows, or this one before it was restarted. Tables that haven't changed since they were clean are
 * skipped.
 */
export class Purge {
  readonly #dependencies: PurgeDependencies;
  readonly #intervalMs: number;
  /** The files of each namespace's table when it was last clean. */
  readonly #cleanFiles = new Map<string, string>();
  /** The namespaces to look at on an object store, where listing files costs money. At first these are all namespaces. */
  #changedNamespaces: Set<string> | undefined;
  readonly #uploads: AbandonedUploads;
  readonly #closing = new AbortController();
  #sweeping: Promise<void> = Promise.resolve();

  constructor(dependencies: PurgeDependencies) {
    this.#dependencies = dependencies;
    this.#intervalMs = dependencies.purgeAfterMs * sweepShare;
    this.#uploads = new AbandonedUploads(dependencies.purgeAfterMs / 2);
  }

  start(): void {
    this.#sweeping = this.#sweepForever();
  }

  noteWrite(namespace: string): void {
    this.#changedNamespaces?.add(namespace);
  }

  /** Stops sweeping. Interrupted work continues after the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#sweeping;
  }

  /** Removes everything deleted from a namespace now. */
  async purge(opened: NamespaceTable): Promise<void> {
    const remove = async () => {
      const { timestamp } = await this.#removeDeletedRows(opened);
      await opened.writeQueue.add(() => removeOldVersions(opened, timestamp));
      return true;
    };
    for (let waitedMs = 0; waitedMs < maxLeaseWaitMs; waitedMs += leaseRetryDelayMs) {
      if (await this.#dependencies.maintenance.runWithLease(opened.namespace, remove)) return;
      await this.#pause(leaseRetryDelayMs);
    }
    // The lease holder is stuck or works for long. Remove the text anyway: if two commits conflict, the engine makes one start again.
    await this.#dependencies.maintenance.runExclusively(opened.namespace, remove);
  }

  async #sweepForever(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      await this.#pause(this.#intervalMs);
      if (signal.aborted) return;
      try {
        await this.#sweep();
      } catch (error) {
        this.#dependencies.logger.warn(
          { err: error },
          "deleted text could not be removed from the disk; the next sweep tries again",
        );
      }
    }
  }

  async #sweep(): Promise<void> {
    const { tables } = this.#dependencies;
    const known = new Set(await tables.listNamespaces());
    for (const namespace of this.#cleanFiles.keys()) if (!known.has(namespace)) this.#cleanFiles.delete(namespace);
    if (tables.folder === undefined) this.#changedNamespaces ??= known;
    for (const namespace of this.#changedNamespaces ? [...this.#changedNamespaces] : known) {
      if (this.#closing.signal.aborted) return;
      const files = await this.#listFiles(namespace);
      if (files !== undefined && this.#cleanFiles.get(namespace) === files) continue;
      const begun = performance.now();
      await this.#sweepNamespace(namespace, files);
      await this.#pause(Math.min(maxPauseMs, performance.now() - begun));
    }
  }

  async #sweepNamespace(namespace: string, files = ""): Promise<void> {
    const { tables, maintenance, logger } = this.#dependencies;
    const wasOpen = tables.has(namespace);
    try {
      const opened = await tables.open(namespace);
      this.#changedNamespaces?.delete(namespace);
      if (!opened) return;
      const isClean = await maintenance.runWithLease(namespace, () => this.#tidy(opened));
      if (!isClean) this.#changedNamespaces?.add(namespace);
      // If the sweep itself or another writer changed the files in the meantime, the next sweep looks again.
      else this.#cleanFiles.set(namespace, files);
    } catch (error) {
      if (!isMissing(error))
        logger.warn({ err: error }, "deleted text could not be removed from a namespace; the next sweep tries again");
    } finally {
      // An open table takes 0.15 MB, and the first sweep opens all of them.
      if (!wasOpen) tables.forget(namespace);
    }
  }

  /** @returns whether nothing is left for a later sweep to remove */
  async #tidy(opened: NamespaceTable): Promise<boolean> {
    const { purgeAfterMs } = this.#dependencies;
    const { table, folder } = opened;
    const hasUploads = await this.#uploads.remove(opened, performance.now());
    const hasYoungFiles = await removeUnreferencedFiles(folder, purgeAfterMs * unreferencedShare);
    const [first, second] = await table.listVersions();
    const dirty = second ?? (first && hasDeletedRows(first) ? first : undefined);
    if (dirty && Date.now() - dirty.timestamp.getTime() >= purgeAfterMs * replacedShare) {
      const { timestamp } = await this.#removeDeletedRows(opened);
      const keptSinceMs = Date.now() - Math.min(maxVersionAgeMs, this.#intervalMs);
      await removeOldVersions(opened, new Date(Math.min(keptSinceMs, timestamp.getTime())));
    }
    return !hasUploads && !hasYoungFiles && !dirty;
  }

  /** Resolves early if the store is closed. */
  async #pause(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
  }

  /** @returns the version without deleted rows, or only with rows that were deleted in the meantime */
  async #removeDeletedRows(opened: NamespaceTable): Promise<Version> {
    const { table } = opened;
    const before = await readVersion(table);
    if (!hasDeletedRows(before)) return before;
    // The index of an earlier version contains deleted words too. Filling the terms drops that index.
    await fillTerms(opened);
    await indexNewRows(opened);
    if (hasDeletedRows(await readVersion(table))) {
      await moveRows(opened);
      await indexNewRows(opened);
    }
    await opened.writeQueue.add(() => rebuildTermsIndex(table));
    await opened.files?.flush();
    return readVersion(table);
  }

  /** The names of a table's files, which are new with each version. `undefined` on an object store. */
  async #listFiles(namespace: string): Promise<string | undefined> {
    const { folder } = this.#dependencies.tables;
    if (folder === undefined) return undefined;
    const files = await listFiles(getTableFolder(folder, namespace)).catch(() => []);
    return files.sort().join("\n");
  }
}

/** Whether the files of the version still contain deleted rows. */
const hasDeletedRows = ({ metadata }: Version): boolean => Number(metadata.total_deletion_file_rows ?? 0) > 0;

async function readVersion(table: Table): Promise<Version> {
  const current = (await table.listVersions()).at(-1);
  if (!current) throw new Error("The engine lists no version of a table that is open.");
  return current;
}

/**
 * Moves rows out of each fragment, so that enough of it is deleted for compacting to rewrite it. The engine has no other way to drop
 * few of many rows. Moved rows have to be indexed again, so most rows stay.
 */
async function moveRows({ table, writeQueue }: NamespaceTable): Promise<void> {
  const rows = await table.query().select(["chunk"]).withRowId().toArrow();
  const ids = BigInt64Array.from([...(rows.getChild("_rowid") ?? [])] as bigint[]).sort();
  for (const fragment of Map.groupBy(ids, (id) => id >> fragmentShift).values()) {
    const moved = fragment.slice(0, Math.ceil(fragment.length * movedShare));
    for (let start = 0; start < moved.length; start += rowBatchSize) {
      const batch = moved.slice(start, start + rowBatchSize);
      const where = `_rowid >= ${batch[0]} AND _rowid <= ${batch.at(-1)}`;
      await writeQueue.add(() => commit(() => table.update({ where, valuesSql: { chunk: "chunk" } })));
    }
  }
}
