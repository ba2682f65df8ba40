import { totalmem } from "node:os";
import { join } from "node:path";
import { knowledgeLimits } from "@agent-backends/contract";
import { FairQueue } from "@agent-backends/kit";
import { getFolderIdentity } from "../../files.ts";
import type { TableDescription, VectorColumn } from "../table/schema.ts";
import { getTableName, readSchema } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";
import { FolderStamps, getVersionsFolder } from "./folder-stamps.ts";
import { estimateBytes, MemoryTable } from "./memory-table.ts";
import { VectorSample } from "./ordinary-similarity.ts";
import { OutdatedRankingError } from "./rankings.ts";

/** Tables in memory may take this share of the container's memory together, in all workers. */
const searchMemoryShare = 1 / 8;
const maxStates = 4_096;
/** After a table was read, its next version waits for this many times as long as that took. */
const restAfterRead = 4;
/**
 * Searches wait until a table of this many rows is read, or so many new ones, which takes about 0.02 s. They then answer the same from
 * the first one on: the engine differs in the last digits of similarities.
 */
const maxAwaitedRows = 512;
/** Finding the new rows of a larger table takes longer than a search by the engine. */
const maxFollowedRows = 8_192;

/** What a search has to know of one version of a table. */
export interface TableState extends Pick<TableDescription, "languages" | "termsAreComplete"> {
  id: string;
  /** Distinguishes the table from one that was deleted. */
  folder: string | undefined;
  /** Of the folder of the table's versions. While it stays the same, this is the newest version. */
  stamp: string | undefined;
  column: VectorColumn;
  rows: number;
  sample: VectorSample;
  /** Whether the table may be read into memory. */
  fitsMemory: boolean;
  memory?: MemoryTable | undefined;
  /** An earlier version of the table in memory, of which the next one is made. */
  last: MemoryTable | undefined;
  /** When reading may begin, on the clock of `performance.now()`: a table that changes all the time is not read all the time. */
  readAt: number;
  reading?: Promise<MemoryTable> | undefined;
}

/**
 * The states of the most recently searched tables, least recently used first. A state is read again only when its table has
 * changed, in this process or in another one.
 */
export class TableStates {
  readonly #folder: string | undefined;
  readonly #onNewState: (handle: TableHandle) => void;
  readonly #maxBytes: number;
  readonly #stamps = new FolderStamps();
  readonly #states = new Map<string, TableState>();
  readonly #bytes = new Map<TableState, number>();
  #totalBytes = 0;
  /** Those whose table is being read into memory. */
  readonly #readNamespaces = new Set<string>();
  /** Limits the tables that are being read, whose memory is not counted yet. */
  readonly #reading = new FairQueue({
    concurrency: knowledgeLimits.tableReads,
    concurrencyPerClient: knowledgeLimits.tableReadsPerClient,
  });

  /**
   * @param folder the folder of the tables; absent on an object store, where a table that was recreated can't be recognised
   * @param onNewState called for a table that is searched for the first time, or has changed since
   */
  constructor(folder: string | undefined, onNewState: (handle: TableHandle) => void, maxBytes = getMaxSearchBytes(1)) {
    this.#folder = folder;
    this.#onNewState = onNewState;
    this.#maxBytes = maxBytes;
  }

  async get(handle: TableHandle): Promise<TableState> {
    const { table, namespace } = handle;
    // Read first: a version that is committed meanwhile then has another stamp.
    const stamp = await this.#readStamp(namespace);
    const last = this.#states.get(namespace);
    if (last && stamp !== undefined && last.stamp === stamp) return this.#touch(namespace, last);
    const { id, folder } = await this.#identify(handle);
    const known = this.#states.get(namespace);
    if (known?.id === id) {
      known.stamp = stamp;
      return this.#touch(namespace, known);
    }
    const [schema, rows] = await Promise.all([table.schema(), table.countRows()]);
    const { active: column, languages, termsAreComplete } = readSchema(schema);
    // Reading a sample of each version would slow down searches between writes.
    const sample = known?.sample.fits(column, rows) ? known.sample : new VectorSample(table, column, rows);
    const state: TableState = {
      id,
      folder,
      stamp,
      column,
      rows,
      sample,
      languages,
      termsAreComplete,
      fitsMemory: false,
      last: undefined,
      readAt: known?.readAt ?? 0,
    };
    // The table changed meanwhile: schema and count may be of different versions.
    if ((await this.#identify(handle)).id !== id) return state;
    // Another search was first; both share one table in memory.
    const first = this.#states.get(namespace);
    if (first?.id === id) return first;
    state.fitsMemory =
      this.#folder !== undefined && termsAreComplete && rows > 0 && estimateBytes(rows, column) <= this.#maxBytes;
    const before = this.#states.get(namespace);
    if (before && isSameTable(before, state)) state.last = before.memory ?? before.last;
    this.#add(namespace, state);
    this.#onNewState(handle);
    return state;
  }

  /**
   * The table in memory, if it is there. Otherwise starts to read it, in this client's turn. The engine searches a larger one
   * meanwhile: waiting would make the first search several times as long.
   */
  async getMemoryTable(handle: TableHandle, state: TableState, client: string): Promise<MemoryTable | undefined> {
    if (!state.fitsMemory || state.memory) return state.memory;
    const { namespace } = handle;
    const isAwaited =
      state.rows <= maxFollowedRows && Math.abs(state.rows - (state.last?.chunks ?? 0)) <= maxAwaitedRows;
    if (!state.reading) {
      const mustWait = this.#readNamespaces.has(namespace) || performance.now() < state.readAt;
      if (mustWait && !isAwaited) return undefined;
      this.#readNamespaces.add(namespace);
      state.reading = this.#read(handle, state, client).finally(() => this.#readNamespaces.delete(namespace));
      // Whoever doesn't wait for it asks the engine, which fails in the same way.
      state.reading.catch(() => undefined);
    }
    return isAwaited ? state.reading : undefined;
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

  async #readStamp(namespace: string): Promise<string | undefined> {
    return this.#folder && this.#stamps.read(getVersionsFolder(this.#folder, namespace));
  }

  #getTableFolder(namespace: string): string | undefined {
    return this.#folder && join(this.#folder, `${getTableName(namespace)}.lance`);
  }

  /** Version numbers start from 1 again when a namespace is deleted and recreated; then the folder differs. */
  async #identify({ table, namespace }: TableHandle): Promise<Pick<TableState, "id" | "folder">> {
    const path = this.#getTableFolder(namespace);
    const [version, folder] = await Promise.all([table.version(), path && getFolderIdentity(path)]);
    return { id: `${version} ${folder}`, folder };
  }

  async #read({ table, namespace }: TableHandle, state: TableState, client: string): Promise<MemoryTable> {
    try {
      const memory = await this.#reading.add(client, async () => {
        const startedAt = performance.now();
        const read = await MemoryTable.read(table, state.column, state.last);
        const endedAt = performance.now();
        (this.#states.get(namespace) ?? state).readAt = endedAt + restAfterRead * (endedAt - startedAt);
        return read;
      });
      state.fitsMemory = memory.bytes <= this.#maxBytes;
      state.last = undefined;
      const current = this.#states.get(namespace);
      if (!current || !isSameTable(current, state)) return memory;
      if (!state.fitsMemory) this.#account(current, 0);
      else if (current === state) state.memory = memory;
      // The table changed meanwhile.
      else if (!current.memory) current.last = memory;
      if (state.fitsMemory) this.#account(current, (current.memory ?? memory).bytes);
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
    this.#account(state, state.last?.bytes ?? 0);
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

/** What the tables in memory of one of several workers may take. */
export const getMaxSearchBytes = (workers: number): number =>
  Math.min(knowledgeLimits.searchMemoryBytes, memoryBytes() * searchMemoryShare) / workers;

/** Whether rows with the same id are the same rows. */
const isSameTable = (one: TableState, other: TableState): boolean =>
  one.folder === other.folder && one.column.name === other.column.name;

/** The memory of the process's container, or of the machine. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
