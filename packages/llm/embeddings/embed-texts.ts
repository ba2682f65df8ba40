import { waitForTurn } from "@agent-backends/kit/turns";
import { ProviderError } from "../errors/provider-error.ts";
import type { Provider, ProviderCallObserver } from "../provider.ts";
import { receiveBody } from "../transport/receive-body.ts";
import type { Batch } from "./batches.ts";
import { createBatches } from "./batches.ts";
import type { VectorMemory } from "./vector-memory.ts";
import { VectorBlock } from "./vector-memory.ts";
import { readVectors } from "./vectors.ts";

/** Maximum concurrent requests of one call. */
const concurrency = 4;
const maxResponseBytes = 64 * 1024 * 1024;
/** Parsing a response with more vectors takes milliseconds, so it gets its own event loop turn. */
const maxVectorsPerTurn = 8;

/** Texts in order. Each is read once, so an implementation may create them on demand to save memory. */
export interface Texts extends Iterable<string> {
  readonly length: number;
}

export interface EmbedTextsOptions {
  provider: Provider;
  model: string;
  texts: Texts;
  signal?: AbortSignal;
  observer?: ProviderCallObserver;
  memory?: VectorMemory | undefined;
}

/**
 * Embeds texts in batches, several at a time. Returns one vector per text, in order, all of the same length and contiguous in memory.
 *
 * @throws ProviderError with a message that a client may see; no request is left running
 * @throws the signal's reason once it is aborted
 */
export async function embedTexts(options: EmbedTextsOptions): Promise<Float32Array[]> {
  const failed = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
  const batches = createBatches(options.model, options.texts);
  const block = new VectorBlock(options.texts.length, options.memory);
  const work = async () => {
    for (const batch of batches) await embedBatch(batch, block, options, signal);
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
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
  { provider, observer }: EmbedTextsOptions,
  signal: AbortSignal,
): Promise<void> {
  const request = { body, headers: observer?.headers };
  const options = { signal, maxBytes: maxResponseBytes };
  try {
    const { body: response } = await receiveBody((handler) => provider.openEmbeddings(request, handler), options);
    if (!response) throw new ProviderError("invalid", "The model provider's answer is too large.");
    try {
      if (count > maxVectorsPerTurn) await waitForTurn();
      readVectors(response.bytes(), { block, first, count }, provider.secrets);
    } finally {
      response.release();
    }
  } finally {
    body.release();
  }
}
