import { VectorMemory } from "@agent-backends/llm";
import type { DocumentPart } from "../../store/document.ts";
import type { Embedding } from "../embed.ts";
import { embedPart } from "../embed.ts";
import type { LargeDocument } from "../prepared-document.ts";

/** The parts of a large document. Each part is embedded while the previous one is stored, and is valid until the next one is requested. */
export async function* embedParts(
  embedding: Embedding,
  document: LargeDocument,
  signal: AbortSignal,
  { onEmbedding, onStoring }: { onEmbedding: (done: number) => void; onStoring: () => void },
): AsyncGenerator<DocumentPart, void, undefined> {
  const stopping = new AbortController();
  const stop = AbortSignal.any([signal, stopping.signal]);
  const embed = (number: number) => {
    const memory = new VectorMemory();
    const readPart = () => {
      if (number === 0) onEmbedding(0);
      return document.readPart(number);
    };
    const part = embedPart(embedding, readPart, stop, memory);
    // The promise is awaited later, unless the consumer stops before.
    part.catch(() => undefined);
    return { part, memory };
  };
  try {
    let next = embed(0);
    let done = 0;
    for (let number = 1; number <= document.partCount; number++) {
      const { part, memory } = next;
      const embedded = await part;
      done += embedded.chunks.length;
      if (number < document.partCount) {
        onEmbedding(done);
        next = embed(number);
      } else {
        onStoring();
      }
      yield embedded;
      // Not released after a failure, because the vectors may still be written to.
      memory.release();
    }
  } finally {
    stopping.abort();
  }
}
