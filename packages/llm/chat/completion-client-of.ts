import { ChatCompletionClient } from "../byte-stream/completion-client.ts";
import type { AnswerTimeouts } from "./timeouts.ts";
import type { ProviderOptions } from "./types.ts";

const CONNECT_TIMEOUT_MS = 10_000;
/** Clients that are known at a time; a service has one. */
const CLIENTS_AT_MOST = 16;

const clients = new Map<string, ChatCompletionClient>();

/** The client of a provider, with its connections, which are kept for a while. @throws TypeError when the key can't stand in a header */
export function completionClientOf(provider: ProviderOptions, timeouts: AnswerTimeouts): ChatCompletionClient {
  const { firstTokenTimeoutMs, idleTimeoutMs } = timeouts;
  const name = JSON.stringify([provider.baseUrl, provider.apiKey, firstTokenTimeoutMs, idleTimeoutMs]);
  const known = clients.get(name);
  if (known) return known;
  const client = new ChatCompletionClient({
    provider,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    firstBytesTimeoutMs: firstTokenTimeoutMs,
    idleTimeoutMs,
    retries: false,
  });
  const [longestKnown] = clients.keys();
  if (clients.size >= CLIENTS_AT_MOST && longestKnown !== undefined) clients.delete(longestKnown);
  clients.set(name, client);
  return client;
}
