import type { CompletionChunk } from "./completion-chunk.ts";
import { readCompletionChunk } from "./completion-chunk.ts";

const none = { text: "", reasoning: "", reasoningDetails: [], refusal: "", toolCalls: [] } as const;
const kinds = Object.keys(none) as (keyof typeof none)[];

/**
 * Reads the chunks of one stream. Some providers (MiniMax) end a stream of deltas with the whole answer as a `message`. Such a message
 * counts only for kinds of content that no delta had.
 */
export class ChunkReader {
  /** Which kinds of content have come in deltas. To be updated for deltas that aren't read here. */
  readonly inDeltas = { text: false, reasoning: false, reasoningDetails: false, refusal: false, toolCalls: false };

  read(json: unknown): CompletionChunk {
    const chunk = readCompletionChunk(json);
    for (const kind of kinds) {
      if (chunk[kind].length === 0) continue;
      if (!chunk.isMessage) this.inDeltas[kind] = true;
      else if (this.inDeltas[kind]) Object.assign(chunk, { [kind]: none[kind] });
    }
    return chunk;
  }
}
