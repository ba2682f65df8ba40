import { expect, it } from "vitest";
import { chunkMembers, readCompletionChunk, readUsage } from "./completion-chunk.ts";

/** An object that notes the names of the members read from it. */
function recording(members: object, read: Set<string>): object {
  return new Proxy(members, {
    get(target, name) {
      if (typeof name === "string") read.add(name);
      return Reflect.get(target, name);
    },
  });
}

it("names every member it reads, so that the relay's fast path loses none", () => {
  const read = { chunk: new Set<string>(), choice: new Set<string>(), delta: new Set<string>() };
  const delta = recording({ content: "Hello" }, read.delta);
  const choice = recording({ index: 0, delta }, read.choice);
  readCompletionChunk(recording({ choices: [choice] }, read.chunk));
  expect(read).toEqual(chunkMembers);
});

const input = 30;
const totals = { inputTokens: input, outputTokens: 12, totalTokens: 42 };

it.each<[provider: string, usage: object, expected: object]>([
  [
    "OpenAI",
    {
      completion_tokens: 12,
      total_tokens: 42,
      prompt_tokens_details: { cached_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 8 },
    },
    { ...totals, cachedInputTokens: 20, reasoningTokens: 8 },
  ],
  [
    "OpenRouter",
    { completion_tokens: 12, total_tokens: 42, prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 9 } },
    { ...totals, cachedInputTokens: 0, cacheWriteInputTokens: 9 },
  ],
  [
    "DeepSeek",
    { completion_tokens: 12, total_tokens: 42, prompt_cache_hit_tokens: 16, prompt_cache_miss_tokens: 14 },
    { ...totals, cachedInputTokens: 16 },
  ],
  ["Moonshot", { completion_tokens: 12, total_tokens: 42, cached_tokens: 16 }, { ...totals, cachedInputTokens: 16 }],
  ["Mistral", { completion_tokens: 12, num_cached_tokens: 16 }, { ...totals, cachedInputTokens: 16 }],
  [
    "Mistral in details",
    { completion_tokens: 12, prompt_token_details: { cached_tokens: 16 } },
    { ...totals, cachedInputTokens: 16 },
  ],
  [
    "xAI, which counts reasoning beside the output,",
    { completion_tokens: 4, total_tokens: 42, completion_tokens_details: { reasoning_tokens: 8 } },
    { ...totals, reasoningTokens: 8 },
  ],
  ["one that counts nothing else", { completion_tokens: 12 }, totals],
  ["one without the output", { total_tokens: 30 }, { inputTokens: input }],
])("reads the usage of %s as AG-UI counts tokens", (_provider, usage, expected) => {
  expect(readUsage({ model: "m", usage: { prompt_tokens: input, ...usage } })).toEqual({ model: "m", ...expected });
});

it.each<[provider: string, delta: object]>([
  ["Bedrock behind Envoy", { reasoning_content: { text: "Hm." } }],
  ["Bedrock behind LiteLLM", { thinking_blocks: [{ type: "thinking", thinking: "Hm.", signature: "s" }] }],
  ["Copilot", { reasoning_text: "Hm.", reasoning_opaque: "s" }],
  ["Databricks", { content: [{ type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] }] }],
  ["models of gpt-oss at Databricks", { content: [{ type: "reasoning", text: "Hm." }] }],
])("reads the reasoning of %s", (_provider, delta) => {
  const shown = { text: "", reasoning: "Hm.", reasoningField: undefined, hasMedia: false };
  expect(readCompletionChunk({ choices: [{ index: 0, delta }] })).toMatchObject(shown);
});

it("reads reasoning once that a provider sends in several fields", () => {
  const blocks = [{ type: "thinking", thinking: "Hm." }];
  const delta = { reasoning_content: "Hm.", thinking_blocks: blocks, reasoning_details: [{ text: "Hm." }] };
  const shown = { reasoning: "Hm.", reasoningField: "reasoning_content" };
  expect(readCompletionChunk({ choices: [{ index: 0, delta }] })).toMatchObject(shown);
});
