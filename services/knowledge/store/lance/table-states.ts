import { totalmem } from "node:os";
import { join } from "node:path";
import PQueue from "p-queue";
import { folderIdentity } from "./folder-identity.ts";
import type { NamespaceTable } from "./namespace-table.ts";
import { isSmall, SmallTable } from "./small-table.ts";
import { tableNameOf } from "./table-names.ts";
import type { VectorColumn } from "./vector-columns.ts";
import { readSchema } from "./vector-columns.ts";

const megabyte = 1024 * 1024;
/** What small tables may take of memory together: an eighth of what the process may have, and no more than this. */
const smallTablesBytesAtMost = 512 * megabyte;
const shareOfMemory = 1 / 8;
const statesKept = 4_096;
const tablesReadAtOnce = 2;

/** What a search has to know of a table, which is true for one of its states. */
export interface TableState {
  id: string;
  column: VectorColumn;
  rows: number;
  /** The table in memory; absent where the engine is to search it. */
  small?(): Promise<SmallTable | undefined>;
}

/**
 * The states of tables as they were searched last, the longest unused first. What was read is asked for again only when the table
 * has changed, in this process or in another one.
 */
export class TableStates {
  readonly #folder: string | undefined;
  readonly #onNewState: (opened: NamespaceTable) => void;
  readonly #bytesAtMost: number;
  readonly #states = new Map<string, TableState>();
  readonly #bytes = new Map<TableState, number>();
  #bytesTaken = 0;
  /** What is being read counts nowhere yet. */
  readonly #reading = new PQueue({ concurrency: tablesReadAtOnce });

  /**
   * @param folder where the tables lie; absent on an object store, where it is not told whether a table was made anew
   * @param onNewState told of a table that is searched for the first time, or has changed since
   */
  constructor(
    folder: string | undefined,
    onNewState: (opened: NamespaceTable) => void,
    bytesAtMost = Math.min(smallTablesBytesAtMost, memoryBytes() * shareOfMemory),
  ) {
    this.#folder = folder;
    this.#onNewState = onNewState;
    this.#bytesAtMost = bytesAtMost;
  }

  async of(opened: NamespaceTable): Promise<TableState> {
    const { table, namespace } = opened;
    const id = await this.#idOf(opened);
    const known = this.#states.get(namespace);
    if (known?.id === id) {
      this.#states.delete(namespace);
      this.#states.set(namespace, known);
      return known;
    }
    const [schema, rows] = await Promise.all([table.schema(), table.countRows()]);
    const column = readSchema(schema).active;
    const state: TableState = { id, column, rows };
    // It changed meanwhile: what was read may be of several states.
    if ((await this.#idOf(opened)) !== id) return state;
    // Another search was first: its table in memory serves both.
    const first = this.#states.get(namespace);
    if (first?.id === id) return first;
    this.#keep(namespace, state);
    this.#onNewState(opened);
    if (this.#folder !== undefined && isSmall(rows, column)) {
      let reading: Promise<SmallTable | undefined> | undefined;
      state.small = () => (reading ??= this.#read(opened, state));
    }
    return state;
  }

  forget(namespace: string): void {
    const state = this.#states.get(namespace);
    if (!state) return;
    this.#states.delete(namespace);
    this.#bytesTaken -= this.#bytes.get(state) ?? 0;
    this.#bytes.delete(state);
  }

  /** The number of a table's version counts from 1 again when its namespace was deleted and made anew. */
  async #idOf({ table, namespace }: NamespaceTable): Promise<string> {
    const version = table.version();
    if (this.#folder === undefined) return String(await version);
    const folder = folderIdentity(join(this.#folder, `${tableNameOf(namespace)}.lance`));
    return (await Promise.all([version, folder])).join(" ");
  }

  async #read({ table, namespace }: NamespaceTable, state: TableState): Promise<SmallTable | undefined> {
    try {
      const small = await this.#reading.add(() => SmallTable.read(table, state.column));
      if (small && small.bytes > this.#bytesAtMost) delete state.small;
      else if (small && this.#states.get(namespace) === state) this.#account(state, small.bytes);
      return small;
    } catch (error) {
      if (this.#states.get(namespace) === state) this.forget(namespace);
      throw error;
    }
  }

  #keep(namespace: string, state: TableState): void {
    this.forget(namespace);
    this.#states.set(namespace, state);
    const [longestUnused] = this.#states.keys();
    if (this.#states.size > statesKept && longestUnused !== undefined) this.forget(longestUnused);
  }

  #account(state: TableState, bytes: number): void {
    this.#bytes.set(state, bytes);
    this.#bytesTaken += bytes;
    for (const [namespace, other] of this.#states) {
      if (this.#bytesTaken <= this.#bytesAtMost) break;
      if (this.#bytes.has(other)) this.forget(namespace);
    }
  }
}

/** What the process may have of memory: that of its container, or of the machine. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
