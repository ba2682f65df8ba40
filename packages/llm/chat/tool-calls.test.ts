import type { ScriptedProvider } from "@agent-backends/testing";
import { answer, startScriptedProvider } from "@agent-backends/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { ChatProviders } from "../fallback/chat-providers.ts";
import { streamAnswer } from "./stream-answer.ts";

let provider: ScriptedProvider;
beforeEach(async () => {
  provider = await startScriptedProvider();
});
afterEach(() => provider.close());

const tool = { description: "Searches", inputSchema: z.object({ q: z.string() }), execute: async () => "found" };

/** The calls that are told of, and those that go back to the provider, as [id, name, arguments]. */
async function callsFrom(pieces: object[]) {
  const deltas = pieces.map((piece) => ({ choices: [{ index: 0, delta: { tool_calls: [piece] } }] }));
  const last = { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] };
  provider.script([answer.chunks([...deltas, last]), answer.text("Nine.")]);
  const warn = vi.fn();
  const { baseUrl } = provider;
  const log = { info: vi.fn(), warn };
  const providers = { baseUrl, apiKey: "", models: [], fallbacks: [], fallbackAfterMs: 1_000, now: Date.now, log };
  const chat = new ChatProviders(providers);
  const told: unknown[] = [];
  for await (const part of streamAnswer({
    provider: chat,
    observer: chat.observe({ requestId: "r-1", firstToken() {}, usage() {}, ended() {} }),
    model: "small",
    system: "",
    messages: [{ role: "user", content: "How old is the duck?" }],
    tools: { search: tool, look: tool },
    maxToolRounds: 1,
    signal: new AbortController().signal,
  })) {
    if (part.type === "tool-call") told.push([part.id, part.name, part.args]);
  }
  type Sent = { messages: { tool_calls?: { id: string; function: { name: string; arguments: string } }[] }[] };
  const { messages } = (provider.chatRequests[1]?.body ?? { messages: [] }) as Sent;
  const sent = messages.flatMap(({ tool_calls = [] }) =>
    tool_calls.map(({ id, function: called }) => [id, called.name, JSON.parse(called.arguments)]),
  );
  chat.close();
  return { told, sent, warnings: warn.mock.calls };
}

const age = ["a", "search", { q: "age" }];
const duck = ["b", "look", { q: "duck" }];

test.each<[string, object[], unknown[]]>([
  [
    "that all have the same index are told apart by their ids",
    [
      { index: 0, id: "a", function: { name: "search", arguments: '{"q":"age"}' } },
      { index: 0, id: "b", function: { name: "look", arguments: '{"q":"duck"}' } },
    ],
    [age, duck],
  ],
  [
    "that all have the same index and take turns get their own arguments",
    [
      { index: 0, id: "a", function: { name: "search", arguments: '{"q":' } },
      { index: 0, id: "b", function: { name: "look", arguments: '{"q":' } },
      { index: 0, id: "a", function: { arguments: '"age"}' } },
      { index: 0, id: "b", function: { arguments: '"duck"}' } },
    ],
    [age, duck],
  ],
  [
    "whose name comes in pieces have all of it",
    [
      { index: 0, id: "a", function: { name: "sea" } },
      { index: 0, function: { name: "rch" } },
      { index: 0, function: { arguments: '{"q":"age"}' } },
    ],
    [age],
  ],
  [
    "without an index that repeat their id and name are one",
    [
      { id: "a", function: { name: "search", arguments: '{"q":' } },
      { id: "a", function: { name: "search", arguments: '"age"}' } },
    ],
    [age],
  ],
  [
    "without an index that take turns get their own arguments",
    [
      { id: "a", function: { name: "search", arguments: '{"q":' } },
      { id: "b", function: { name: "look", arguments: '{"q":' } },
      { id: "a", function: { arguments: '"age"}' } },
      { id: "b", function: { arguments: '"duck"}' } },
    ],
    [age, duck],
  ],
  [
    "whose arguments are an object are read as well",
    [{ index: 0, id: "a", function: { name: "search", arguments: { q: "age" } } }],
    [age],
  ],
  [
    "without a name are left out",
    [
      { index: 0, id: "a", function: { name: "search", arguments: '{"q":"age"}' } },
      { index: 1, id: "b", function: { arguments: '{"q":"duck"}' } },
    ],
    [age],
  ],
  [
    "of one id become two",
    [
      { index: 0, id: "a", function: { name: "search", arguments: '{"q":"age"}' } },
      { index: 1, id: "a", function: { name: "look", arguments: '{"q":"duck"}' } },
    ],
    [age, ["call_0_0", "look", { q: "duck" }]],
  ],
])("calls %s", async (_what, pieces, calls) => {
  expect(await callsFrom(pieces)).toMatchObject({ told: calls, sent: calls });
});

test("calls without a name are named in the log", async () => {
  const named = { index: 0, id: "a", function: { name: "search", arguments: '{"q":"age"}' } };
  const { warnings } = await callsFrom([named, { index: 1, id: "b", function: { arguments: "{}" } }]);
  expect(warnings).toEqual([[expect.objectContaining({ request_id: "r-1", count: 1 }), expect.any(String)]]);
});

test.each([
  { index: 0, id: "a", function: { arguments: '{"q":"age"}' } },
  { index: 0, id: "a", type: "function" },
  { index: 0, id: "a", type: "custom", custom: { name: "search", input: "age" } },
])("calls without a name are an error if no other call has one: %j", async (nameless) => {
  await expect(callsFrom([nameless])).rejects.toMatchObject({
    name: "ProviderError",
    message: "The model provider sent a tool call without a name.",
  });
});
