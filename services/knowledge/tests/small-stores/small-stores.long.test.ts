import { startOfflineProvider } from "@agent-backends/llm/offline";
import { afterAll, expect, it } from "vitest";
import { postJson } from "../knowledge-process.ts";
import { startUnderTest } from "../under-test.ts";
import { smallStores } from "./stores.ts";

const offline = await startOfflineProvider();
afterAll(() => offline.close());
const { service } = await startUnderTest({ LLM_BASE_URL: offline.baseUrl });

for (const { name, documents } of smallStores) {
  const sources = documents.map(([value]) => ({ type: "markdown", value }));
  await service.ingest({ namespace: name, sources });
}

async function ask(namespace: string, content: string): Promise<{ content: string; sources: string[] }> {
  const { body } = await postJson(`${service.baseUrl}/api/agents/knowledge/generate`, {
    namespace,
    messages: [{ role: "user", content }],
  });
  return { content: body.content, sources: body.citations.map(({ source }: { source: string }) => source) };
}

it("without a key, short documents answer the questions that are asked in other words", async () => {
  const missed: string[] = [];
  for (const { name, documents } of smallStores) {
    for (const [position, [, question]] of documents.entries()) {
      const answer = await ask(name, question);
      if (!/\[\d+\]/.test(answer.content) || answer.sources[0] !== `markdown:${position}`) {
        missed.push(`${question} → ${answer.content}`);
      }
    }
  }
  expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(2);
});

it("without a key, what short documents do not tell is not answered from them", async () => {
  const made: string[] = [];
  for (const { name, unanswerable } of smallStores) {
    for (const question of unanswerable) {
      const answer = await ask(name, question);
      if (answer.sources.length > 0) made.push(`${question} → ${answer.content}`);
    }
  }
  expect(made.length, made.join("\n")).toBeLessThanOrEqual(5);
});
