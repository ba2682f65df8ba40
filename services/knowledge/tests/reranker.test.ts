import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { limits } from "@agent-backends/contract";
import { answer } from "@agent-backends/testing";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { beforeEach, expect, test } from "vitest";
import { postJson } from "./knowledge-process.ts";
import { startUnderTest } from "./under-test.ts";

interface RerankRequest {
  model?: string;
  query: string;
  documents: string[];
  top_n: number;
}

type Respond = (request: RerankRequest, response: ServerResponse) => unknown;

/** Ranks the documents by their last character: "… 3" before "… 1". */
const rankByEnd = ({ documents }: RerankRequest) =>
  documents
    .map((document, index) => ({ index, relevance_score: Number(document.at(-1)) / 10 }))
    .sort((one, other) => other.relevance_score - one.relevance_score);

const sendRanking: Respond = (request, response) => response.end(JSON.stringify({ results: rankByEnd(request) }));

let respond: Respond = sendRanking;
const received: (RerankRequest & { headers: IncomingMessage["headers"]; url: string | undefined })[] = [];
const server = createServer(async (request, response) => {
  const body = (await json(request)) as RerankRequest;
  received.push({ ...body, headers: request.headers, url: request.url });
  respond(body, response);
});

const { provider, service } = await startUnderTest({
  KNOWLEDGE_RERANK_URL: `${await listenOnLoopback(server)}/v2/rerank`,
  KNOWLEDGE_RERANK_API_KEY: "rerank-secret",
  KNOWLEDGE_RERANK_MODEL: "rerank-test",
  KNOWLEDGE_RERANK_TIMEOUT_MS: "1000",
  METRICS_PORT: "0",
});

const sources = [1, 2, 3, 4].map((n) => ({ type: "text", title: "Ducks", value: `Ducks swim in pond ${n}` }));
for (const namespace of ["ponds", "others"]) {
  await service.ingest({ namespace, sources });
}
beforeEach(() => {
  respond = sendRanking;
  received.length = 0;
});

async function search(more: object = {}) {
  const body = { namespace: "ponds", query: "ducks in a pond", max_results: 3, ...more };
  const { status, body: found } = await service.search(body);
  expect(status).toBe(200);
  return found.results as { content: string; score: number }[];
}
const ends = (results: { content: string }[]) => results.map(({ content }) => content.at(-1)).join("");
const metric = async (outcome: string) => {
  const text = await (await fetch(service.metricsUrl ?? "")).text();
  return Number(new RegExp(`agent_reranks_total\\{.*outcome="${outcome}".*\\} (\\d+)`).exec(text)?.[1]);
};

test("the hits of a search are ordered by the reranker before they are cut", async () => {
  const results = await search();
  expect(ends(results)).toBe("432");
  expect(results.map(({ score }) => score)).toEqual([0.4, 0.3, 0.2]);
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ model: "rerank-test", query: "ducks in a pond", top_n: 3, url: "/v2/rerank" });
  expect(received[0]?.headers.authorization).toBe("Bearer rerank-secret");
  // Only the namespace that is searched.
  expect(received[0]?.documents.toSorted()).toEqual([1, 2, 3, 4].map((n) => `Ducks\nDucks swim in pond ${n}`));
});

test("the librarian's chunks are ordered too", async () => {
  provider.script(answer.text("In ponds [1]."));
  const body = { namespace: "ponds", messages: [{ role: "user", content: "Where do ducks swim in a pond?" }] };
  const { body: whole } = await postJson(`${service.baseUrl}/api/agents/knowledge/generate`, body);
  expect(whole.citations).toMatchObject([{ n: 1, quote: "Ducks swim in pond 4" }]);
});

test("scores that are logits are mapped to 0…1", async () => {
  respond = (request, response) => {
    const results = rankByEnd(request).map(({ index, relevance_score }) => ({
      index,
      relevance_score: 40 * relevance_score - 12,
    }));
    response.end(JSON.stringify({ results: results.reverse() }));
  };
  const results = await search();
  expect(ends(results)).toBe("432");
  expect(results.map(({ score }) => score)).toEqual(
    [4, 0, -4].map((logit) => expect.closeTo(1 / (1 + Math.exp(-logit)))),
  );
});

const inOrder = [0, 1, 2, 3].map((index) => ({ index, relevance_score: 0.5 }));
const sendResults =
  (results: unknown[]): Respond =>
  (_request, response) =>
    response.end(JSON.stringify({ results }));
const bad: [what: string, respond: Respond][] = [
  ["an index out of range", sendResults([...inOrder.slice(1), { index: 4, relevance_score: 1 }])],
  ["a negative index", sendResults([...inOrder.slice(1), { index: -1, relevance_score: 1 }])],
  ["an index twice", sendResults([...inOrder, { index: 3, relevance_score: 1 }])],
  ["too few results", sendResults(inOrder.slice(0, 2))],
  ["a score that is no number", sendResults(inOrder.map(({ index }) => ({ index, relevance_score: null })))],
  ["NaN", (_request, response) => response.end(`{"results": [{"index": 0, "relevance_score": NaN}]}`)],
  ["another shape", (_request, response) => response.end("[]")],
  ["a web page", (_request, response) => response.setHeader("Content-Type", "text/html").end("<p>rerank-secret</p>")],
  ["an error", (_request, response) => response.writeHead(500).end("rerank-secret")],
  ["a refusal of the key", (_request, response) => response.writeHead(401).end("wrong key rerank-secret")],
  ["a redirect", (_request, response) => response.writeHead(307, { Location: "/" }).end()],
  ["a broken connection", (_request, response) => response.destroy()],
  [
    "a huge answer",
    (_request, response) => response.end(JSON.stringify({ results: inOrder, more: "x".repeat(5_000_000) })),
  ],
  ["silence", () => undefined],
];
test.each(bad)("after %s a search keeps its order", async (_what, misbehave) => {
  const failures = await metric("failed");
  respond = misbehave;
  const results = await search();
  expect(ends(results)).not.toBe("432");
  expect(results).toHaveLength(3);
  expect(results.map(({ score }) => score)).toEqual(results.map(({ score }) => score).sort((a, b) => b - a));
  expect(await metric("failed")).toBe(failures + 1);
  respond = sendRanking;
  expect(ends(await search())).toBe("432");
});

test("after several failures in a row the reranker is left alone, and its key is in no log", async () => {
  respond = (_request, response) => response.writeHead(401).end("wrong key rerank-secret");
  for (let count = 0; count < limits.circuitFailures + 2; count++) expect(await search()).toHaveLength(3);
  expect(received).toHaveLength(limits.circuitFailures);
  expect(await metric("skipped")).toBe(2);
  const warnings = service.log.filter(({ msg }) => msg === "a search keeps its order: the reranker failed");
  expect(warnings.length).toBe(bad.length + limits.circuitFailures);
  expect(warnings.at(-1)).toMatchObject({ is_left_alone: true });
  expect(JSON.stringify(service.log)).not.toContain("rerank-secret");
});
