import type { RequestListener } from "node:http";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { expect, it, onTestFinished } from "vitest";
import { Provider } from "../provider.ts";
import { embedTexts } from "./embed-texts.ts";

async function embedWith(respond: RequestListener, texts: string[]) {
  const origin = await listenOnLoopback(createServer(respond), onTestFinished);
  const provider = new Provider({ baseUrl: `${origin}/v1?version=1`, apiKey: "sk-test" });
  return embedTexts({ provider, model: "embedder", texts });
}

const answer = Buffer.from(JSON.stringify({ data: [{ index: 0, embedding: [1, 0] }] }));

it("an answer may be compressed, although that was not asked for", async () => {
  const vectors = await embedWith(
    (request, response) => {
      expect([request.url, request.headers["accept-encoding"]]).toEqual(["/v1/embeddings?version=1", "identity"]);
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(answer));
    },
    ["a"],
  );
  expect(vectors).toEqual([Float32Array.of(1, 0)]);
});

it("an answer may come in pieces of any size", async () => {
  const vectors = await embedWith(
    (_request, response) => {
      for (const byte of answer) response.write(Buffer.of(byte));
      response.end();
    },
    ["a"],
  );
  expect(vectors).toEqual([Float32Array.of(1, 0)]);
});

it("a web page in the place of an answer is named as no embeddings, not as no stream", async () => {
  const embedded = embedWith(
    (_request, response) => response.setHeader("content-type", "text/html").end("<p>Log in"),
    ["a"],
  );
  await expect(embedded).rejects.toMatchObject({ message: "The model provider's answer holds no embeddings." });
});

it("an answer that breaks off, or whose compression is damaged, is an error", async () => {
  const cut = embedWith(
    (_request, response) => {
      response.writeHead(200, { "content-length": 1_000 }).write(answer, () => response.destroy());
    },
    ["a"],
  );
  await expect(cut).rejects.toMatchObject({ name: "ProviderError", kind: "cut" });
  const damaged = embedWith(
    (_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(answer);
    },
    ["a"],
  );
  await expect(damaged).rejects.toMatchObject({ name: "ProviderError", kind: "invalid" });
});

it("the vectors of all batches are contiguous, in the order of the texts", async () => {
  const texts = Array.from({ length: 200 }, (_, index) => String(index));
  const vectors = await embedWith((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      const { input } = JSON.parse(body) as { input: string[] };
      const data = input.map((text, index) => ({ index, embedding: [Number(text), 1] }));
      response.end(JSON.stringify({ data }));
    });
  }, texts);
  expect(vectors.map(([number]) => number)).toEqual(texts.map(Number));
  for (const [index, vector] of vectors.entries()) {
    expect([vector.buffer, vector.byteOffset]).toEqual([vectors[0]?.buffer, index * 8]);
  }
});
