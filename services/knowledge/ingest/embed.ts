import { knowledgeLimits } from "@agent-backends/contract";
import { FairQueue } from "@agent-backends/kit";
import type { VectorMemory } from "@agent-backends/llm";
import type { Embedder } from "../search/hybrid-search.ts";
import type { DocumentPart } from "../store/document.ts";
import { embeddingText } from "./chunk.ts";
import type { PreparedPart } from "./prepared-document.ts";

/** Provider calls are shared fairly between clients, because one client's document may have a hundred thousand chunks. */
const embeddingQueue = new FairQueue({ concurrency: knowledgeLimits.embeddingCalls });

/** Settings for embedding the chunks of a document. */
export interface Embedding {
  embedder: Embedder;
  model: string;
  title: string;
  client: string;
}

/** Embeds the chunks of a part. The part is read only when it is the client's turn. */
export function embedPart(
  { embedder, model, title, client }: Embedding,
  readPart: () => PreparedPart | Promise<PreparedPart>,
  signal: AbortSignal,
  memory?: VectorMemory,
): Promise<DocumentPart> {
  const embed = async () => {
    const { text, chunks } = await readPart();
    // Build texts only when they are used. Kept until the part is stored, the texts of a large document outgrow the heap's young
    // generation.
    const texts = {
      length: chunks.length,
      *[Symbol.iterator]() {
        for (const chunk of chunks) yield embeddingText(chunk, title);
      },
    };
    const vectors = await embedder.embed(texts, signal, model, memory);
    return {
      text,
      chunks: chunks.map((chunk, position) => ({
        ...chunk,
        vector: vectors[position] ?? new Float32Array(),
        get searchText() {
          return embeddingText(chunk, title);
        },
      })),
    };
  };
  return embeddingQueue.add(client, embed, signal);
}

/** The same part with vectors of the given model. */
export function reembedPart(
  { embedder, model, client }: Omit<Embedding, "title">,
  part: DocumentPart,
  signal: AbortSignal,
): Promise<DocumentPart> {
  const embed = async () => {
    const texts = part.chunks.map(({ searchText }) => searchText);
    const vectors = await embedder.embed(texts, signal, model);
    const chunks = part.chunks.map((chunk, position) => {
      return { ...chunk, vector: vectors[position] ?? new Float32Array() };
    });
    return { ...part, chunks };
  };
  return embeddingQueue.add(client, embed, signal);
}
