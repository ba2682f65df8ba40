import type { Language } from "@agent-backends/language";
import type { Table as EngineTable } from "@lancedb/lancedb";
import { AsyncByteQueue, RecordBatchFileWriter } from "./arrow.ts";
import { RowColumns } from "./row-columns.ts";
import type { NewRow } from "./rows.ts";
import type { VectorColumn } from "./schema.ts";

/** The engine's inner table. Its `add` takes packed rows, while `Table.add` packs them itself and copies them twice. */
interface NativeTable {
  add(file: Buffer, mode: "append"): Promise<unknown>;
}

/** Packs rows into an Arrow IPC file and appends them, reusing its memory. Only one `pack` or `append` may run at a time. */
export class PackedRows {
  readonly #table: NativeTable;
  readonly #columns = new RowColumns();
  readonly #packed = new ReusedMemory();

  constructor(table: EngineTable) {
    const { inner } = table as unknown as { inner?: Partial<NativeTable> };
    if (typeof inner?.add !== "function") throw new Error("This version of @lancedb/lancedb takes no packed rows.");
    this.#table = inner as NativeTable;
  }

  get languages(): ReadonlySet<Language> {
    return this.#columns.languages;
  }

  async pack(rows: Iterable<NewRow>, column: VectorColumn): Promise<void> {
    const table = await this.#columns.convert(rows, column);
    this.#packed.clear();
    const writer = new RecordBatchFileWriter();
    writer.reset(new MemoryQueue(this.#packed), table.schema);
    for (const batch of table.batches) writer.write(batch);
    writer.finish();
  }

  /** Appends the last packed rows. */
  async append(): Promise<void> {
    await this.#table.add(this.#packed.bytes(), "append");
  }
}

/** The target of Arrow's writer. Arrow's own queue would keep pieces that have to be joined afterwards. */
class MemoryQueue extends AsyncByteQueue {
  readonly #memory: ReusedMemory;

  constructor(memory: ReusedMemory) {
    super();
    this.#memory = memory;
  }

  override write(value: ArrayBufferView): void {
    this.#memory.add(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }
}

const growthFactor = 1.25;

class ReusedMemory {
  #bytes = Buffer.alloc(0);
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  add(piece: Uint8Array): void {
    const minBytes = this.#length + piece.byteLength;
    if (minBytes > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(minBytes, Math.ceil(growthFactor * this.#bytes.length)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = minBytes;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
