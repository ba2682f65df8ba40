import { relayProfiles } from "@agent-backends/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  args,
  call,
  callStart,
  delta,
  finished,
  frame,
  started,
  stream,
  text,
  textEnd,
  textStart,
  transcode,
} from "../../conformance/support/transcode.ts";

const recorded = Buffer.from(
  [
    ": PROCESSING\r\n\r\n",
    frame(delta({ role: "assistant", content: "", reasoning: "hm" })),
    frame(delta({ content: "ü🎉" })),
    frame(call({ index: 0, id: "a", function: { name: "f", arguments: '{"é":' } })),
    frame(call({ index: 0, function: { arguments: '"☃"}' } })),
    frame(delta({}, "tool_calls")),
    frame({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } }),
    frame("[DONE]"),
  ].join(""),
);

describe.each(relayProfiles)("in the profile %s", (profile) => {
  test("any split of the bytes gives the same events", () => {
    const expected = transcode([recorded], profile);
    expect(
      transcode(
        [...recorded].map((byte) => Uint8Array.of(byte)),
        profile,
      ),
    ).toEqual(expected);
    fc.assert(
      fc.property(fc.array(fc.nat(recorded.length)), (cuts) => {
        const at = [0, ...cuts.sort((one, other) => one - other), recorded.length];
        const pieces = at.slice(1).map((end, index) => recorded.subarray(at[index], end));
        expect(transcode(pieces, profile)).toEqual(expected);
      }),
    );
  });

  test("a stream cut anywhere before its finish reason fails, and never otherwise", () => {
    const complete = recorded.indexOf("\n\n", recorded.indexOf('"finish_reason":"tool_calls"'));
    for (let length = 0; length <= recorded.length; length += 1) {
      const last = transcode([recorded.subarray(0, length)], profile).at(-1);
      expect([length, last?.type]).toEqual([length, length < complete ? "RUN_ERROR" : "RUN_FINISHED"]);
    }
  });
});

const kept = (entityId: string, reasoning: string) => ({
  type: "REASONING_ENCRYPTED_VALUE",
  subtype: "message",
  entityId,
  encryptedValue: JSON.stringify({ origin: "o", reasoning }),
});

test("the ag-ui profile tells reasoning, ends of calls, usage and what is pending", () => {
  expect(transcode([recorded], "ag-ui")).toEqual([
    { ...started, protocolVersion: "1.0" },
    { type: "REASONING_START", messageId: "id-1" },
    { type: "REASONING_MESSAGE_START", messageId: "id-1", role: "reasoning" },
    { type: "REASONING_MESSAGE_CONTENT", messageId: "id-1", delta: "hm" },
    { type: "REASONING_MESSAGE_END", messageId: "id-1" },
    kept("id-1", "reasoning"),
    { type: "REASONING_END", messageId: "id-1" },
    textStart,
    text("ü🎉"),
    callStart("a", "f"),
    args("a", '{"é":'),
    args("a", '"☃"}'),
    { type: "TOOL_CALL_END", toolCallId: "a" },
    textEnd,
    {
      ...finished,
      outcome: { type: "success", pendingToolCallIds: ["a"] },
      usage: [{ inputTokens: 3, outputTokens: 4, totalTokens: 7 }],
    },
  ]);
});

test("the ag-ui profile names the provider in the usage if it is known", () => {
  const [last] = transcode([recorded], "ag-ui", [], "google").slice(-1);
  expect(last).toMatchObject({ usage: [{ provider: "google", inputTokens: 3 }] });
});

test("the ag-ui-0 profile tells reasoning and ends of calls, and nothing that clients of AG-UI 0.0.x do not know", () => {
  expect(transcode([recorded], "ag-ui-0")).toEqual([
    started,
    { type: "THINKING_START" },
    { type: "THINKING_TEXT_MESSAGE_START" },
    { type: "THINKING_TEXT_MESSAGE_CONTENT", delta: "hm" },
    { type: "THINKING_TEXT_MESSAGE_END" },
    { type: "THINKING_END" },
    textStart,
    text("ü🎉"),
    callStart("a", "f"),
    args("a", '{"é":'),
    args("a", '"☃"}'),
    { type: "TOOL_CALL_END", toolCallId: "a" },
    textEnd,
    finished,
  ]);
});

const lastReasoning = {
  "ag-ui": [
    { type: "REASONING_MESSAGE_CONTENT", messageId: "id-2", delta: "hm" },
    { type: "REASONING_MESSAGE_END", messageId: "id-2" },
    kept("id-2", "reasoning"),
    { type: "REASONING_END", messageId: "id-2" },
  ],
  "ag-ui-0": [
    { type: "THINKING_TEXT_MESSAGE_CONTENT", delta: "hm" },
    { type: "THINKING_TEXT_MESSAGE_END" },
    { type: "THINKING_END" },
  ],
};

test.each(["ag-ui", "ag-ui-0"] as const)(
  "the %s profile closes what is open before an error, and names its kind",
  (profile) => {
    const bytes = [
      delta({ reasoning: "hm" }),
      delta({ content: "a" }),
      call({ index: 0, id: "a", function: { name: "f" } }),
      delta({ reasoning: "hm" }),
      { error: { message: "upstream exploded", code: 502 } },
    ];
    const expected = lastReasoning[profile];
    expect(transcode(stream(...bytes), profile).slice(-3 - expected.length)).toEqual([
      ...expected,
      textEnd,
      { type: "TOOL_CALL_END", toolCallId: "a" },
      { type: "RUN_ERROR", message: "upstream exploded", code: "502" },
    ]);
  },
);
