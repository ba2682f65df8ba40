import type { Logger } from "@agent-backends/kit";
import type { Database } from "./database/database.ts";
import { readNamespace, removeHidden } from "./namespaces.ts";
import { countChunks, ensureVectorIndex } from "./vector-index.ts";

/** Writes that follow each other within this time are handled together. */
const debounceMs = 2_000;
/** An upload that stores no further part for this long has lost its process. */
const abandonedUploadMinutes = 60;
/** Number of checks for leftovers within the time that deleted text may stay. */
const roundsPerPurge = 3;

interface UpkeepOptions {
  database: Database;
  logger: Logger;
  /** Maximum time that deleted text may stay in the tables. With Infinity, it stays until `purge` is called. */
  purgeAfterMs: number;
}

/** Periodic work that any process may do: building indexes, and removing what was deleted or left behind. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #writtenNamespaces = new Set<string>();
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #writeTimer: NodeJS.Timeout | undefined;
  #purgeTimer: NodeJS.Timeout | undefined;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    const { purgeAfterMs } = options;
    if (!Number.isFinite(purgeAfterMs)) return;
    const everyMs = purgeAfterMs / roundsPerPurge;
    this.#purgeTimer = setInterval(() => this.#run("removing deleted text", () => this.purge()), everyMs).unref();
  }

  /** Called after documents were stored in a namespace. */
  noteWrite(namespace: string): void {
    this.#writtenNamespaces.add(namespace);
    if (this.#writeTimer || this.#closing.signal.aborted) return;
    this.#writeTimer = setTimeout(() => {
      this.#writeTimer = undefined;
      const written = [...this.#writtenNamespaces];
      this.#writtenNamespaces.clear();
      for (const name of written) this.#run("indexing vectors", () => this.#index(name));
    }, debounceMs).unref();
  }

  /** Removes what was deleted, and what processes that died left behind. */
  async purge(): Promise<void> {
    const { database } = this.#options;
    await database.query(
      `DELETE FROM documents WHERE NOT is_whole AND changed_at < now() - interval '${abandonedUploadMinutes} minutes'`,
    );
    await removeHidden(database);
    // Deleted rows stay in a table, invisible, until it is vacuumed. Vacuum all tables, because counts of deleted rows are seconds old.
    const { rows } = await database.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()",
    );
    for (const { name } of rows) await database.execute(`VACUUM ${database.qualify(name)}`);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#writeTimer);
    clearInterval(this.#purgeTimer);
    await this.#running;
  }

  async #index(name: string): Promise<void> {
    const { database } = this.#options;
    const stored = await readNamespace(database.query, name);
    if (!stored || stored.embedding.hasIndex) return;
    await ensureVectorIndex(database, stored.embedding, await countChunks(database.query, stored.id));
  }

  /** Runs one task after the other. A failed task is retried with the next write or round. */
  #run(what: string, task: () => Promise<void>): void {
    this.#running = this.#running.then(async () => {
      if (this.#closing.signal.aborted) return;
      await task().catch((error) => this.#options.logger.warn({ err: error }, `${what} failed`));
    });
  }
}
