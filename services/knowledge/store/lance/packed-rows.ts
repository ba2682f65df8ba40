import type { Table as EngineTable } from "@lancedb/lancedb";
import { AsyncByteQueue, RecordBatchFileWriter } from "apache-arrow";
import type { NewRow } from "./rows.ts";
import { RowColumns } from "./rows.ts";
import type { VectorColumn } from "./vector-columns.ts";

/** What the engine's table is made of: its `add` takes packed rows, while `Table.add` packs them itself and copies them twice. */
interface NativeTable {
  add(file: Buffer, mode: "append"): Promise<unknown>;
}

/** Appends rows again and again, packed in memory that is used again each time. One `pack` or `append` at a time. */
export class PackedRows {
  readonly #table: NativeTable;
  readonly #columns = new RowColumns();
  readonly #packed = new ReusedMemory();

  constructor(table: EngineTable) {
    const { inner } = table as unknown as { inner?: Partial<NativeTable> };
    if (typeof inner?.add !== "function") throw new Error("This version of @lancedb/lancedb takes no packed rows.");
    this.#table = inner as NativeTable;
  }

  /** Makes an Arrow IPC file of rows, which are needed only meanwhile. */
  async pack(rows: Iterable<NewRow>, column: VectorColumn): Promise<void> {
    const table = await this.#columns.of(rows, column);
    this.#packed.clear();
    const writer = new RecordBatchFileWriter();
    writer.reset(new MemoryQueue(this.#packed), table.schema);
    for (const batch of table.batches) writer.write(batch);
    writer.finish();
  }

  /** Appends what was packed last. */
  async append(): Promise<void> {
    await this.#table.add(this.#packed.bytes(), "append");
  }
}

/** Where a writer of Arrow puts its bytes, as its own queue, whose pieces would be joined afterwards. */
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

const growth = 1.25;

/** Grows to the largest that was in it. */
class ReusedMemory {
  #bytes = Buffer.alloc(0);
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  add(piece: Uint8Array): void {
    const wanted = this.#length + piece.byteLength;
    if (wanted > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(wanted, Math.ceil(growth * this.#bytes.length)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = wanted;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
