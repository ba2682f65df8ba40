import { knowledgeLimits } from "@agent-backends/contract";
import { FairQueue } from "@agent-backends/kit";
import type { Texts } from "@agent-backends/llm";
import { VectorMemory } from "@agent-backends/llm";
import type { Embedder } from "../search/hybrid-search.ts";
import type { DocumentPart, NewChunk } from "../store/document.ts";
import { embeddingText } from "./chunk.ts";
import type { PreparedDocument } from "./prepare.ts";
import type { PreparedChunk } from "./prepared-chunks.ts";
import { chunkCount, chunksOf } from "./prepared-chunks.ts";

/** A document of more chunks is embedded and stored in parts of so many, which bounds the memory that it takes. */
export const chunksOfPart = 256;

interface Embedding {
  embedder: Embedder;
  document: PreparedDocument;
  title: string;
  model: string;
  client: string;
  signal: AbortSignal;
  onStage(stage: "embedding" | "storing"): void;
}

interface EmbeddedPart {
  part: DocumentPart;
  /** To be called when the part is used no more, if all went well: the vectors of what fails may still be written to. */
  release(): void;
}

/** What the provider does at a time is shared between clients, whose documents may have a hundred thousand chunks. */
const embeddingCalls = new FairQueue({ concurrency: knowledgeLimits.embeddingCalls });

/** The chunks of a document from one to before another, with their vectors, when its client's turn has come. */
export function embeddedPart(embedding: Embedding, from: number, to: number): Promise<EmbeddedPart> {
  return embeddingCalls.add(embedding.client, () => embedPart(embedding, from, to), embedding.signal);
}

async function embedPart(
  { embedder, document, title, model, signal }: Embedding,
  from: number,
  to: number,
): Promise<EmbeddedPart> {
  const { text, chunks, release } = await chunksOf(document, from, to);
  const memory = new VectorMemory();
  const vectors = await embedder.embed(textsOf(chunks, title), signal, model, memory);
  const chunkOf = (chunk: PreparedChunk, position: number) =>
    new EmbeddedChunk(chunk, title, vectors[position] ?? new Float32Array());
  return {
    part: { text, chunks: chunks.map(chunkOf) },
    release() {
      release();
      memory.release();
    },
  };
}

const searchTextOf = ({ place, text }: PreparedChunk, title: string): string =>
  embeddingText({ ...place, text }, title);

const textsOf = (chunks: readonly PreparedChunk[], title: string): Texts => ({
  length: chunks.length,
  *[Symbol.iterator]() {
    for (const chunk of chunks) yield searchTextOf(chunk, title);
  },
});

/** Makes its texts when they are stored, as the chunk does. */
class EmbeddedChunk implements NewChunk {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly vector: Float32Array;
  declare readonly page?: number;
  declare readonly slide?: number;
  declare readonly sheet?: string;
  declare readonly heading?: string;
  readonly #chunk: PreparedChunk;
  readonly #title: string;

  constructor(chunk: PreparedChunk, title: string, vector: Float32Array) {
    this.index = chunk.index;
    this.start = chunk.start;
    this.end = chunk.end;
    this.vector = vector;
    Object.assign(this, chunk.place);
    this.#chunk = chunk;
    this.#title = title;
  }

  get searchText(): string {
    return searchTextOf(this.#chunk, this.#title);
  }
}

/** All chunks with their vectors, a part at a time, while the next one is embedded. Those of a part hold until the next one is asked for. */
export async function* embeddedParts(embedding: Embedding): AsyncGenerator<DocumentPart, void, undefined> {
  const { document, onStage } = embedding;
  const count = chunkCount(document);
  const stopped = new AbortController();
  const signal = AbortSignal.any([embedding.signal, stopped.signal]);
  const ask = (from: number) => {
    const part = embeddedPart({ ...embedding, signal }, from, Math.min(from + chunksOfPart, count));
    // Seen when its turn comes; whoever stops before that doesn't want it.
    part.catch(() => undefined);
    return part;
  };
  onStage("embedding");
  try {
    let next = ask(0);
    for (let from = chunksOfPart; from < count; from += chunksOfPart) {
      const { part, release } = await next;
      next = ask(from);
      yield part;
      release();
    }
    const last = await next;
    onStage("storing");
    yield last.part;
    last.release();
  } finally {
    stopped.abort();
  }
}
