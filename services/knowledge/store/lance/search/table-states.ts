import { totalmem } from "node:os";
import { knowledgeLimits } from "@agent-backends/contract";
import { FairQueue } from "@agent-backends/kit";
import { FolderStamps, getVersionsFolder } from "../table/folder-stamps.ts";
import type { TableDescription, VectorColumn } from "../table/schema.ts";
import { readSchema } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";
import { readVersion } from "../table/table-handle.ts";
import { estimateBytes, MemoryTable } from "./memory-table.ts";
import { VectorSample } from "./ordinary-similarity.ts";
import { OutdatedRankingError } from "./rankings.ts";

/** Maximum share of the container's memory for tables in memory, in all workers together. */
const searchMemoryShare = 1 / 8;
const maxStates = 4_096;
/**
 * After a table was read, reading its next version waits for this multiple of the time that took. Reading the new rows of a table that was
 * just read as a whole waits for nothing, because it takes a small part of that time.
 */
const readRestFactor = 4;
/**
 * Searches wait for a table to be read if it has at most this many rows, or this many new rows, which takes about 0.02 s. So even the
 * first search answers from memory: the engine differs in the last digits of similarities.
 */
const maxAwaitedRows = 512;
/** In a larger table, finding the new rows takes longer than a search by the engine. */
const maxFollowedRows = 131_072;

/** What a search needs to know about one version of a table. */
export interface TableState extends Pick<TableDescription, "languages" | "termsAreComplete"> {
  id: string;
  /** Distinguishes the table from a deleted one. */
  identity: string | undefined;
  /** Stamp of the folder with the table's versions. While it is unchanged, this is the newest version. */
  stamp: string | undefined;
  column: VectorColumn;
  rows: number;
  sample: VectorSample;
  /** Whether the table may be read into memory. */
  mayLoad: boolean;
  memory?: MemoryTable | undefined;
  /** An earlier version of the table in memory, from which the next one is built. */
  previousMemory: MemoryTable | undefined;
  /**
   * Earliest time to start reading, on the clock of `performance.now()`. It prevents a table that changes all the time from being read
   * all the time.
   */
  nextReadAt: number;
  reading?: Promise<MemoryTable> | undefined;
}

const readLimits = {
  concurrency: knowledgeLimits.tableReads,
  concurrencyPerClient: knowledgeLimits.tableReadsPerClient,
};

/** Where a table waits to be read, and for which client. */
interface Turn {
  client: string;
  queue: FairQueue;
}

/**
 * The states of the most recently searched tables, least recently used first. A state is read again only if its table has changed, in
 * this process or in another one.
 */
export class TableStates {
  readonly #onNewState: (handle: TableHandle) => void;
  readonly #maxBytes: number;
  readonly #stamps = new FolderStamps();
  readonly #states = new Map<string, TableState>();
  readonly #bytes = new Map<TableState, number>();
  #totalBytes = 0;
  /** Namespaces whose table is being read into memory. */
  readonly #readNamespaces = new Set<string>();
  /** Limit how many tables are read concurrently, because their memory isn't counted yet. Searches don't wait for large ones. */
  readonly #awaitedReads = new FairQueue(readLimits);
  readonly #laterReads = new FairQueue(readLimits);

  /** @param onNewState called for a table that is searched for the first time, or has changed since */
  constructor(onNewState: (handle: TableHandle) => void, maxBytes = getMaxSearchBytes(1)) {
    this.#onNewState = onNewState;
    this.#maxBytes = maxBytes;
  }

  async get(handle: TableHandle): Promise<TableState> {
    const { table, namespace, folder } = handle;
    // Read the stamp first: a version that is committed in the meantime then has another stamp.
    const stamp = folder && (await this.#stamps.read(getVersionsFolder(folder)));
    const last = this.#states.get(namespace);
    if (last && stamp !== undefined && last.stamp === stamp) return this.#touch(namespace, last);
    const { id, identity } = await readVersion(handle);
    const known = this.#states.get(namespace);
    if (known?.id === id) {
      known.stamp = stamp;
      return this.#touch(namespace, known);
    }
    const [schema, rows] = await Promise.all([table.schema(), table.countRows()]);
    const { active: column, languages, termsAreComplete } = readSchema(schema);
    // Keep the sample: reading one for each version would slow down searches between writes.
    const sample = known?.sample.isRepresentative(column, rows) ? known.sample : new VectorSample(table, column, rows);
    const state: TableState = {
      id,
      identity,
      stamp,
      column,
      rows,
      sample,
      languages,
      termsAreComplete,
      mayLoad: false,
      previousMemory: undefined,
      nextReadAt: known?.nextReadAt ?? 0,
    };
    // The table changed in the meantime, so schema and count may belong to different versions.
    if ((await readVersion(handle)).id !== id) return state;
    const before = this.#states.get(namespace);
    // Another search was first; both share one table in memory.
    if (before?.id === id) return before;
    // On an object store a table that was recreated can't be recognised.
    state.mayLoad =
      folder !== undefined && termsAreComplete && rows > 0 && estimateBytes(rows, column) <= this.#maxBytes;
    if (before && isSameTable(before, state)) state.previousMemory = before.memory ?? before.previousMemory;
    this.#add(namespace, state);
    this.#onNewState(handle);
    return state;
  }

  /** The table in memory. Of a small table, or one with few new rows, waits until it is read; undefined for others that aren't read yet. */
  async getMemoryTable(handle: TableHandle, state: TableState, client: string): Promise<MemoryTable | undefined> {
    if (!state.mayLoad || state.memory) return state.memory;
    const newRows = Math.abs(state.rows - (state.previousMemory?.chunks ?? 0));
    const isAwaited = state.rows <= maxFollowedRows && newRows <= maxAwaitedRows;
    return isAwaited ? this.#startReading(handle, state, { client, queue: this.#awaitedReads }) : undefined;
  }

  /** Starts reading a table into memory, unless it is there, can't be, or must wait. The next searches use the engine until it is read. */
  readLater(handle: TableHandle, state: TableState, client: string): void {
    const mustWait = this.#readNamespaces.has(handle.namespace) || performance.now() < state.nextReadAt;
    if (!state.mayLoad || state.memory || mustWait) return;
    // Ignore errors: a search in the engine fails in the same way, and reports it to the caller.
    this.#startReading(handle, state, { client, queue: this.#laterReads }).catch(() => undefined);
  }

  #startReading(handle: TableHandle, state: TableState, turn: Turn): Promise<MemoryTable> {
    const { namespace } = handle;
    if (!state.reading) {
      this.#readNamespaces.add(namespace);
      state.reading = this.#read(handle, state, turn).finally(() => this.#readNamespaces.delete(namespace));
    }
    return state.reading;
  }

  forget(namespace: string): void {
    const state = this.#states.get(namespace);
    if (!state) return;
    this.#states.delete(namespace);
    this.#totalBytes -= this.#bytes.get(state) ?? 0;
    this.#bytes.delete(state);
  }

  #touch(namespace: string, state: TableState): TableState {
    this.#states.delete(namespace);
    this.#states.set(namespace, state);
    return state;
  }

  async #read({ table, namespace }: TableHandle, state: TableState, { client, queue }: Turn): Promise<MemoryTable> {
    try {
      const memory = await queue.add(client, async () => {
        const startedAt = performance.now();
        const { column, rows, previousMemory: last } = state;
        const read = await MemoryTable.read(table, column, { rows, last });
        const endedAt = performance.now();
        const next = this.#states.get(namespace) ?? state;
        const readsNewRows = last === undefined && isSameTable(next, state);
        next.nextReadAt = readsNewRows ? endedAt : endedAt + readRestFactor * (endedAt - startedAt);
        return read;
      });
      state.mayLoad = memory.bytes <= this.#maxBytes;
      state.previousMemory = undefined;
      const current = this.#states.get(namespace);
      if (!current || !isSameTable(current, state)) return memory;
      if (!state.mayLoad) this.#account(current, 0);
      else if (current === state) state.memory = memory;
      // The table changed in the meantime.
      else if (!current.memory) current.previousMemory = memory;
      if (state.mayLoad) this.#account(current, (current.memory ?? memory).bytes);
      return memory;
    } catch (error) {
      if (error instanceof OutdatedRankingError) state.reading = undefined;
      else if (this.#states.get(namespace) === state) this.forget(namespace);
      throw error;
    }
  }

  #add(namespace: string, state: TableState): void {
    this.forget(namespace);
    this.#states.set(namespace, state);
    this.#account(state, state.previousMemory?.bytes ?? 0);
    const [leastRecentlyUsed] = this.#states.keys();
    if (this.#states.size > maxStates && leastRecentlyUsed !== undefined) this.forget(leastRecentlyUsed);
  }

  #account(state: TableState, bytes: number): void {
    this.#totalBytes += bytes - (this.#bytes.get(state) ?? 0);
    this.#bytes.set(state, bytes);
    for (const [namespace, other] of this.#states) {
      if (this.#totalBytes <= this.#maxBytes) break;
      if (this.#bytes.get(other) !== 0) this.forget(namespace);
    }
  }
}

/** Maximum memory for the tables in memory of one of several workers. */
export const getMaxSearchBytes = (workers: number): number =>
  Math.min(knowledgeLimits.searchMemoryBytes, memoryBytes() * searchMemoryShare) / workers;

/** Whether rows with the same id are the same rows. */
const isSameTable = (one: TableState, other: TableState): boolean =>
  one.identity === other.identity && one.column.name === other.column.name;

/** The memory limit of the process's container, or the memory of the machine. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
