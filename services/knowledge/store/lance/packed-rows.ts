import type { Table as EngineTable } from "@lancedb/lancedb";
import { AsyncByteQueue, RecordBatchFileWriter } from "apache-arrow";
import type { NewRow } from "./rows.ts";
import { blocksOf } from "./rows.ts";
import type { VectorColumn } from "./vector-columns.ts";

/** What the engine's table is made of: its `add` takes packed rows, while `Table.add` packs them itself and copies them twice. */
interface NativeTable {
  add(file: Buffer, mode: "append"): Promise<unknown>;
}

/** Appends rows again and again, packed in memory that is used again each time. One `pack` or `append` at a time. */
export class PackedRows {
  readonly #table: NativeTable;
  readonly #packed = new ReusedMemory();
  readonly #texts = new ReusedMemory();

  constructor(table: EngineTable) {
    const { inner } = table as unknown as { inner?: Partial<NativeTable> };
    if (typeof inner?.add !== "function") throw new Error("This version of @lancedb/lancedb takes no packed rows.");
    this.#table = inner as NativeTable;
  }

  /** Makes an Arrow IPC file of rows, which are needed only meanwhile. */
  async pack(rows: Iterable<NewRow>, column: VectorColumn): Promise<void> {
    this.#packed.clear();
    const writer = new RecordBatchFileWriter();
    const sink = new MemoryQueue(this.#packed);
    let hasBegun = false;
    for await (const block of blocksOf(rows, column, (bytes) => this.#texts.take(bytes))) {
      if (!hasBegun) writer.reset(sink, block.schema);
      hasBegun = true;
      writer.write(block);
      this.#texts.clear();
    }
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
    this.#memory.take(value.byteLength).set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
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

  /** Room for so many bytes behind the others; they hold until `clear`. */
  take(length: number): Buffer {
    const wanted = this.#length + length;
    if (wanted > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(wanted, Math.ceil(growth * this.#bytes.length)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    const taken = this.#bytes.subarray(this.#length, wanted);
    this.#length = wanted;
    return taken;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
