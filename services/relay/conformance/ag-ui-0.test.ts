import { answer } from "@agent-backends/testing";
import * as client42 from "ag-ui-client-0.0.42";
import * as client59 from "ag-ui-client-0.0.59";
import { describe, expect, test, vi } from "vitest";
import type { Bench } from "./support/harness.ts";
import { describeBoth } from "./support/harness.ts";

// Versions differ in what is beside these tests: a 0.0.59 agent is used as a 0.0.42 one.
const agents = {
  "0.0.42": client42.HttpAgent,
  "0.0.59": client59.HttpAgent as unknown as typeof client42.HttpAgent,
};
type Message = client42.Message;

const question: Message = { id: "m1", role: "user", content: "Hello?" };
const weather = { name: "weather", description: "Tells the weather.", parameters: { type: "object" } };

const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});

describeBoth("clients of AG-UI 0.0.x, at the address of their profile", (bench) => {
  describe.each(Object.keys(agents) as (keyof typeof agents)[])("@ag-ui/client %s", (version) => {
    const agent = (initialMessages: Message[] = [question], at: Bench = bench) =>
      new agents[version]({ url: `${at.relay.url}/agent?profile=ag-ui-0`, threadId: "thread-1", initialMessages });

    async function run(parameters: Parameters<client42.HttpAgent["runAgent"]>[0] = {}, of = agent()) {
      const events: client42.BaseEvent[] = [];
      const { newMessages } = await of.runAgent(
        { runId: "run-1", ...parameters },
        { onEvent: ({ event }) => void events.push(event) },
      );
      return { newMessages, events };
    }

    test("completes a run of text", async () => {
      bench.provider.script(answer.text("Hel", "lo"));
      const { newMessages, events } = await run();
      expect(newMessages).toEqual([{ id: expect.any(String), role: "assistant", content: "Hello" }]);
      expect(events[0]).toEqual({ type: "RUN_STARTED", threadId: "thread-1", runId: "run-1" });
      expect(events.at(-1)).toEqual({ type: "RUN_FINISHED", threadId: "thread-1", runId: "run-1" });
    });

    test("calls its own tool and continues with the result", async () => {
      bench.provider.script([
        answer.toolCalls([{ id: "call_a", name: "weather", args: ['{"city":', '"Bern"}'] }]),
        answer.text("Sunny."),
      ]);
      const asking = agent();
      const { newMessages } = await run({ tools: [weather] }, asking);
      const call = { id: "call_a", type: "function", function: { name: "weather", arguments: '{"city":"Bern"}' } };
      expect(newMessages).toMatchObject([{ role: "assistant", toolCalls: [call] }]);
      asking.addMessage({ id: "t1", role: "tool", toolCallId: "call_a", content: "sun" });
      const second = await run({ tools: [weather] }, asking);
      expect(second.newMessages).toMatchObject([{ role: "assistant", content: "Sunny." }]);
      expect(bench.provider.chatRequests[1]?.body).toMatchObject({
        messages: [
          { role: "user", content: "Hello?" },
          { role: "assistant", content: "", tool_calls: [call] },
          { role: "tool", content: "sun", tool_call_id: "call_a" },
        ],
        tools: [{ type: "function", function: weather }],
      });
    });

    test("gets text and parallel tool calls as one message", async () => {
      const calls = [
        { id: "call_a", name: "weather", args: ["{", "}"] },
        { id: "call_b", name: "time", args: { zone: "UTC" } },
      ];
      bench.provider.script(answer.toolCalls(calls, { text: "Let me look." }));
      expect((await run()).newMessages).toMatchObject([
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

    test("can tell apart tool calls to which the provider gave one id", async () => {
      const calls = ["weather", "time"].map((name) => ({ id: "call_a", name, args: {} }));
      bench.provider.script(answer.toolCalls(calls));
      const [{ toolCalls = [] } = {}] = (await run()).newMessages as Extract<Message, { role: "assistant" }>[];
      expect(toolCalls.map(({ function: { name } }) => name)).toEqual(["weather", "time"]);
      expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2);
    });

    test("gets the arguments of calls at one index whose deltas take turns", async () => {
      const call = (id: string, name: string | undefined, text: string) =>
        delta({ tool_calls: [{ index: 0, id, function: { name, arguments: text } }] });
      const turns = [call("a", "f", "{"), call("b", "g", "["), call("a", undefined, "}"), call("b", undefined, "]")];
      bench.provider.script(answer.chunks([...turns, delta({}, "tool_calls")]));
      expect((await run()).newMessages).toMatchObject([
        {
          toolCalls: [
            { id: "a", function: { arguments: "{}" } },
            { id: "b", function: { arguments: "[]" } },
          ],
        },
      ]);
    });

    test("completes a run with reasoning before text, tool calls and text again", async () => {
      bench.provider.script(
        answer.chunks([
          delta({ reasoning_content: "Let me " }),
          delta({ reasoning_content: "think." }),
          delta({ content: "I'll " }),
          delta({ content: "look." }),
          delta({ reasoning_content: "Which tool?" }),
          delta({ tool_calls: [{ index: 0, id: "a", function: { name: "weather", arguments: "{}" } }] }),
          delta({}, "tool_calls"),
        ]),
      );
      const { newMessages, events } = await run();
      expect(newMessages).toMatchObject([
        { role: "assistant", content: "I'll look.", toolCalls: [{ function: { name: "weather" } }] },
      ]);
      const thoughts = events.filter(({ type }) => type === client42.EventType.THINKING_TEXT_MESSAGE_CONTENT);
      expect(thoughts.map((event) => "delta" in event && event.delta)).toEqual(["Let me ", "think.", "Which tool?"]);
    });

    test("is told of an error in the middle of a tool call, and may ask again", async () => {
      bench.provider.script([
        answer.chunks([
          delta({ content: "a" }),
          delta({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{" } }] }),
          { error: { message: "Overloaded", code: "overloaded_error" } },
        ]),
        answer.text("Now."),
      ]);
      const asking = agent();
      const { events } = await run({}, asking);
      expect(events.at(-1)).toEqual({ type: "RUN_ERROR", message: "Overloaded", code: "overloaded_error" });
      asking.setMessages([question]);
      expect((await run({}, asking)).newMessages).toMatchObject([{ content: "Now." }]);
    });

    test("fails with the reason when its request is refused", async ({ onTestFinished }) => {
      const log = vi.spyOn(console, "error").mockReturnValue();
      onTestFinished(() => log.mockRestore());
      const refused = run({}, agent([{ ...question, role: "robot" } as never]));
      await expect(refused).rejects.toThrow(/HTTP 422: .*must be one of user, assistant/);
    });

    test("may send whatever its version allows", async () => {
      const asking = agent([
        { id: "1", role: "developer", content: "Be brief.", name: "app" },
        { id: "2", role: "activity", activityType: "PLAN", content: { steps: ["look"] } },
        {
          id: "3",
          role: "user",
          content: [
            { type: "text", text: "What is it?" },
            { type: "binary", mimeType: "image/png", url: "https://example.com/a.png" },
            { type: "binary", mimeType: "image/jpeg", data: "AAAA", filename: "b.jpg" },
            { type: "binary", mimeType: "application/pdf", id: "file-1" },
          ],
        },
        {
          id: "4",
          role: "assistant",
          toolCalls: [{ id: "c", type: "function", function: { name: "f", arguments: "" } }],
        },
        { id: "5", role: "tool", toolCallId: "c", content: "", error: "It failed." },
      ]);
      await run(
        {
          context: [{ description: "page", value: "checkout" }],
          tools: [{ name: "f", description: "", parameters: undefined }],
          forwardedProps: { user: 7 },
        },
        asking,
      );
      expect(bench.provider.chatRequests[0]?.body).toEqual({
        model: "gpt-4o",
        messages: [
          { role: "system", content: "Be brief.", name: "app" },
          { role: "system", content: "Context of this conversation:\n- page: checkout" },
          {
            role: "user",
            content: [
              { type: "text", text: "What is it?" },
              { type: "image_url", image_url: { url: "https://example.com/a.png" } },
              { type: "image_url", image_url: { url: "data:image/jpeg;base64,AAAA" } },
              { type: "file", file: { file_id: "file-1" } },
            ],
          },
          {
            role: "assistant",
            content: "",
            tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "" } }],
          },
          { role: "tool", content: "Error: It failed.", tool_call_id: "c" },
        ],
        tools: [{ type: "function", function: { name: "f", description: "" } }],
        stream: true,
      });
    });
  });
});
