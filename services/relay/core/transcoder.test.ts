import { relayProfiles } from "@agent-backends/contract";
import { EventBuffer } from "@agent-backends/kit/runs";
import { ToolCalls } from "@agent-backends/llm";
import { describe, expect, test } from "vitest";
import {
  args,
  call,
  callStart,
  delta,
  failed,
  finished,
  frame,
  started,
  stop,
  stream,
  text,
  textEnd,
  textStart,
  transcode,
} from "../conformance/support/transcode.ts";
import { ContractProfile } from "./profiles/contract-profile.ts";

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

test.each([
  { images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }] },
  { audio: { id: "a", data: "AA==", transcript: "hi" } },
  { content: [{ type: "image_url", image_url: { url: "https://cdn.example/a.png" } }] },
])("media in an answer is left out with a warning: %j", (media) => {
  const events = transcode(stream(delta(media), delta({ content: "Here it is." })), "ag-ui");
  const warning = { name: "agent-backends.warning", value: expect.objectContaining({ code: "part_dropped" }) };
  expect(events).toContainEqual(expect.objectContaining({ type: "CUSTOM", ...warning }));
  expect(events).toContainEqual(expect.objectContaining({ delta: "Here it is." }));
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
    [
      "another index for what follows, and their ids",
      [
        { index: 0, id: "a", function: { name: "f" } },
        { index: 1, id: "a", function: { arguments: "{}" } },
      ],
      [callStart("a", "f"), args("a", "{}")],
    ],
    [
      "an id that was used before",
      [
        { index: 0, id: "a", function: { name: "f", arguments: "{}" } },
        { index: 0, id: "b", function: { name: "f", arguments: "{}" } },
        { index: 0, id: "a", function: { name: "f", arguments: "[]" } },
      ],
      ["a", "b", "a"].flatMap((id, at) => [callStart(id, "f"), args(id, at < 2 ? "{}" : "[]")]),
    ],
  ])("are tied together with %s", (_what, calls, events) => {
    expect(transcode(stream(...calls.map(call)))).toEqual([started, ...events, finished]);
  });

  describe("with one index for all of them", () => {
    const begin = (id: string, text: string) => call({ index: 0, id, function: { name: "f", arguments: text } });
    const next = (id: string, text: string) => call({ index: 0, id, function: { arguments: text } });
    const ended = (id: string) => ({ type: "TOOL_CALL_END", toolCallId: id });
    const whole = (id: string, ...pieces: string[]) => [
      callStart(id, "f"),
      ...pieces.map((piece) => args(id, piece)),
      ended(id),
    ];
    const turns = [
      begin("a", '{"'),
      begin("b", "["),
      next("a", 'x":1'),
      next("b", "2"),
      next("a", "}"),
      next("b", "]"),
    ];

    test("that take turns get their own arguments", () => {
      const [a, b] = [args("a", '{"'), args("b", "[")];
      const rest = [args("a", 'x":1'), args("b", "2"), args("a", "}"), args("b", "]")];
      const events = [started, callStart("a", "f"), a, callStart("b", "f"), b, ...rest, finished];
      expect(transcode(stream(...turns))).toEqual(events);
    });

    // Clients of AG-UI refuse arguments after TOOL_CALL_END, and the older ones a call before the end of another.
    test("are told of one after the other where their ends are told", () => {
      const [a, b] = [whole("a", '{"', 'x":1', "}"), whole("b", "[", "2", "]")];
      expect(transcode(stream(...turns), "ag-ui-0")).toEqual([started, ...a, ...b, finished]);
      const empty = [begin("a", ""), begin("b", ""), next("b", "{}"), next("a", "[]")];
      expect(transcode(stream(...empty), "ag-ui-0")).toEqual([
        started,
        ...whole("a", "[]"),
        ...whole("b", "{}"),
        finished,
      ]);
    });

    test("are told of before anything that follows", () => {
      const broken = [...turns.slice(0, 2), { error: { message: "broken" } }];
      const told = [started, ...whole("a", '{"'), callStart("b", "f"), args("b", "[")];
      const textAfter = stream(...turns.slice(0, 2), delta({ content: "x" }));
      expect(transcode(textAfter, "ag-ui-0").slice(0, 7)).toEqual([...told, textStart]);
      const failure = { ...failed("broken"), code: "provider_error" };
      expect(transcode(stream(...broken), "ag-ui-0")).toEqual([...told, ended("b"), failure]);
    });

    test("make the run fail if one goes on after its end was told", () => {
      const late = stream(...turns.slice(0, 2), delta({ content: "x" }), ...turns.slice(2));
      const message = "The model provider continued a tool call that had ended.";
      expect(transcode(late, "ag-ui-0").at(-1)).toEqual({ ...failed(message), code: "provider_invalid" });
    });
  });

  test("that never get a name make the run fail, or are named in a warning if others have one", () => {
    const unnamed = call({ index: 0, function: { arguments: "{}" } });
    const named = call({ index: 1, id: "b", function: { name: "g" } });
    for (const profile of relayProfiles) {
      const failure = failed("The model provider sent a tool call without a name.");
      for (const one of [unnamed, call({ id: "a", type: "function" })]) {
        expect(transcode(stream(one), profile).at(-1)).toMatchObject(failure);
      }
    }
    expect(transcode(stream(unnamed, named))).toEqual([started, callStart("b", "g"), finished]);
    const warning = {
      type: "CUSTOM",
      name: "agent-backends.warning",
      value: expect.objectContaining({ code: "call_unnamed" }),
    };
    expect(transcode(stream(unnamed, named), "ag-ui")).toContainEqual(expect.objectContaining(warning));
  });

  test("that are not in a list arrive too", () => {
    const pieces = [
      { name: "f", arguments: "{" },
      { name: null, arguments: "}" },
    ];
    const calls = pieces.map((piece) => delta({ tool_calls: { index: 0, id: "", function: piece } }));
    expect(transcode(stream(...calls))).toEqual([
      started,
      callStart("id-1", "f"),
      args("id-1", "{"),
      args("id-1", "}"),
      finished,
    ]);
  });

  test("of servers from before `tool_calls` arrive too", () => {
    const pieces = [{ name: "f", arguments: "" }, { arguments: "{" }, { arguments: "}" }];
    const calls = pieces.map((piece) => delta({ function_call: piece }));
    const called = [callStart("id-1", "f"), args("id-1", "{"), args("id-1", "}")];
    expect(transcode(stream(...calls))).toEqual([started, ...called, finished]);
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
    const toolCalls = new ToolCalls(profile, { newId: () => "id", toolNames: ["f", "g"] });
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

  test.each<[string, string, object[]]>([
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
    [
      "an error field",
      `error: {"code":500,"message":"gone wrong"}\n\n${frame("[DONE]")}`,
      [started, failed("gone wrong")],
    ],
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
    ["a finish reason for a failure", one + frame(delta({}, "network_error")), [...begun, failed()]],
    ["a finish reason that is a text of null", frame(delta({ content: "a" }, "null")), [...begun, failed()]],
    ["an error of vLLM's", frame({ object: "error", message: "too long", code: 400 }), [started, failed("too long")]],
    ["an error of FastAPI's", one + frame({ detail: "too long" }), [...begun, failed("too long")]],
    ["data that is not JSON", `${one}data: <html>\n\n${stop}`, [...begun, failed()]],
    ["an event over 1 MiB", frame(delta({ content: "x".repeat(1024 * 1024) })), [started, failed()]],
  ])("with %s", (_what, bytes, events) => {
    expect(transcode(bytes.match(/[\s\S]{1,65536}/g) ?? [])).toEqual(events);
  });

  test("an error that is null or absent is ignored", () => {
    expect(transcode([frame({ error: null, ...delta({ content: "a" }) }) + stop])).toEqual([
      ...begun,
      textEnd,
      finished,
    ]);
  });
});
