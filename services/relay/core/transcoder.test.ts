import type { RelayProfile } from "@agent-backends/contract";
import { relayProfiles } from "@agent-backends/contract";
import { ToolCalls } from "@agent-backends/llm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventBuffer } from "./event-buffer.ts";
import { streamErrorFailure } from "./failures.ts";
import { ContractProfile } from "./profiles/contract-profile.ts";
import { Transcoder } from "./transcoder.ts";

type Event = Record<string, unknown>;

function transcode(
  pieces: readonly (string | Uint8Array)[],
  name: RelayProfile = "contract",
  toolNames: readonly string[] = [],
  vendor?: string,
): Event[] {
  const events = new EventBuffer();
  const counts = { recognised: 0, parsed: 0 };
  let ids = 0;
  const newId = () => `id-${++ids}`;
  const transcoder = new Transcoder({
    profile: name,
    identity: { threadId: "t", runId: "r", messageId: "m" },
    model: { origin: "o", vendor },
    events,
    toolNames,
    newId,
    describeError: (error) => streamErrorFailure(error, []),
    frames: counts,
  });
  transcoder.start();
  for (const piece of pieces) transcoder.push(Buffer.from(piece as string));
  transcoder.end();
  expect(transcoder.hasEnded).toBe(true);
  const text = events.take().toString("utf8");
  return text.split("\n\n").flatMap((frame) => (frame ? [JSON.parse(frame.slice("data: ".length)) as Event] : []));
}

const frame = (json: unknown) => `data: ${typeof json === "string" ? json : JSON.stringify(json)}\n\n`;
const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});
const call = (fields: object) => delta({ tool_calls: [fields] });
const stop = frame(delta({}, "stop")) + frame("[DONE]");
const stream = (...chunks: unknown[]) => [chunks.map(frame).join("") + stop];

const started = { type: "RUN_STARTED", threadId: "t", runId: "r" };
const finished = { type: "RUN_FINISHED", threadId: "t", runId: "r" };
const textStart = { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" };
const text = (value: string) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: value });
const textEnd = { type: "TEXT_MESSAGE_END", messageId: "m" };
const callStart = (toolCallId: string, toolCallName: string) => ({
  type: "TOOL_CALL_START",
  toolCallId,
  toolCallName,
  parentMessageId: "m",
});
const args = (toolCallId: string, value: string) => ({ type: "TOOL_CALL_ARGS", toolCallId, delta: value });
const failed = (message: unknown = expect.any(String)) => ({ type: "RUN_ERROR", message });

describe("text", () => {
  test("starts once, at the first delta that is not empty, and ends at the end", () => {
    expect(
      transcode(stream(delta({ role: "assistant", content: "" }), delta({ content: "a" }), delta({ content: "b" }))),
    ).toEqual([started, textStart, text("a"), text("b"), textEnd, finished]);
  });

  test("is relayed unchanged, whatever characters it holds", () => {
    const odd = ["data: [DONE]\n\n", "\r\n", '"\\', "\u2028", "\ud83c", "\udf89", "\u0000", "ü€🎉"];
    expect(transcode(stream(...odd.map((content) => delta({ content }))))).toEqual([
      started,
      textStart,
      ...odd.map(text),
      textEnd,
      finished,
    ]);
  });

  test("in parts is joined, and thinking parts are not text", () => {
    const content = [
      { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    expect(transcode(stream(delta({ content })))).toEqual([started, textStart, text("ab"), textEnd, finished]);
  });

  test("of other choices, reasoning, refusals and usage are left out", () => {
    const chunks = [
      {
        choices: [
          { index: 1, delta: { content: "other" } },
          { index: 0, delta: { content: "main" } },
        ],
      },
      delta({ reasoning_content: "hm", content: null }),
      delta({ reasoning: "hm" }),
      delta({ refusal: "no" }),
      { choices: [], usage: { prompt_tokens: 1 } },
      { choices: null },
      { prompt_filter_results: [] },
      { choices: [{ index: 0 }] },
      { choices: [{ index: 0, delta: null }] },
      null,
      7,
    ];
    expect(transcode(stream(...chunks))).toEqual([started, textStart, text("main"), textEnd, finished]);
  });
});

describe("tool calls", () => {
  test.each<[string, object[], object[]]>([
    [
      "arguments by index alone",
      [
        { index: 0, id: "a", function: { name: "f", arguments: "" } },
        { index: 1, id: "b", function: { name: "g" } },
        { index: 1, function: { arguments: "{}" } },
        { index: 0, function: { arguments: '{"x":' } },
        { index: 0, function: { arguments: "1}" } },
      ],
      [callStart("a", "f"), callStart("b", "g"), args("b", "{}"), args("a", '{"x":'), args("a", "1}")],
    ],
    [
      "an empty id on what follows",
      [
        { index: 0, id: "a", function: { name: "f" } },
        { index: 0, id: "", function: { name: "", arguments: "{}" } },
      ],
      [callStart("a", "f"), args("a", "{}")],
    ],
    [
      "one index for every call, and other ids",
      [
        { index: 0, id: "a", function: { name: "f", arguments: "{}" } },
        { index: 0, id: "b", function: { name: "f", arguments: "[]" } },
      ],
      [callStart("a", "f"), args("a", "{}"), callStart("b", "f"), args("b", "[]")],
    ],
    [
      "the name and id repeated in every delta",
      [
        { index: 0, id: "a", function: { name: "f", arguments: "{" } },
        { index: 0, id: "a", function: { name: "f", arguments: "}" } },
      ],
      [callStart("a", "f"), args("a", "{"), args("a", "}")],
    ],
    [
      "no index at all",
      [
        { id: "a", function: { name: "f", arguments: "{}" } },
        { id: "b", function: { name: "g" } },
        { id: "b", function: { arguments: "{}" } },
      ],
      [callStart("a", "f"), args("a", "{}"), callStart("b", "g"), args("b", "{}")],
    ],
    [
      "no id",
      [
        { index: 0, function: { name: "f", arguments: "{" } },
        { index: 0, function: { arguments: "}" } },
        { index: 1, function: { name: "g", arguments: "{}" } },
      ],
      [callStart("id-1", "f"), args("id-1", "{"), args("id-1", "}"), callStart("id-2", "g"), args("id-2", "{}")],
    ],
    [
      "neither ids nor indexes of their own, each call whole",
      [
        { index: 0, id: "", function: { name: "f", arguments: '{"n":1}' } },
        { index: 0, id: "", function: { name: "f", arguments: '{"n":2}' } },
      ],
      [callStart("id-1", "f"), args("id-1", '{"n":1}'), callStart("id-2", "f"), args("id-2", '{"n":2}')],
    ],
    [
      "arguments before the name",
      [
        { index: 0, id: "a", function: { arguments: "{" } },
        { index: 0, function: { arguments: "}" } },
        { index: 0, function: { name: "f" } },
      ],
      [callStart("a", "f"), args("a", "{"), args("a", "}")],
    ],
    [
      "arguments that are an object",
      [{ index: 0, id: "a", function: { name: "f", arguments: { x: 1 } } }],
      [callStart("a", "f"), args("a", '{"x":1}')],
    ],
    [
      "an id that is another's on what follows",
      [
        { index: 0, id: "a", function: { name: "f" } },
        { index: 0, id: "z", function: { arguments: "{}" } },
      ],
      [callStart("a", "f"), args("a", "{}")],
    ],
  ])("are tied together with %s", (_what, calls, events) => {
    expect(transcode(stream(...calls.map(call)))).toEqual([started, ...events, finished]);
  });

  const named = (...names: string[]) => names.map((name) => call({ index: 0, id: "a", function: { name } }));
  const followed = (...names: string[]) => [...named(...names), call({ index: 0, function: { arguments: "{}" } })];

  test.each<[string, string[], string[], string]>([
    ["in pieces", ["get_", "wea", "ther"], [], "get_weather"],
    ["in pieces of a tool's name", ["get_", "weather"], ["get_time", "get_weather"], "get_weather"],
    ["in pieces that are alike", ["do", "do"], ["dodo"], "dodo"],
    ["again and again", ["f", "f", "f"], [], "f"],
    ["each time as far as it goes", ["get", "get_weather"], ["get", "get_weather"], "get_weather"],
    ["whole, though another's begins with it", ["get"], ["get", "get_weather"], "get"],
    ["whole, with more behind it", ["get", "x"], ["get"], "get"],
  ])("may have their name %s", (_how, pieces, tools, name) => {
    for (const profile of relayProfiles) {
      const events = transcode(stream(...followed(...pieces)), profile, tools);
      expect(events.slice(1, 3)).toEqual([callStart("a", name), args("a", "{}")]);
    }
  });

  test("are told of before anything that follows, also where their name could go on", () => {
    const second = call({ index: 1, id: "b", function: { name: "g" } });
    for (const [next, event] of [
      [delta({ content: "x" }), textStart],
      [second, callStart("b", "g")],
      [{ error: { message: "broken" } }, failed("broken")],
    ] as const) {
      expect(transcode(stream(...named("f"), next)).slice(1, 3)).toEqual([callStart("a", "f"), event]);
    }
    expect(transcode(stream(...named("f")))).toEqual([started, callStart("a", "f"), finished]);
    expect(transcode([frame(named("f")[0])])).toEqual([started, callStart("a", "f"), failed()]);
  });

  test("are told of at once where their name can't go on", () => {
    const events = new EventBuffer();
    const profile = new ContractProfile({ threadId: "t", runId: "r", messageId: "m" }, events);
    const toolCalls = new ToolCalls(profile, { newId: () => "id", uniqueIds: false, toolNames: ["f", "g"] });
    toolCalls.delta({ index: 0, id: "a", name: "f", arguments: undefined, extraContent: undefined });
    expect(events.take().toString()).toContain("TOOL_CALL_START");
  });

  test("may come two in one delta, and around text", () => {
    const two = {
      tool_calls: [
        { index: 0, id: "a", function: { name: "f", arguments: "{}" } },
        { index: 1, id: "b", function: { name: "g", arguments: "{}" } },
      ],
    };
    expect(transcode(stream(delta({ content: "x" }), delta(two), delta({ content: "y" })))).toEqual([
      started,
      textStart,
      text("x"),
      callStart("a", "f"),
      args("a", "{}"),
      callStart("b", "g"),
      args("b", "{}"),
      text("y"),
      textEnd,
      finished,
    ]);
  });
});

describe("the end of a run", () => {
  const one = frame(delta({ content: "a" }));
  const begun = [started, textStart, text("a")];

  test.each<[string, string, Event[]]>([
    ["[DONE] alone", frame("[DONE]"), [started, finished]],
    ["a finish reason without [DONE]", one + frame(delta({}, "length")), [...begun, textEnd, finished]],
    ["a finish reason and a torn [DONE]", `${one}${frame(delta({}, "stop"))}data: [DO`, [...begun, textEnd, finished]],
    ["[DONE] without an empty line", `${one}data: [DONE]`, [...begun, textEnd, finished]],
    ["whatever comes after [DONE]", one + frame("[DONE]") + one + frame("x"), [...begun, textEnd, finished]],
    ["nothing more", one, [...begun, failed()]],
    ["a torn event", `${one}data: {"choices":[{"ind`, [...begun, failed()]],
    ["no answer at all", "", [started, failed()]],
    [
      "an error object",
      one + frame({ error: { message: "upstream exploded" } }) + one,
      [...begun, failed("upstream exploded")],
    ],
    ["an error text", frame({ error: "overloaded" }), [started, failed("overloaded")]],
    ["an error event", `event: error\n${frame({ message: "gone wrong" })}`, [started, failed("gone wrong")]],
    ["an error event that is no JSON", "event: error\ndata: gone wrong\n\n", [started, failed("gone wrong")]],
    [
      "an error in the choice",
      frame({ choices: [{ index: 0, error: { message: "filtered" }, finish_reason: "error" }] }),
      [started, failed("filtered")],
    ],
    [
      "an error after the finish reason",
      frame(delta({}, "stop")) + frame({ error: { message: "late" } }),
      [started, failed("late")],
    ],
    ["an error of vLLM's", frame({ object: "error", message: "too long", code: 400 }), [started, failed("too long")]],
    ["data that is not JSON", `${one}data: <html>\n\n${stop}`, [...begun, failed()]],
    ["an event over 1 MiB", frame(delta({ content: "x".repeat(1024 * 1024) })), [started, failed()]],
  ])("with %s", (_what, bytes, events) => {
    expect(transcode(bytes.match(/[\s\S]{1,65536}/g) ?? [])).toEqual(events);
  });

  test("a null or absent error is none", () => {
    expect(transcode([frame({ error: null, ...delta({ content: "a" }) }) + stop])).toEqual([
      ...begun,
      textEnd,
      finished,
    ]);
  });
});

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

test("the ag-ui profile names the provider of the usage, where it is known", () => {
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
