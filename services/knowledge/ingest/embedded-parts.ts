import { knowledgeLimits } from "@agent-backends/contract";
import { FairQueue } from "@agent-backends/kit";
import type { Texts } from "@agent-backends/llm";
import { VectorMemory } from "@agent-backends/llm";
import type { Embedder } from "../search/hybrid-search.ts";
import type { NewPartChunk } from "../store/knowledge-store.ts";
import { embeddingText } from "./chunk.ts";
import type { PreparedPassage } from "./passages.ts";
import { passageCount, passagesOf } from "./passages.ts";
import type { PreparedDocument } from "./prepare.ts";

/** A document of more passages is embedded and stored in parts of so many, which bounds the memory that it takes. */
export const passagesOfPart = 256;

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
  chunks: NewPartChunk[];
  /** To be called when the chunks are used no more, if all went well: the vectors of what fails may still be written to. */
  release(): void;
}

/** What the provider does at a time is shared between clients, whose documents may have a hundred thousand passages. */
const embeddingCalls = new FairQueue({ concurrency: knowledgeLimits.embeddingCalls });

/** The passages of a document from one to before another, with their vectors, when its client's turn has come. */
export function embeddedPart(embedding: Embedding, from: number, to: number): Promise<EmbeddedPart> {
  return embeddingCalls.add(embedding.client, () => embedPart(embedding, from, to), embedding.signal);
}

async function embedPart(
  { embedder, document, title, model, signal }: Embedding,
  from: number,
  to: number,
): Promise<EmbeddedPart> {
  const { passages, release } = await passagesOf(document, from, to);
  const memory = new VectorMemory();
  const vectors = await embedder.embed(textsOf(passages, title), signal, model, memory);
  const chunkOf = (passage: PreparedPassage, position: number) =>
    new EmbeddedPassage(passage, title, vectors[position] ?? new Float32Array());
  return {
    chunks: passages.map(chunkOf),
    release() {
      release();
      memory.release();
    },
  };
}

const searchTextOf = ({ place, text }: PreparedPassage, title: string): string =>
  embeddingText({ ...place, text }, title);

const textsOf = (passages: readonly PreparedPassage[], title: string): Texts => ({
  length: passages.length,
  *[Symbol.iterator]() {
    for (const passage of passages) yield searchTextOf(passage, title);
  },
});

/** Makes its texts when they are stored, as the passage does. */
class EmbeddedPassage implements NewPartChunk {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly vector: Float32Array;
  declare readonly page?: number;
  declare readonly slide?: number;
  declare readonly sheet?: string;
  declare readonly heading?: string;
  readonly #passage: PreparedPassage;
  readonly #title: string;

  constructor(passage: PreparedPassage, title: string, vector: Float32Array) {
    this.index = passage.index;
    this.start = passage.start;
    this.end = passage.end;
    this.vector = vector;
    Object.assign(this, passage.place);
    this.#passage = passage;
    this.#title = title;
  }

  get searchText(): string {
    return searchTextOf(this.#passage, this.#title);
  }

  get textBefore(): string {
    return this.#passage.textBefore;
  }

  get textBehind(): string {
    return this.#passage.textBehind;
  }
}

/** All passages with their vectors, a part at a time, while the next one is embedded. Those of a part hold until the next one is asked for. */
export async function* embeddedParts(embedding: Embedding): AsyncGenerator<NewPartChunk[], void, undefined> {
  const { document, onStage } = embedding;
  const count = passageCount(document);
  const stopped = new AbortController();
  const signal = AbortSignal.any([embedding.signal, stopped.signal]);
  const ask = (from: number) => {
    const part = embeddedPart({ ...embedding, signal }, from, Math.min(from + passagesOfPart, count));
    // Seen when its turn comes; whoever stops before that doesn't want it.
    part.catch(() => undefined);
    return part;
  };
  onStage("embedding");
  try {
    let next = ask(0);
    for (let from = passagesOfPart; from < count; from += passagesOfPart) {
      const { chunks, release } = await next;
      next = ask(from);
      yield chunks;
      release();
    }
    const last = await next;
    onStage("storing");
    yield last.chunks;
    last.release();
  } finally {
    stopped.abort();
  }
}
