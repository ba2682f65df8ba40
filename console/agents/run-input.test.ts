import { runInputSchema } from "@agent-backends/contract";
import { expect, test } from "vitest";
import { createAnswer } from "../conversations/messages.ts";
import { buildRunInput } from "./run-input.ts";

test("a conversation with tool calls is a run input that the relay accepts; calls without a result are left out, images are parts", () => {
  const calls = [
    { id: "c1", name: "get_weather", args: '{"city":"Bern"}', result: "Sunny" },
    { id: "c2", name: "get_time", args: "" },
  ];
  const messages = [
    {
      ...{ id: "u1", role: "user" as const, text: "Weather?" },
      images: [{ name: "sky.png", mimeType: "image/png", data: "AAAA" }],
    },
    { ...createAnswer("a1"), toolCalls: calls },
    { ...createAnswer("a2"), error: "failed" },
  ];
  const input = buildRunInput(
    messages,
    { threadId: "t", runId: "r" },
    { tools: [{ name: "get_weather", description: "Tells it." }], isWholeProtocol: true },
  );
  expect(runInputSchema.parse(input)).toMatchObject({
    protocolVersion: "1.0",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Weather?" },
          { type: "image", source: { type: "data", value: "AAAA", mimeType: "image/png" } },
        ],
      },
      { role: "assistant", toolCalls: [{ id: "c1", function: { name: "get_weather", arguments: '{"city":"Bern"}' } }] },
      { role: "tool", toolCallId: "c1", content: "Sunny" },
    ],
  });
});
