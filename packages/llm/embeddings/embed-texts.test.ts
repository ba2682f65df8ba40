import type { ScriptedAnswer, ScriptedProvider } from "@agent-backends/testing";
import { answer, startScriptedProvider } from "@agent-backends/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lexicalEmbedding } from "../offline/lexical-embedding.ts";
import { Provider } from "../provider.ts";
import { embedTexts } from "./embed-texts.ts";

const apiKey = "sk-test-secret-0123456789";

let provider: ScriptedProvider;
beforeEach(async () => {
  provider = await startScriptedProvider();
});
afterEach(() => provider.close());

const embed = (texts: string[], { signal, timeoutMs = 60_000 }: { signal?: AbortSignal; timeoutMs?: number } = {}) =>
  embedTexts({
    provider: new Provider({ baseUrl: provider.baseUrl, apiKey, wholeAnswerTimeoutMs: timeoutMs }),
    model: "embedder",
    texts,
    ...(signal && { signal }),
  });

const readInput = (body: unknown) => (body as { input: string[] }).input;

describe("embedding texts", () => {
  it("returns one vector per text, in order, over several requests", async () => {
    const texts = Array.from({ length: 250 }, (_, index) => `text number ${index}`);
    const vectors = await embed(texts);
    expect(vectors).toEqual(texts.map((text) => lexicalEmbedding(text)));
    expect(provider.embeddingRequests.map(({ body }) => readInput(body).length).sort()).toEqual([58, 96, 96]);
    expect(provider.embeddingRequests[0]?.body).toMatchObject({ model: "embedder", encoding_format: "base64" });
    expect(provider.embeddingRequests[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
  });

  it("limits the characters of a request", async () => {
    await embed(Array.from({ length: 6 }, () => "long ".repeat(15_000)));
    expect(provider.embeddingRequests.map(({ body }) => readInput(body).length)).toEqual([2, 2, 2]);
  });

  it("sends no request without texts", async () => {
    expect(await embed([])).toEqual([]);
    expect(provider.requests).toHaveLength(0);
  });

  it("limits concurrent requests", async () => {
    let open = 0;
    let most = 0;
    provider.scriptEmbeddings((request) => ({
      async respond(_request, reply) {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 20));
        open--;
        reply.json(200, { data: readInput(request.body).map((_, index) => ({ index, embedding: [1] })) });
      },
    }));
    await embed(Array.from({ length: 96 * 10 }, () => "x"));
    expect(most).toBe(4);
  });

  it("accepts lists of numbers, in any order, or without an index", async () => {
    provider.scriptEmbeddings([
      answer.status(200, {
        data: [
          { index: 1, embedding: [0, 1] },
          { index: 0, embedding: [1, 0] },
        ],
      }),
      answer.status(200, { data: [{ embedding: [1, 0] }, { embedding: [0, 1] }] }),
    ]);
    const expected = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
    expect(await embed(["a", "b"])).toEqual(expected);
    expect(await embed(["a", "b"])).toEqual(expected);
  });
});

it("reads base64 with JSON escapes", async () => {
  const vector = Float32Array.of(-1.5, 0.25, 3e30);
  const base64 = Buffer.from(vector.buffer).toString("base64");
  const escaped = base64.replaceAll("/", "\\/").replaceAll("+", "\\u002B").replaceAll("=", "\\u003d");
  provider.scriptEmbeddings(answer.status(200, `{"data":[{"index":0,"embedding":"${escaped}"}]}`));
  expect(await embed(["a"])).toEqual([vector]);
});

describe("embedding texts with a provider that fails", () => {
  const working: ScriptedAnswer = answer.status(200, { data: [{ index: 0, embedding: [1, 0] }] });

  it("retries after a 429 and a 502", async () => {
    provider.scriptEmbeddings([answer.rateLimited(0), answer.error(502, "bad", { "retry-after": "0" }), working]);
    expect(await embed(["a"])).toHaveLength(1);
    expect(provider.requests).toHaveLength(3);
  });

  it("retries when a kept connection was closed under it", async () => {
    provider.scriptEmbeddings([answer.drop(), working]);
    expect(await embed(["a"])).toHaveLength(1);
  });

  it.each([
    ["too few vectors", { data: [{ index: 0, embedding: [1] }] }, /1 embeddings for 2 texts/],
    [
      "the same vector twice",
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
      /1 embeddings for 2/,
    ],
    ["too many vectors", { data: [0, 1, 2].map((index) => ({ index, embedding: [1] })) }, /3 embeddings for 2/],
    ["vectors of different lengths", { data: [{ embedding: [1] }, { embedding: [1, 2] }] }, /different lengths/],
    ["no numbers", { data: [{ embedding: ["x"] }, { embedding: [1] }] }, /holds no embeddings/],
    ["damaged base64", { data: [{ embedding: "AAAA" }, { embedding: "AAAA" }] }, /damaged/],
    ["vectors of no numbers", { data: [{ embedding: "=" }, { embedding: "=" }] }, /damaged|holds no embeddings/],
    [
      "infinite numbers",
      { data: [{ embedding: "AACAfw==" }, { embedding: "AACAfw==" }] },
      /does not consist of numbers/,
    ],
    ["an error with status 200", { error: { message: "no such model" } }, "no such model"],
    ["text", "hello", /holds no embeddings/],
  ])("is a clear error for %s", async (_what, body, message) => {
    provider.scriptEmbeddings(answer.status(200, body));
    await expect(embed(["a", "b"])).rejects.toMatchObject({
      name: "ProviderError",
      message: expect.stringMatching(message),
    });
  });

  it("is an error when batches differ in their vectors' length", async () => {
    provider.scriptEmbeddings((request) => {
      const input = readInput(request.body);
      return answer.status(200, { data: input.map((_, index) => ({ index, embedding: Array(input.length).fill(1) })) });
    });
    await expect(embed(Array.from({ length: 100 }, () => "x"))).rejects.toThrow("different lengths");
  });

  it("never shows the key that the provider repeats", async () => {
    provider.scriptEmbeddings(answer.error(400, `Key ${apiKey} at http://10.0.0.1:80 may not embed`));
    await expect(embed(["a"])).rejects.toMatchObject({ message: "Key [removed] at [removed] may not embed" });
  });

  it("stops the other requests when one fails", async () => {
    provider.scriptEmbeddings((request) =>
      readInput(request.body)[0] === "0" ? answer.error(400, "refused") : answer.hang(),
    );
    await expect(embed(Array.from({ length: 300 }, (_, index) => String(index)))).rejects.toThrow("refused");
    for (const request of provider.embeddingRequests) await request.closed;
  });

  it("stops when the provider is silent and when the caller disconnects", async () => {
    provider.scriptEmbeddings(answer.hang());
    await expect(embed(["a"], { timeoutMs: 100 })).rejects.toMatchObject({ kind: "timed_out" });
    const caller = new AbortController();
    const embedding = embed(["a"], { signal: caller.signal });
    setTimeout(() => caller.abort(new Error("the client left")), 50);
    await expect(embedding).rejects.toThrow("the client left");
  });

  it("is unreachable when it is down", async () => {
    await provider.close();
    await expect(embed(["a"])).rejects.toMatchObject({ kind: "unreachable" });
  });
});
