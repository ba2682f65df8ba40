import { isDeepStrictEqual } from "node:util";
import type { Message } from "@ag-ui/client";
import { HttpAgent } from "@ag-ui/client";
import { answer } from "@agent-backends/testing";
import { expect, test } from "vitest";
import type { Bench } from "./support/harness.ts";
import { describeBoth } from "./support/harness.ts";

// Two turns with a tool, as each provider documents them. The second turn's request must return what the first one brought.
// https://api-docs.deepseek.com/guides/thinking_mode#tool-calls
// https://docs.vllm.ai/en/latest/features/reasoning_outputs.html
// https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning
// https://ai.google.dev/gemini-api/docs/thought-signatures#openai
// https://docs.mistral.ai/capabilities/reasoning

const question: Message = { id: "m1", role: "user", content: "What is the weather in Bern?" };
const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});
const call = { index: 0, id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Bern"}' } };
const sentCall = { id: call.id, type: "function", function: call.function };

const text = (index: number, piece: string, more = {}) => ({ type: "reasoning.text", text: piece, index, ...more });
const summary = (piece: string) => ({
  type: "reasoning.summary",
  summary: piece,
  format: "openai-responses-v1",
  index: 0,
});
const encrypted = { type: "reasoning.encrypted", data: "gAAAA=", format: "openai-responses-v1", id: "rs_1", index: 0 };
const signature = { google: { thought_signature: "EjQKMgEMOdbH" } };

/** The chunks of the first turn, and what the second turn's request holds beside the answer's text and call. */
const providers: Record<string, { chunks: object[]; answer: object; call?: object }> = {
  "reasoning_content (DeepSeek, earlier vLLM)": {
    chunks: [
      delta({ role: "assistant", content: null, reasoning_content: "The user " }),
      delta({ content: null, reasoning_content: "wants the weather." }),
      delta({ content: null, reasoning_content: " I call the tool." }),
    ],
    answer: { reasoning_content: "The user wants the weather. I call the tool." },
  },
  "reasoning (vLLM, Groq)": {
    chunks: [delta({ reasoning: "I call " }), delta({ reasoning: "the tool." })],
    answer: { reasoning: "I call the tool." },
  },
  "thinking parts (Mistral)": {
    chunks: [
      delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "I call " }] }] }),
      delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "the tool." }] }] }),
    ],
    answer: { content: [{ type: "thinking", thinking: [{ type: "text", text: "I call the tool." }] }] },
  },
  "reasoning_details with a signature (OpenRouter, Anthropic)": {
    chunks: [
      delta({ reasoning: "I call ", reasoning_details: [text(0, "I call ", { format: "anthropic-claude-v1" })] }),
      delta({ reasoning: "the tool.", reasoning_details: [text(0, "the tool.", { format: "anthropic-claude-v1" })] }),
      delta({ reasoning_details: [{ type: "reasoning.text", signature: "ErUBCkYI", index: 0 }] }),
    ],
    answer: {
      reasoning_details: [text(0, "I call the tool.", { format: "anthropic-claude-v1", signature: "ErUBCkYI" })],
    },
  },
  "reasoning_details that are encrypted (OpenRouter, OpenAI)": {
    chunks: [
      delta({ reasoning: "**Looking", reasoning_details: [summary("**Looking")] }),
      delta({ reasoning: " it up**", reasoning_details: [summary(" it up**")] }),
      delta({ reasoning_details: [encrypted] }),
    ],
    answer: { reasoning_details: [summary("**Looking it up**"), encrypted] },
  },
  "a call's extra_content (Google)": {
    chunks: [],
    answer: {},
    call: { extra_content: signature },
  },
};

async function runTwoTurns(bench: Bench, name: string) {
  const { chunks, call: extra = {} } = providers[name] as (typeof providers)[string];
  const { index, ...unindexed } = call;
  // Google's calls come whole and have no index.
  const calls = "extra_content" in extra ? { ...unindexed, ...extra } : { index, ...unindexed };
  bench.provider.script([
    answer.chunks([...chunks, delta({ tool_calls: [calls] }), delta({}, "tool_calls")]),
    answer.text("Sunny."),
  ]);
  const agent = new HttpAgent({ url: `${bench.relay.url}/agent`, initialMessages: [question] });
  await agent.runAgent();
  // A client stores the conversation as JSON.
  agent.setMessages(JSON.parse(JSON.stringify(agent.messages)) as Message[]);
  agent.addMessage({ id: "t1", role: "tool", toolCallId: "call_1", content: "sun" });
  return agent;
}

const sentMessages = (bench: Bench) => bench.provider.chatRequests.at(-1)?.body.messages as object[];
const listWarnings = (bench: Bench) =>
  bench.relay.log.flatMap(({ warnings }) => (warnings as { code: string }[]) ?? []);

describeBoth("a tool run in two turns, with the official client,", (bench) => {
  test.each(Object.keys(providers))("returns %s to the model", async (name) => {
    const agent = await runTwoTurns(bench, name);
    const { newMessages } = await agent.runAgent();
    expect(newMessages).toMatchObject([{ role: "assistant", content: "Sunny." }]);
    const { answer: expected, call: extra = {} } = providers[name] as (typeof providers)[string];
    expect(sentMessages(bench)).toEqual([
      { role: "user", content: question.content },
      { role: "assistant", content: "", tool_calls: [{ ...sentCall, ...extra }], ...expected },
      { role: "tool", content: "sun", tool_call_id: "call_1" },
    ]);
    expect(listWarnings(bench)).toEqual([]);
  });

  const others = [
    ["model", () => ({ model: "another-model" })],
    ["provider's model of this name", () => ({ baseUrl: bench.provider.baseUrl.replace("127.0.0.1", "localhost") })],
  ] as const;
  const everyOther = others.flatMap(([which, options]) =>
    Object.keys(providers).map((name) => [name, which, options] as const),
  );

  test.each(everyOther)("never sends %s to another %s, and says so", async (name, _which, options) => {
    const agent = await runTwoTurns(bench, name);
    const warnings: unknown[] = [];
    await bench.restart(options());
    agent.url = `${bench.relay.url}/agent`;
    await agent.runAgent({}, { onCustomEvent: ({ event }) => void warnings.push(event) });
    expect(sentMessages(bench)[1]).toEqual({ role: "assistant", content: "", tool_calls: [sentCall] });
    const { code, pointer } = { code: "reasoning_dropped", pointer: expect.stringMatching(/encryptedValue$/) };
    const value = { code, pointer, detail: expect.stringContaining("another model") };
    expect(warnings).toContainEqual({ type: "CUSTOM", name: "agent-backends.warning", value });
    expect(listWarnings(bench)).toContainEqual(value);
  });

  test("asks a further provider without what the first one's model thought, and seals its own", async () => {
    const fallbacks = [{ baseUrl: bench.provider.baseUrl, apiKey: "", model: "further-model" }];
    await bench.restart({ fallbacks });
    const agent = await runTwoTurns(bench, "reasoning (vLLM, Groq)");
    bench.provider.script(({ body }) => {
      if ((body as { model: string }).model !== "further-model") return answer.error(401, "The key has expired.");
      return answer.chunks([delta({ reasoning: "It is sunny." }), delta({ content: "Sunny." }), delta({}, "stop")]);
    });
    await agent.runAgent();
    expect(bench.provider.chatRequests.at(-2)?.body.messages[1]).toHaveProperty("reasoning", "I call the tool.");
    expect(sentMessages(bench)[1]).not.toHaveProperty("reasoning");
    expect(listWarnings(bench)).toMatchObject([{ code: "reasoning_dropped", pointer: "/messages/1/encryptedValue" }]);
    agent.addMessage({ id: "m9", role: "user", content: "And now?" });
    await agent.runAgent();
    expect(bench.provider.chatRequests.at(-2)?.body.messages[3]).not.toHaveProperty("reasoning");
    expect(sentMessages(bench)[3]).toHaveProperty("reasoning", "It is sunny.");
  });

  test("returns to each call its own signature: parallel ones, and those of further steps (Google)", async () => {
    const toCall = (id: string, extra_content?: object) => ({
      id,
      type: "function",
      function: { name: "weather", arguments: "{}" },
      ...(extra_content && { extra_content }),
    });
    const second = { google: { thought_signature: "EkoKSAEMOdbI" } };
    const first = [toCall("a", signature), toCall("b")];
    bench.provider.script([
      answer.chunks([delta({ tool_calls: first }), delta({}, "tool_calls")]),
      answer.chunks([delta({ tool_calls: [toCall("c", second)] }), delta({}, "tool_calls")]),
      answer.text("Sunny."),
    ]);
    const agent = new HttpAgent({ url: `${bench.relay.url}/agent`, initialMessages: [question] });
    for (const ids of [["a", "b"], ["c"]]) {
      await agent.runAgent();
      for (const id of ids) agent.addMessage({ id: `of ${id}`, role: "tool", toolCallId: id, content: "sun" });
    }
    await agent.runAgent();
    expect(sentMessages(bench)).toEqual([
      { role: "user", content: question.content },
      { role: "assistant", content: "", tool_calls: first },
      ...["a", "b"].map((id) => ({ role: "tool", content: "sun", tool_call_id: id })),
      { role: "assistant", content: "", tool_calls: [toCall("c", second)] },
      { role: "tool", content: "sun", tool_call_id: "c" },
    ]);
  });

  test("keeps a signature of the answer's text (Google)", async () => {
    bench.provider.script([
      answer.chunks([delta({ content: "Hi." }), delta({ content: "", extra_content: signature }), delta({}, "stop")]),
      answer.text("Sunny."),
    ]);
    const agent = new HttpAgent({ url: `${bench.relay.url}/agent`, initialMessages: [question] });
    await agent.runAgent();
    agent.addMessage({ id: "m3", role: "user", content: "And now?" });
    await agent.runAgent();
    expect(sentMessages(bench)[1]).toEqual({ role: "assistant", content: "Hi.", extra_content: signature });
  });

  test("sends an empty reasoning_content where DeepSeek called a tool without thinking", async () => {
    const agent = await runTwoTurns(bench, "reasoning_content (DeepSeek, earlier vLLM)");
    bench.provider.script([answer.toolCalls([{ id: "call_2", name: "weather", args: {} }]), answer.text("Sunny.")]);
    await agent.runAgent();
    agent.addMessage({ id: "t2", role: "tool", toolCallId: "call_2", content: "sun" });
    await agent.runAgent();
    expect(sentMessages(bench)[3]).toMatchObject({ role: "assistant", reasoning_content: "" });
  });

  test.each([
    [
      "Google",
      "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly",
      {
        tool_calls: [
          { ...sentCall, extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } },
        ],
      },
    ],
    [
      "DeepSeek",
      "The `reasoning_content` in the thinking mode must be passed back to the API.",
      { tool_calls: [sentCall], reasoning_content: "" },
    ],
  ])("of a client that keeps nothing is accepted by %s", async (_provider, refusal, expected) => {
    await bench.restart({});
    bench.provider.script(({ body }) => {
      const sent = (body as { messages: Record<string, unknown>[] }).messages[1] ?? {};
      const isWhole = Object.entries(expected).every(([name, value]) => isDeepStrictEqual(sent[name], value));
      return isWhole ? answer.text("Sunny.") : answer.error(400, refusal);
    });
    const messages = [
      question,
      { id: "a", role: "assistant", toolCalls: [sentCall] },
      { id: "t", role: "tool", toolCallId: call.id, content: "sun" },
    ];
    for (const profile of ["contract", "ag-ui"] as const) {
      expect((await bench.run({ messages }, profile)).at(-1)?.type).toBe("RUN_FINISHED");
      expect(sentMessages(bench)[1]).toEqual({ role: "assistant", content: "", ...expected });
    }
    // Asked once without.
    expect(bench.provider.chatRequests).toHaveLength(3);
  });

  test("goes on without reasoning that the provider refuses, and says so", async () => {
    const agent = await runTwoTurns(bench, "reasoning (vLLM, Groq)");
    const refusal = answer.error(400, "property 'reasoning' is unsupported");
    bench.provider.script((request) =>
      JSON.stringify(request.body).includes("the tool.") ? refusal : answer.text("Sunny."),
    );
    const warnings: unknown[] = [];
    const { newMessages } = await agent.runAgent(
      {},
      {
        onCustomEvent: ({ event }) => void (event.name === "agent-backends.warning" && warnings.push(event.value)),
      },
    );
    expect(newMessages).toMatchObject([{ role: "assistant", content: "Sunny." }]);
    expect(warnings).toMatchObject([{ code: "reasoning_refused" }]);
  });

  test("ignores a value that another service made, or that is not whole", async () => {
    const agent = await runTwoTurns(bench, "reasoning (vLLM, Groq)");
    const value = (agent.messages[1] as { encryptedValue?: string }).encryptedValue ?? "";
    for (const encryptedValue of [
      "opaque",
      "{}",
      value.slice(0, -2),
      value.replace("reasoning", "prompt"),
      `${value.slice(0, -1)},"details":7}`,
    ]) {
      await new HttpAgent({
        url: `${bench.relay.url}/agent`,
        initialMessages: [
          question,
          { id: "r", role: "reasoning", content: "hm", encryptedValue },
          { id: "a", role: "assistant", content: "Hi" },
          question,
        ],
      }).runAgent();
      expect([encryptedValue, sentMessages(bench)[1]]).toEqual([encryptedValue, { role: "assistant", content: "Hi" }]);
    }
  });
});
