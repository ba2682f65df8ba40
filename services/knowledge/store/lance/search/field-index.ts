import type { SearchFilter } from "@agent-backends/contract";
import { waitForTurn } from "@agent-backends/kit/turns";
import type { DocumentSource } from "../../document.ts";
import { listFieldKeys, toFieldKeys } from "../../filter-keys.ts";

/** Number of chunks read before other requests get their turn. */
const chunkBatchSize = 1_024;

/** Indexes which chunks of a table have which values of the fields that a filter may name. */
export class FieldIndex {
  readonly #chunks: number;
  /** Positions of the chunks, by field name and value. */
  readonly #positions: ReadonlyMap<string, readonly number[]>;

  private constructor(chunks: number, positions: ReadonlyMap<string, readonly number[]>) {
    this.#chunks = chunks;
    this.#positions = positions;
  }

  /** @param getSource returns the source of a chunk's document, as JSON */
  static async build(chunks: number, getSource: (position: number) => string): Promise<FieldIndex> {
    const positions = new Map<string, number[]>();
    let json = "";
    let keys: string[] = [];
    for (let position = 0; position < chunks; position += 1) {
      const itsJson = getSource(position);
      // The chunks of a document are adjacent, so reuse the keys.
      if (itsJson !== json) keys = listFieldKeys(JSON.parse(itsJson) as DocumentSource);
      json = itsJson;
      for (const key of keys) {
        const ofKey = positions.get(key);
        if (ofKey) ofKey.push(position);
        else positions.set(key, [position]);
      }
      if (position % chunkBatchSize === chunkBatchSize - 1) await waitForTurn();
    }
    return new FieldIndex(chunks, positions);
  }

  /** For each chunk, 1 if it has all fields of a filter, each with one of its values, or else 0. */
  select(filter: SearchFilter): Uint8Array {
    let accepted = new Uint8Array(this.#chunks).fill(1);
    for (const [name, wanted] of Object.entries(filter)) {
      const matching = new Uint8Array(this.#chunks);
      for (const key of toFieldKeys(name, wanted)) {
        for (const position of this.#positions.get(key) ?? []) {
          matching[position] = accepted[position] as number;
        }
      }
      accepted = matching;
    }
    return accepted;
  }
}
