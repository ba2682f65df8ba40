import type { Logger } from "@agent-backends/kit";
import type { NamespaceTable } from "./namespace-table.ts";

/** A table is tidied when it has had this many commits since the last time and then none for the quiet time. */
const commitsBeforeTidying = 16;
const quietMs = 2_000;
/** A table that is never quiet is tidied after this many commits all the same. */
const commitsAtMost = 64;
/** Older states of a table are kept this long, for readers in other processes that still use them. */
const oldVersionsKeptMs = 10 * 60_000;

interface Upkeep {
  commits: number;
  timer?: NodeJS.Timeout;
}

/**
 * Merges the small files that each commit leaves, brings new rows into the text index and removes old states, in
 * quiet moments. Nothing depends on it but speed and space: rows that are not indexed yet are found all the same.
 */
export class Maintenance {
  readonly #logger: Logger;
  readonly #upkeep = new Map<NamespaceTable, Upkeep>();
  #closed = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  noteWrite(opened: NamespaceTable): void {
    if (this.#closed) return;
    const upkeep = this.#upkeep.get(opened) ?? { commits: 0 };
    this.#upkeep.set(opened, upkeep);
    upkeep.commits += 1;
    clearTimeout(upkeep.timer);
    if (upkeep.commits < commitsBeforeTidying) return;
    upkeep.timer = setTimeout(() => void this.#tidy(opened), upkeep.commits < commitsAtMost ? quietMs : 0);
    upkeep.timer.unref();
  }

  forget(opened: NamespaceTable): void {
    clearTimeout(this.#upkeep.get(opened)?.timer);
    this.#upkeep.delete(opened);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const tables = [...this.#upkeep.keys()];
    for (const opened of tables) this.forget(opened);
    await Promise.all(tables.map((opened) => opened.writes.onIdle()));
  }

  async #tidy(opened: NamespaceTable): Promise<void> {
    this.forget(opened);
    try {
      await opened.writes.add(async () => {
        await opened.table.optimize({ cleanupOlderThan: new Date(0) });
        // Only what is durable may replace what is removed.
        await opened.files?.flush();
        await opened.table.optimize({ cleanupOlderThan: new Date(Date.now() - oldVersionsKeptMs) });
      });
    } catch (error) {
      // A writer in another process came first, or the namespace was deleted: the next quiet moment will do.
      this.#logger.debug({ err: error }, "tidying a namespace was put off");
    }
  }
}
