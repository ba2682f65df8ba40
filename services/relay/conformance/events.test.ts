import { answer } from "@agent-backends/testing";
import { expect, test } from "vitest";
import { describeBoth } from "./support/harness.ts";
import { postAgent, runInput } from "./support/run-inputs.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describeBoth("a run", (bench) => {
  test("of text is streamed as the contract's events, with its headers", async () => {
    bench.provider.script(answer.text("Hel", "lo"));
    const response = await postAgent(bench.relay.url, runInput());
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      connection: "keep-alive",
      "x-accel-buffering": "no",
    });
    expect(response.headers.has("content-encoding")).toBe(false);

    const body = await response.text();
    const messageId = /"messageId":"([^"]+)"/.exec(body)?.[1] ?? "";
    expect(messageId).toMatch(uuid);
    expect(body).toBe(
      [
        `data: {"type":"RUN_STARTED","threadId":"thread-1","runId":"run-1"}`,
        `data: {"type":"TEXT_MESSAGE_START","messageId":"${messageId}","role":"assistant"}`,
        `data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"${messageId}","delta":"Hel"}`,
        `data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"${messageId}","delta":"lo"}`,
        `data: {"type":"TEXT_MESSAGE_END","messageId":"${messageId}"}`,
        `data: {"type":"RUN_FINISHED","threadId":"thread-1","runId":"run-1"}`,
        "",
      ].join("\n\n"),
    );
  });

  test("with parallel tool calls ties every argument to its call", async () => {
    const calls = [
      { id: "call_a", name: "weather", args: ['{"city":', '"Bern"}'] },
      { id: "call_b", name: "time", args: ["{}"] },
    ];
    bench.provider.script(answer.toolCalls(calls, { text: "Let me look." }));
    const events = await bench.run({ tools: [{ name: "weather", description: "", parameters: {} }] });
    const parentMessageId = events[1]?.messageId;
    expect(events.map(({ type }) => type).slice(0, 3)).toEqual([
      "RUN_STARTED",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
    ]);
    expect(events.slice(3)).toEqual([
      { type: "TOOL_CALL_START", toolCallId: "call_a", toolCallName: "weather", parentMessageId },
      { type: "TOOL_CALL_ARGS", toolCallId: "call_a", delta: '{"city":' },
      { type: "TOOL_CALL_ARGS", toolCallId: "call_a", delta: '"Bern"}' },
      { type: "TOOL_CALL_START", toolCallId: "call_b", toolCallName: "time", parentMessageId },
      { type: "TOOL_CALL_ARGS", toolCallId: "call_b", delta: "{}" },
      { type: "TEXT_MESSAGE_END", messageId: parentMessageId },
      { type: "RUN_FINISHED", threadId: "thread-1", runId: "run-1" },
    ]);
  });

  test("has its own message id even without text", async () => {
    bench.provider.script(answer.toolCalls([{ name: "f", args: {} }]));
    const [first, second] = [await bench.run(), await bench.run()];
    const findParentId = (events: typeof first) =>
      events.find(({ type }) => type === "TOOL_CALL_START")?.parentMessageId;
    expect(findParentId(first)).toMatch(uuid);
    expect(findParentId(second)).not.toBe(findParentId(first));
  });

  test("goes on in the default profile through what it has no event for", async () => {
    const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
    const delta = (fields: object) => ({ choices: [{ index: 0, delta: fields }] });
    bench.provider.script(answer.chunks([delta({ reasoning_content: "hm" }), delta({ content: "a" }), usage]));
    expect((await bench.run()).map(({ type }) => type)).toEqual([
      "RUN_STARTED",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED",
    ]);
  });

  test("sends each event as soon as it comes", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = `data: {"choices":[{"index":0,"delta":{"content":"first"}}]}\n\n`;
    bench.provider.script(answer.bytes([first, promise, "data: [DONE]\n\n"]));
    const response = await postAgent(bench.relay.url, runInput());
    const decoder = new TextDecoder();
    let seen = "";
    for await (const chunk of response.body ?? []) {
      seen += decoder.decode(chunk as Uint8Array, { stream: true });
      if (seen.includes("first")) resolve();
    }
    expect(seen).toContain("RUN_FINISHED");
  });
});

describeBoth("the provider's request", (bench) => {
  const lastBody = () => bench.provider.chatRequests.at(-1)?.body as Record<string, unknown>;

  test("holds messages and tools as the provider takes them, and nothing else", async () => {
    await bench.run({
      messages: [
        { id: "1", role: "system", content: "Be brief." },
        { id: "2", role: "user", content: "Weather?", name: "ada" },
        {
          id: "3",
          role: "assistant",
          toolCalls: [{ id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Bern"}' } }],
        },
        { id: "4", role: "tool", toolCallId: "c1", content: "sunny" },
        { id: "5", role: "assistant", content: null, toolCalls: null },
        {
          id: "6",
          role: "user",
          content: [
            { type: "text", text: "And " },
            { type: "text", text: "now?" },
          ],
        },
      ],
      tools: [{ name: "weather", description: "Tells it.", parameters: { type: "object", properties: {} } }],
      context: [{ description: "place", value: "Bern" }],
      state: { any: "thing" },
      forwardedProps: { temperature: 2 },
      unknown: true,
    });
    expect(lastBody()).toEqual({
      model: "gpt-4o",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          content: "",
          tool_calls: [{ id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Bern"}' } }],
        },
        { role: "tool", content: "sunny", tool_call_id: "c1" },
        { role: "assistant", content: "" },
        { role: "user", content: "And now?" },
      ],
      tools: [
        {
          type: "function",
          function: { name: "weather", description: "Tells it.", parameters: { type: "object", properties: {} } },
        },
      ],
      stream: true,
    });
    expect(bench.provider.chatRequests.at(-1)?.headers.authorization).toBe("Bearer sk-test-key-of-the-relay");
  });

  test("gives the provider a tool of which the client says only the name", async () => {
    await bench.run({ tools: [{ name: "now" }] });
    expect(lastBody()).toMatchObject({ tools: [{ type: "function", function: { name: "now" } }] });
  });

  test.each([{ tools: [] }, { tools: null }, { tools: undefined }])("leaves tools out for %j", async (fields) => {
    await bench.run(fields);
    expect(lastBody()).not.toHaveProperty("tools");
  });

  test("asks for the model that the options name", async () => {
    await bench.restart({ model: "small-model" });
    await bench.run();
    expect(lastBody().model).toBe("small-model");
  });

  test("leaves out messages that only the client reads", async () => {
    await bench.run({
      messages: [
        { id: "1", role: "user", content: "Hi" },
        { id: "2", role: "reasoning", content: "hm" },
        { id: "3", role: "activity", activityType: "plan", content: {} },
      ],
    });
    expect(lastBody().messages).toEqual([{ role: "user", content: "Hi" }]);
  });
});
