import { setImmediate } from "node:timers/promises";
import type { ProviderOptions } from "../chat/types.ts";
import { withRetries } from "../errors/retry.ts";
import type { ProviderCallObserver } from "../observer.ts";
import type { Batch } from "./batches.ts";
import { Batches } from "./batches.ts";
import { embeddingsClientOf } from "./embeddings-client.ts";
import { exchangeEmbeddings } from "./embeddings-exchange.ts";
import { VectorBlock } from "./vector-block.ts";
import type { VectorMemory } from "./vector-memory.ts";
import { readVectors } from "./vectors.ts";

/** Requests that are under way at the same time for one call. */
const MAX_PARALLEL_REQUESTS = 4;
const REQUEST_TIMEOUT_MS = 60_000;
/** Answers with more vectors take milliseconds to read, and wait for their turn. */
const TEXTS_READ_AT_ONCE = 8;

/** Texts in order, each of which is taken once: they may be made as they are, since many of them take memory. */
export interface Texts extends Iterable<string> {
  readonly length: number;
}

export interface EmbedTextsOptions {
  provider: ProviderOptions;
  model: string;
  texts: Texts;
  signal?: AbortSignal;
  /** How long the provider may say nothing; default 60 s. */
  timeoutMs?: number;
  observer?: ProviderCallObserver;
  /** Where the vectors are put; of its own memory without it. */
  memory?: VectorMemory | undefined;
}

/**
 * Embeds texts, in bounded batches and a few requests at a time: one vector for each text, in the order of the texts, all of one
 * length and one behind the other in one piece of memory. Failures that may pass (429, 5xx) are tried again.
 *
 * @throws ProviderError with a message that a client may see; then no request is left running
 * @throws the signal's reason once it is aborted
 */
export async function embedTexts(options: EmbedTextsOptions): Promise<Float32Array[]> {
  const failed = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
  const batches = new Batches(options.model, options.texts);
  const block = new VectorBlock(options.texts.length, options.memory);
  const work = async () => {
    for (let batch = batches.take(); batch !== undefined; batch = batches.take()) {
      await embedBatch(batch, block, options, signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: MAX_PARALLEL_REQUESTS }, work));
  } catch (error) {
    failed.abort();
    options.signal?.throwIfAborted();
    options.observer?.ended(error);
    throw error;
  } finally {
    options.observer?.ended();
  }
  return block.vectors();
}

async function embedBatch(
  { body, first, count }: Batch,
  block: VectorBlock,
  { provider, observer, timeoutMs = REQUEST_TIMEOUT_MS }: EmbedTextsOptions,
  signal: AbortSignal,
): Promise<void> {
  const { pool, headOf } = embeddingsClientOf(provider);
  const secrets = [provider.apiKey];
  const head = headOf(body.length, observer?.headers);
  try {
    await withRetries(signal, () =>
      exchangeEmbeddings({ pool, head, body, signal, timeoutMs, secrets }, async (answer) => {
        if (count > TEXTS_READ_AT_ONCE) await nextTurn();
        readVectors(answer, { block, first, count }, secrets);
      }),
    );
  } finally {
    body.release();
  }
}

let lastTurn: Promise<void> = Promise.resolve();

/** Each call in another turn of the event loop, so that what else the process does comes in between. */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}
