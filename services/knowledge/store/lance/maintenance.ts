import type { Logger } from "@agent-backends/kit";
import PQueue from "p-queue";
import { removeAbandonedParts } from "./document-parts.ts";
import type { NamespaceTable } from "./namespace-table.ts";
import { readSchema } from "./vector-columns.ts";
import { ensureVectorIndex, indexedFromRows } from "./vector-index.ts";

/**
 * A table is tidied when it has had so many commits, or so many new passages, since the last time, and then is quiet. A
 * search cuts each passage into words that is not in the index yet, which takes about 0.1 ms.
 */
const commitsBeforeTidying = 16;
const passagesBeforeTidying = 32;
/** A table that is never quiet is tidied after this many commits all the same. */
const commitsAtMost = 64;
/** Merging small files writes their rows again, all of them in a large table: it waits until this share is new. */
const shareOfNewRows = 1 / 8;
/** Beyond this many commits reading suffers more than merging costs. */
const commitsInLargeTableAtMost = 512;
/** Of those that lose against a writer in another process. */
const attemptsAtMost = 3;

export interface MaintenanceTimes {
  /** A table that has had no commit for this long is quiet. */
  quietMs: number;
  /** Older states of a table are kept this long, for readers and writers in other processes that still use them. */
  oldStatesKeptMs: number;
}

export const defaultMaintenanceTimes: MaintenanceTimes = { quietMs: 2_000, oldStatesKeptMs: 60_000 };

interface Upkeep {
  commits: number;
  passages: number;
  /** Rows at the last time. */
  rows: number;
  timer?: NodeJS.Timeout;
}

/**
 * Merges the small files that each commit leaves, brings new rows into the indices and removes old states, in quiet
 * moments and one table at a time. Nothing depends on it but speed and space: rows that are not indexed yet are found
 * all the same.
 */
export class Maintenance {
  readonly #logger: Logger;
  readonly #times: MaintenanceTimes;
  /** By namespace: a handle is not kept open for the sake of a few writes. */
  readonly #upkeep = new Map<string, Upkeep>();
  readonly #queue = new PQueue({ concurrency: 1 });
  #running: { namespace: string; done: Promise<void> } | undefined;
  #closed = false;

  constructor(logger: Logger, times = defaultMaintenanceTimes) {
    this.#logger = logger;
    this.#times = times;
  }

  /** @param passages how many the write has added */
  noteWrite(opened: NamespaceTable, passages: number): void {
    if (this.#closed) return;
    const upkeep = this.#upkeep.get(opened.namespace) ?? { commits: 0, passages: 0, rows: 0 };
    this.#upkeep.set(opened.namespace, upkeep);
    upkeep.commits += 1;
    upkeep.passages += passages;
    if (upkeep.commits < commitsBeforeTidying && upkeep.passages < passagesBeforeTidying) return;
    this.#schedule(opened, upkeep, upkeep.commits % commitsAtMost === 0 ? 0 : this.#times.quietMs);
  }

  forget(namespace: string): void {
    clearTimeout(this.#upkeep.get(namespace)?.timer);
    this.#upkeep.delete(namespace);
  }

  /** Resolves when what is being done to a namespace is done. */
  async idle(namespace: string): Promise<void> {
    if (this.#running?.namespace === namespace) await this.#running.done;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const namespace of [...this.#upkeep.keys()]) this.forget(namespace);
    this.#queue.clear();
    await this.#queue.onIdle();
  }

  #schedule(opened: NamespaceTable, upkeep: Upkeep, delayMs: number): void {
    clearTimeout(upkeep.timer);
    upkeep.timer = setTimeout(() => void this.#queue.add(() => this.#run(opened, upkeep)), delayMs);
    upkeep.timer.unref();
  }

  #run(opened: NamespaceTable, upkeep: Upkeep): Promise<void> {
    const done = this.#tidy(opened, upkeep);
    this.#running = { namespace: opened.namespace, done };
    return done;
  }

  async #tidy(opened: NamespaceTable, upkeep: Upkeep): Promise<void> {
    if (this.#closed || this.#upkeep.get(opened.namespace) !== upkeep) return;
    try {
      const rows = await opened.table.countRows();
      const isWorthIt = rows < indexedFromRows || Math.abs(rows - upkeep.rows) >= rows * shareOfNewRows;
      if (upkeep.commits > 0 && !isWorthIt && upkeep.commits < commitsInLargeTableAtMost) return;
      const hadCommits = upkeep.commits > 0;
      Object.assign(upkeep, { commits: 0, passages: 0, rows });
      if (hadCommits) await this.#merge(opened);
      await this.#removeOldStates(opened);
      // What this round has replaced is old when the next one comes.
      if (hadCommits) this.#schedule(opened, upkeep, this.#times.oldStatesKeptMs + this.#times.quietMs);
      else if (upkeep.commits === 0) this.forget(opened.namespace);
    } catch (error) {
      // A writer in another process came first each time, or the namespace was deleted: the next quiet moment will do.
      this.#logger.debug({ err: error }, "tidying a namespace was put off");
    }
  }

  async #merge(opened: NamespaceTable): Promise<void> {
    await removeAbandonedParts(opened, new Date());
    for (let attempt = 1; ; attempt += 1) {
      try {
        await opened.writes.add(() => opened.table.optimize({ cleanupOlderThan: new Date(0) }));
        break;
      } catch (error) {
        if (attempt === attemptsAtMost) throw error;
      }
    }
    const { active } = readSchema(await opened.table.schema());
    // Writers need not wait for this one; a deletion has to (`idle`): the old state would come back with its commit.
    await ensureVectorIndex(opened.table, active);
  }

  async #removeOldStates({ table, writes, files }: NamespaceTable): Promise<void> {
    // Only what is durable may replace what is removed.
    await files?.flush();
    await writes.add(() => table.optimize({ cleanupOlderThan: new Date(Date.now() - this.#times.oldStatesKeptMs) }));
  }
}
