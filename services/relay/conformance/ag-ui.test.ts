import type { BaseEvent, Message } from "@ag-ui/client";
import { HttpAgent } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { answer } from "@agent-backends/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Bench } from "./support/harness.ts";
import { describeBoth } from "./support/harness.ts";
import { providerScript } from "./support/provider-scripts.ts";

const question: Message = { id: "m1", role: "user", content: "Hello?" };

/** Runs the official client to its end. It checks the shape and order of the events, and throws at the first wrong one. */
async function runAgent(bench: Bench, parameters: Parameters<HttpAgent["runAgent"]>[0] = {}, messages = [question]) {
  const agent = new HttpAgent({ url: `${bench.relay.url}/agent`, threadId: "thread-1", initialMessages: messages });
  const events: BaseEvent[] = [];
  const { newMessages } = await agent.runAgent(
    { runId: "run-1", ...parameters },
    { onEvent: ({ event }) => void events.push(event) },
  );
  for (const event of events) EventSchemas.parse(event);
  return { events, newMessages, types: events.map(({ type }) => type as string) };
}

const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});

describeBoth("the official AG-UI client", (bench) => {
  test("completes a run of text", async () => {
    bench.provider.script(answer.text("Hel", "lo"));
    const { events, newMessages } = await runAgent(bench);
    expect(newMessages).toEqual([{ id: expect.any(String), role: "assistant", content: "Hello" }]);
    expect(events[0]).toMatchObject({
      type: "RUN_STARTED",
      threadId: "thread-1",
      runId: "run-1",
      protocolVersion: "1.0",
    });
    expect(events.at(-1)).toMatchObject({
      type: "RUN_FINISHED",
      outcome: { type: "success" },
      usage: [{ model: "gpt-4o", inputTokens: 7, outputTokens: 5, totalTokens: 12 }],
    });
  });

  test("learns what was read from the provider's cache, written to it, and reasoned", async () => {
    const usage = {
      ...{ prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 },
      prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 8 },
    };
    bench.provider.script(answer.chunks([delta({ content: "Hi" }), delta({}, "stop"), { choices: [], usage }]));
    const { events } = await runAgent(bench);
    const parts = { cachedInputTokens: 20, cacheWriteInputTokens: 4, reasoningTokens: 8 };
    expect(events.at(-1)).toMatchObject({ usage: [{ inputTokens: 30, outputTokens: 12, totalTokens: 42, ...parts }] });
  });

  test("completes a run with one tool call", async () => {
    bench.provider.script(answer.toolCalls([{ id: "call_a", name: "weather", args: ['{"city":', '"Bern"}'] }]));
    const { events, newMessages, types } = await runAgent(bench, {
      tools: [{ name: "weather", description: "Tells it.", parameters: { type: "object" } }],
    });
    expect(newMessages).toMatchObject([
      { role: "assistant", toolCalls: [{ id: "call_a", function: { name: "weather", arguments: '{"city":"Bern"}' } }] },
    ]);
    expect(types).toContain("TOOL_CALL_END");
    expect(events.at(-1)).toMatchObject({ outcome: { type: "success", pendingToolCallIds: ["call_a"] } });
  });

  test("completes a run with text and parallel tool calls in one message", async () => {
    const calls = [
      { id: "call_a", name: "weather", args: ["{", "}"] },
      { id: "call_b", name: "time", args: { zone: "UTC" } },
    ];
    bench.provider.script(answer.toolCalls(calls, { text: "Let me look." }));
    const { newMessages } = await runAgent(bench);
    expect(newMessages).toMatchObject([
      {
        role: "assistant",
        content: "Let me look.",
        toolCalls: [
          { id: "call_a", function: { name: "weather", arguments: "{}" } },
          { id: "call_b", function: { name: "time", arguments: '{"zone":"UTC"}' } },
        ],
      },
    ]);
  });

  test("tells calls apart whose ids the provider repeats in each run, or whose deltas take turns, and leaves out those without a name", async () => {
    const call = (id: string, name: string | undefined, text: string) =>
      delta({ tool_calls: [{ index: 0, id, function: { name, arguments: text } }] });
    const turns = [call("a", "f", "{"), call("b", "g", "["), call("a", undefined, "}"), call("b", undefined, "]")];
    const unnamed = delta({ tool_calls: [{ index: 1, function: { arguments: "{}" } }] });
    bench.provider.script([answer.chunks([...turns, unnamed, delta({}, "tool_calls")])]);
    const { newMessages: first } = await runAgent(bench);
    const [{ toolCalls = [] } = {}] = first as Extract<Message, { role: "assistant" }>[];
    const warnings = [expect.objectContaining({ code: "call_unnamed" })];
    expect(bench.relay.log).toContainEqual(expect.objectContaining({ warnings, level: 40 }));
    expect(toolCalls.map(({ function: called }) => called)).toEqual([
      { name: "f", arguments: "{}" },
      { name: "g", arguments: "[]" },
    ]);
    const results = toolCalls.map(({ id }): Message => ({ id: `r-${id}`, role: "tool", toolCallId: id, content: "" }));
    const { newMessages } = await runAgent(bench, {}, [question, ...first, ...results]);
    const [second] = newMessages as Extract<Message, { role: "assistant" }>[];
    expect(second?.toolCalls?.map(({ function: called }) => called.arguments)).toEqual(["{}", "[]"]);
    expect(second?.toolCalls?.some(({ id }) => id === "a" || id === "b")).toBe(false);
  });

  test("completes a run with reasoning", async () => {
    bench.provider.script(
      answer.chunks([
        delta({ reasoning_content: "Let me " }),
        delta({ reasoning_content: "think." }),
        delta({ content: "Done." }),
        delta({}, "stop"),
      ]),
    );
    const { newMessages } = await runAgent(bench);
    expect(newMessages).toMatchObject([
      { role: "reasoning", content: "Let me think." },
      { role: "assistant", content: "Done." },
    ]);
  });

  test("shows a refusal as the answer", async () => {
    bench.provider.script(
      answer.chunks([delta({ refusal: "I can't " }), delta({ refusal: "help." }), delta({}, "stop")]),
    );
    expect((await runAgent(bench)).newMessages).toMatchObject([{ role: "assistant", content: "I can't help." }]);
  });

  test.each([
    ["before the answer", answer.error(401, "Incorrect API key"), "Incorrect API key", "provider_refused"],
    [
      "in the middle of text",
      answer.cutAfter("Hel"),
      "The model provider's answer broke off before its end.",
      "provider_cut",
    ],
    [
      "in the middle of a tool call",
      answer.chunks([
        delta({ reasoning: "hm" }),
        delta({ content: "a" }),
        delta({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{" } }] }),
        { error: { message: "Overloaded", code: "overloaded_error" } },
      ]),
      "Overloaded",
      "overloaded_error",
    ],
    [
      "by an error without data:",
      answer.bytes([`data: ${JSON.stringify(delta({ content: "a" }))}\n\n`, '{"error":{"message":"Out of memory"}}\n']),
      "Out of memory",
      "provider_error",
    ],
  ])("accepts a run that fails %s", async (_when, script, message, code) => {
    bench.provider.script(script);
    const { events } = await runAgent(bench);
    expect(events.at(-1)).toEqual({ type: "RUN_ERROR", message, code });
  });

  test("accepts whatever a provider sends", async () => {
    await fc.assert(
      fc.asyncProperty(providerScript, async ({ pieces }) => {
        bench.provider.script(answer.bytes(pieces));
        const { types } = await runAgent(bench);
        expect(types.at(-1)).toMatch(/^RUN_(FINISHED|ERROR)$/);
      }),
      { numRuns: 25 },
    );
  });

  test("has its images, developer messages and context seen by the model", async () => {
    const messages: Message[] = [
      { id: "1", role: "developer", content: "Be brief." },
      {
        id: "2",
        role: "user",
        content: [
          { type: "text", text: "What is it?" },
          { type: "image", source: { type: "url", value: "https://example.com/a.png" } },
          { type: "image", source: { type: "data", value: "AAAA", mimeType: "image/jpeg" } },
        ],
      },
    ];
    await runAgent(bench, { context: [{ description: "page", value: "checkout" }] }, messages);
    expect(bench.provider.chatRequests[0]?.body).toEqual({
      model: "gpt-4o",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "system", content: "Context of this conversation:\n- page: checkout" },
        {
          role: "user",
          content: [
            { type: "text", text: "What is it?" },
            { type: "image_url", image_url: { url: "https://example.com/a.png" } },
            { type: "image_url", image_url: { url: "data:image/jpeg;base64,AAAA" } },
          ],
        },
      ],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test("can go on with a tool's result", async () => {
    bench.provider.script([answer.toolCalls([{ id: "call_a", name: "f", args: {} }]), answer.text("Sunny.")]);
    const agent = new HttpAgent({ url: `${bench.relay.url}/agent`, initialMessages: [question] });
    await agent.runAgent();
    agent.addMessage({ id: "t1", role: "tool", toolCallId: "call_a", content: "sun" });
    const { newMessages } = await agent.runAgent();
    expect(newMessages).toMatchObject([{ role: "assistant", content: "Sunny." }]);
    const body = bench.provider.chatRequests[1]?.body as { messages: object[] } | undefined;
    expect(body?.messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "call_a", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", content: "sun", tool_call_id: "call_a" },
    ]);
  });
});
