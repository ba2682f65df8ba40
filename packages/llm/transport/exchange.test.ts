import type { ScriptedAnswer } from "@agent-backends/testing";
import { answer, startScriptedProvider } from "@agent-backends/testing";
import { expect, test } from "vitest";
import type { ProviderError } from "../errors/provider-error.ts";
import { Provider } from "../provider.ts";
import type { StreamHandler } from "./provider-stream.ts";

const timeouts = { connectTimeoutMs: 1_000, firstTokenTimeoutMs: 5_000, idleTimeoutMs: 5_000 };
const body = JSON.stringify({ model: "m", messages: [], stream: true });

function collect(client: Provider): Promise<{ text: string; reads: number; error?: ProviderError }> {
  return new Promise((resolve) => {
    let text = "";
    let reads = 0;
    const handler: StreamHandler = {
      onBytes(bytes, start, end) {
        text += bytes.toString("latin1", start, end);
      },
      onReadEnd() {
        reads += 1;
      },
      onEnd: () => resolve({ text, reads }),
      onFailure: (error) => resolve({ text, reads, error }),
    };
    client.openCompletion({ body }, handler);
  });
}

test("passes the bytes on unchanged, and the chunks of one read together", async () => {
  const pieces = Array.from({ length: 500 }, (_, index) => `data: ${index}\n\n`);
  const bytes: ScriptedAnswer = {
    async respond(_request, reply) {
      reply.start();
      for (const piece of pieces) void reply.write(piece);
      reply.end();
    },
  };
  const provider = await startScriptedProvider({ script: bytes });
  const client = new Provider({ baseUrl: provider.baseUrl, apiKey: "key", ...timeouts });
  const { text, reads } = await collect(client);
  expect(text).toBe(pieces.join(""));
  expect(reads).toBeLessThan(50);
  client.close();
  await provider.close();
});

test("keeps the path and query of the base URL, and sends no Authorization header without a key", async () => {
  const provider = await startScriptedProvider({ script: answer.text("a") });
  const baseUrl = `${provider.baseUrl}/?api-version=preview`;
  const client = new Provider({ baseUrl, apiKey: "", ...timeouts });
  expect((await collect(client)).error).toBeUndefined();
  expect(provider.requests[0]?.url).toBe("/v1/chat/completions?api-version=preview");
  expect(provider.requests[0]?.headers.authorization).toBeUndefined();
  client.close();
  await provider.close();
});

test("reports the delay that a provider asks for", async () => {
  const provider = await startScriptedProvider({ script: answer.rateLimited(60) });
  const client = new Provider({ baseUrl: provider.baseUrl, apiKey: "key", ...timeouts });
  expect((await collect(client)).error).toMatchObject({ kind: "http_status", status: 429, retryAfterMs: 60_000 });
  client.close();
  await provider.close();
});
