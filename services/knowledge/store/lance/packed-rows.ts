import type { Table as EngineTable } from "@lancedb/lancedb";
import type { Table } from "apache-arrow";
import { AsyncByteQueue, RecordBatchFileWriter } from "apache-arrow";

/** What the engine's table is made of: its `add` takes packed rows, while `Table.add` packs them itself and copies them twice. */
interface NativeTable {
  add(file: Buffer, mode: "append"): Promise<unknown>;
}

/** Appends rows again and again, packed in memory that is used again each time. One `append` at a time. */
export class PackedRows {
  readonly #table: NativeTable;
  readonly #memory = new ReusedMemory();

  constructor(table: EngineTable) {
    const { inner } = table as unknown as { inner?: Partial<NativeTable> };
    if (typeof inner?.add !== "function") throw new Error("This version of @lancedb/lancedb takes no packed rows.");
    this.#table = inner as NativeTable;
  }

  async append(rows: Table): Promise<void> {
    await this.#table.add(this.#pack(rows), "append");
  }

  /** An Arrow IPC file, until the next call. */
  #pack(rows: Table): Buffer {
    this.#memory.clear();
    const writer = new RecordBatchFileWriter();
    writer.reset(new MemoryQueue(this.#memory), rows.schema);
    for (const batch of rows.batches) writer.write(batch);
    writer.finish();
    return this.#memory.bytes();
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
      const larger = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#bytes.length));
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
