import { ConnectionPool } from "../byte-stream/http1/connection-pool.ts";
import type { ProviderOptions } from "../chat/types.ts";

const CONNECT_TIMEOUT_MS = 10_000;
/** Less than the 5 s after which common servers close an idle connection without a word. */
const KEEP_IDLE_MS = 4_000;
/** Providers that are known at a time; a service has one. */
const CLIENTS_AT_MOST = 16;

/** How a provider is asked for embeddings. */
interface EmbeddingsClient {
  pool: ConnectionPool;
  /** The head of a request with a body of so many bytes. */
  headOf(bodyBytes: number, headers?: Readonly<Record<string, string>>): string;
}

const clients = new Map<string, EmbeddingsClient>();

/** The client of a provider, with its connections, which are kept for a while. @throws TypeError when the key can't stand in a header */
export function embeddingsClientOf(provider: ProviderOptions): EmbeddingsClient {
  const name = JSON.stringify([provider.baseUrl, provider.apiKey]);
  const known = clients.get(name);
  if (known) return known;
  const client = createClient(provider);
  const [longestKnown] = clients.keys();
  if (clients.size >= CLIENTS_AT_MOST && longestKnown !== undefined) clients.delete(longestKnown);
  clients.set(name, client);
  return client;
}

function createClient({ baseUrl, apiKey }: ProviderOptions): EmbeddingsClient {
  if (!/^[\x21-\x7e]*$/.test(apiKey)) throw new TypeError("The key of the provider must be visible ASCII characters.");
  const url = new URL(baseUrl);
  const head = [
    `POST ${url.pathname.replace(/\/+$/, "")}/embeddings${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    "User-Agent: agent-backends",
    "Accept: application/json",
    // Vectors hardly get smaller when they are packed, and take longer to unpack than to read.
    "Accept-Encoding: identity",
    "Content-Type: application/json",
    ...(apiKey ? [`Authorization: Bearer ${apiKey}`] : []),
  ].join("\r\n");
  return {
    pool: new ConnectionPool(url, { connectTimeoutMs: CONNECT_TIMEOUT_MS, keepIdleMs: KEEP_IDLE_MS }),
    headOf(bodyBytes, headers = {}) {
      const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      return `${head}\r\nContent-Length: ${bodyBytes}\r\n${more.join("")}\r\n`;
    },
  };
}
