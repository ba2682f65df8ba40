import { setImmediate } from "node:timers/promises";
import type { ProviderOptions } from "../chat/types.ts";
import { ProviderError } from "../errors/provider-error.ts";
import { postToProvider } from "../http/post.ts";
import { readBoundedBytes } from "../http/read-bounded.ts";
import type { ProviderCallObserver } from "../observer.ts";
import { batchesOf } from "./batches.ts";
import { readVectors } from "./vectors.ts";

/** Requests that are under way at the same time for one call. */
const MAX_PARALLEL_REQUESTS = 4;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Answers with more vectors take milliseconds to read, and wait for their turn. */
const TEXTS_READ_AT_ONCE = 8;

export interface EmbedTextsOptions {
  provider: ProviderOptions;
  model: string;
  texts: readonly string[];
  signal?: AbortSignal;
  /** Until the provider's answer to one request starts; default 60 s. */
  timeoutMs?: number;
  observer?: ProviderCallObserver;
}

/**
 * Embeds texts, in bounded batches and a few requests at a time: one vector for each text, in the order of the texts, all of one
 * length. Failures that may pass (429, 5xx) are tried again.
 *
 * @throws ProviderError with a message that a client may see; then no request is left running
 * @throws the signal's reason once it is aborted
 */
export async function embedTexts(options: EmbedTextsOptions): Promise<Float32Array[]> {
  const failed = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
  const batches = batchesOf(options.texts);
  const vectors: Float32Array[][] = [];
  let next = 0;
  const work = async () => {
    while (next < batches.length) {
      const index = next++;
      vectors[index] = await embedBatch(batches[index] ?? [], options, signal);
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
  return sameLength(vectors.flat());
}

async function embedBatch(texts: string[], options: EmbedTextsOptions, signal: AbortSignal): Promise<Float32Array[]> {
  const { provider, model, timeoutMs = REQUEST_TIMEOUT_MS } = options;
  const response = await postToProvider({
    url: `${provider.baseUrl.replace(/\/+$/, "")}/embeddings`,
    headers: {
      "content-type": "application/json",
      ...options.observer?.headers,
      ...(provider.apiKey ? { authorization: `Bearer ${provider.apiKey}` } : {}),
    },
    // Base64 takes about half the bytes of decimal digits.
    body: JSON.stringify({ model, input: texts, encoding_format: "base64" }),
    signal,
    timeoutMs,
    accepts: (mediaType) => !mediaType.includes("html"),
    secrets: [provider.apiKey],
  });
  const answer = await readBoundedBytes(response, MAX_ANSWER_BYTES);
  if (texts.length > TEXTS_READ_AT_ONCE) await nextTurn();
  return readVectors(answer, texts.length, [provider.apiKey]);
}

let lastTurn: Promise<void> = Promise.resolve();

/** Each call in another turn of the event loop, so that what else the process does comes in between. */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

function sameLength(vectors: Float32Array[]): Float32Array[] {
  const lengths = new Set(vectors.map((vector) => vector.length));
  if (lengths.size <= 1) return vectors;
  throw new ProviderError("invalid", "The model provider gave embeddings of different lengths.");
}
