import type { RelayProfile } from "@agent-backends/contract";
import { relayProfiles } from "@agent-backends/contract";
import { EventBuffer } from "@agent-backends/kit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toStreamErrorFailure } from "../failures.ts";
import type { FrameLessons } from "../transcoder.ts";
import { Transcoder } from "../transcoder.ts";
import { findNumberEnd, findStringEnd, findValueEnd } from "./json-bytes.ts";

/** Clients in Python split lines at these too. */
const lineSeparators = /[\u0085\u2028\u2029]/;
const findLineEnd = (bytes: Buffer) => (bytes.includes("\r\n") ? "\r\n" : "\n");

/** The events of a stream, and how many of its frames were recognised without being parsed. */
function transcode(pieces: readonly Buffer[], name: RelayProfile, parseAll = false, lessons: FrameLessons = {}) {
  const events = new EventBuffer();
  const counts = { recognised: 0, parsed: 0 };
  let ids = 0;
  const newId = () => `id-${++ids}`;
  const transcoder = new Transcoder({
    profile: name,
    identity: { threadId: "t", runId: "r", messageId: "m" },
    model: { origin: "o", vendor: undefined },
    events,
    toolNames: [],
    newId,
    describeError: (error) => toStreamErrorFailure(error, []),
    frames: counts,
    lessons,
  });
  transcoder.start();
  for (const piece of pieces) transcoder.push(piece);
  transcoder.end();
  const text = events.take().toString("utf8");
  expect(text).not.toMatch(lineSeparators);
  const sent = text.split("\n\n").slice(0, -1);
  if (parseAll) expect(counts.recognised).toBe(0);
  return { events: sent.map((frame) => JSON.parse(frame.slice(6)) as object), ...counts };
}

/** The same stream in a form that no shortcut is taken for: an `event` field before each frame. */
function unrecognisable(bytes: Buffer): Buffer {
  const lineEnd = findLineEnd(bytes);
  const frames = bytes.toString("latin1").split(lineEnd + lineEnd);
  const named = frames.map((frame) => (frame === "" ? "" : `event: chunk${lineEnd}${frame}`));
  return Buffer.from(named.join(lineEnd + lineEnd), "latin1");
}

function expectSame(bytes: Buffer, pieces: readonly Buffer[] = [bytes], shared?: FrameLessons): number {
  let recognised = 0;
  for (const profile of relayProfiles) {
    const parsed = transcode([unrecognisable(bytes)], profile, true).events;
    const lessons = shared ?? {};
    const quick = transcode(pieces, profile, false, lessons);
    expect(quick.events).toEqual(parsed);
    expect(transcode(pieces, profile, false, lessons).events).toEqual(parsed);
    recognised = quick.recognised;
  }
  return recognised;
}

const chunk = (delta: object, more: object = {}, choice: object = {}) => ({
  id: "c-1",
  object: "chat.completion.chunk",
  created: 1_700_000_000,
  choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...choice }],
  ...more,
});
const data = (json: unknown) => `data: ${typeof json === "string" ? json : JSON.stringify(json)}`;
const stream = (frames: readonly (string | object)[], lineEnd = "\n") =>
  Buffer.from(
    [...frames.map(data), data(chunk({}, {}, { finish_reason: "stop" })), "data: [DONE]", ""].join(lineEnd + lineEnd),
  );
type Fields = (index: number) => object;
const none: Fields = () => ({});
const texts = (count: number, more: Fields = none, choice: Fields = none, delta: Fields = none) =>
  Array.from({ length: count }, (_, n) => chunk({ content: ` word${n}`, ...delta(n) }, more(n), choice(n)));

test("what one run has learned serves the next, whatever its id and time", () => {
  const run = (n: number) => stream(texts(20, () => ({ id: `run-${n}`, created: 1_700_000_000 + n })));
  const lessons = {};
  for (const n of [1, 2]) transcode([run(n)], "contract", false, lessons);
  expect(transcode([run(3)], "contract", false, lessons)).toMatchObject({ recognised: 20, parsed: 2 });
});

describe("a run gets the same events whatever earlier runs have brought: an answer whose first frame has", () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
  test.each<[string, object]>([
    ["an image", { images: [image] }],
    ["audio", { audio: { id: "a", data: "AA==" } }],
    ["a transcript", { audio: { transcript: "hi" } }],
    ["a signature", { extra_content: { google: { thought_signature: "s" } } }],
    ["details with a signature", { reasoning_details: [{ type: "reasoning.encrypted", data: "s" }] }],
    ["reasoning", { reasoning_content: "hm" }],
    ["reasoning in blocks", { thinking_blocks: [{ type: "thinking", thinking: "hm" }] }],
    ["a refusal", { refusal: "no" }],
    ["a tool call", { tool_calls: [{ index: 0, id: "x", function: { name: "f", arguments: "{}" } }] }],
  ])("%s beside its text", (_what, more) => {
    const lessons: FrameLessons = {};
    const runs = [[chunk({ content: "Here:", ...more })], texts(3), [chunk({ content: "Here:", ...more })]].map(
      (frames) => stream(frames),
    );
    for (const bytes of [...runs, ...runs]) {
      for (const profile of relayProfiles) {
        expect(transcode([bytes], profile, false, lessons).events).toEqual(
          transcode([unrecognisable(bytes)], profile, true).events,
        );
      }
    }
  });
});

describe("a provider's frames are recognised without parsing", () => {
  test.each<[string, Buffer]>([
    ["of text", stream(texts(50))],
    ["with CRLF line ends", stream(texts(50), "\r\n")],
    ["with padding of random length", stream(texts(50, (n) => ({ obfuscation: "xyzzy".repeat(n % 5) })))],
    ["with another id in each", stream(texts(50, (n) => ({ id: `c-${n * 7919}` })))],
    ["with the time in each", stream(texts(50, (n) => ({ created: 1_700_000_000 + n, x: -n / 8 })))],
    [
      "with all of these",
      stream(texts(50, (n) => ({ id: `c-${n * 7919}`, created: 1_700_000_000 + n, obfuscation: "xyz".repeat(n % 9) }))),
    ],
    ["with usage that is null", stream(texts(50, () => ({ usage: null })))],
    [
      "with the usage so far",
      stream(
        texts(50, (n) => ({ model: "m", usage: { prompt_tokens: 9, completion_tokens: n, total_tokens: n + 9 } })),
      ),
    ],
    ["with usage now and then", stream(texts(50, (n) => ({ usage: n % 3 ? null : { prompt_tokens: n } })).reverse())],
    ["with a fingerprint now and then", stream(texts(50, (n) => ({ system_fingerprint: n % 2 ? "fp" : null })))],
    ["with objects that nobody reads", stream(texts(50, (n) => ({ timings: { at: [n, { ms: n / 3 }] }, x: [] })))],
    [
      "with logprobs",
      stream(texts(50, none, (n) => ({ logprobs: { content: [{ token: `w${n}`, logprob: -n, bytes: [n] }] } }))),
    ],
    [
      "with details beside the text",
      stream(texts(50, none, none, (n) => ({ details: [{ type: "text", text: `${n}` }] }))),
    ],
    ["beside empty reasoning", stream(texts(50, none, none, () => ({ reasoning: null, reasoning_details: [] })))],
    [
      "with spaces, as Python writes them",
      Buffer.from(
        stream(texts(50, (n) => ({ id: `c-${n}`, usage: { a: n } })))
          .toString()
          .replaceAll(/([,:])(?=["{[\d])/g, "$1 "),
      ),
    ],
    [
      "of reasoning",
      stream(Array.from({ length: 50 }, (_, n) => chunk({ content: null, reasoning_content: `r${n}` }))),
    ],
    [
      "of reasoning that is sent twice",
      stream(
        Array.from({ length: 50 }, (_, n) =>
          chunk({ reasoning_content: `r${n}`, thinking_blocks: [{ type: "thinking", thinking: `r${n}` }] }),
        ),
      ),
    ],
    [
      "of a tool call's arguments",
      stream([
        chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "" } }] }),
        ...Array.from({ length: 50 }, (_, n) =>
          chunk({ tool_calls: [{ index: 0, function: { arguments: `"${n}",` } }] }),
        ),
      ]),
    ],
  ])("%s", (_what, bytes) => {
    expect(expectSame(bytes)).toBeGreaterThan(40);
  });

  test("and the text is relayed unchanged", () => {
    const contents = ['"\\/\\b\\f\\n\\r\\t', "\\u00e9\\uD83c\\udf89\\ud800", "zürich 速い – 🎉 \u0084", "\\\\"];
    const frames = contents.map((literal) =>
      JSON.stringify(chunk({ content: "@" })).replace("@", literal.slice(literal[0] === '"' ? 1 : 0)),
    );
    expect(expectSame(stream([chunk({ content: "first" }), ...frames]))).toBe(contents.length);
  });
});

describe("a frame is parsed, though it looks like the one before, when it", () => {
  const literal = (content: string) => JSON.stringify(chunk({ content: "@" })).replace("@", content);
  test.each<[string, string | object]>([
    ["has a raw control character in its text", literal("a\tb")],
    ["has a line separator of Unicode in its text", literal("a\u2028")],
    ["has a paragraph separator of Unicode in its text", literal("a\u2029")],
    ["has a next-line character in its text", literal("a\u0085")],
    ["has an unknown escape", literal("a\\x")],
    ["has half an escape", literal("\\u12")],
    ["is an error", { error: { message: "broken" } }],
    ["has an error beside its text", chunk({ content: "a" }, { error: { message: "broken" } })],
    ["has a finish reason", chunk({ content: "a" }, {}, { finish_reason: "stop" })],
    ["belongs to another choice", chunk({ content: "a" }, {}, { index: 1 })],
    ["has a role", chunk({ role: "assistant", content: "a" })],
    ["has a tool call", chunk({ content: "a", tool_calls: [{ index: 0, id: "x", function: { name: "f" } }] })],
    ["has a refusal", chunk({ content: "a", refusal: "no" })],
    ["has usage, unlike the others", chunk({ content: "a" }, { usage: { prompt_tokens: 1 } })],
    ["has no text", chunk({ content: "" })],
    [
      "is the whole answer",
      { choices: [{ index: 0, message: { content: "word0 word1 word2" }, finish_reason: null }] },
    ],
    ["is an error object", chunk({ content: "a" }, { object: "error", message: "broken" })],
    [
      "names its text twice",
      JSON.stringify(chunk({ content: "a" })).replace('"content":"a"', '"content":"a","content":"b"'),
    ],
    ["names its text in escapes", JSON.stringify(chunk({ content: "a" })).replace('"content"', '"cont\\u0065nt"')],
    ["is cut", JSON.stringify(chunk({ content: "a" })).slice(0, -1)],
    ["has more behind it", `${JSON.stringify(chunk({ content: "a" }))}}`],
  ])("%s", (_what, frame) => {
    const lessons = texts(3, (n) => ({ id: `c-${n}` }));
    expect(expectSame(stream([...lessons, frame, ...texts(2)]))).toBeLessThanOrEqual(3);
  });

  test("is not UTF-8: what stands for the wrong bytes is relayed", () => {
    const wrong = [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80]];
    for (const bytes of wrong) {
      const [before = "", after = ""] = stream([chunk({ content: "a" }), chunk({ content: "@" })])
        .toString()
        .split("@");
      const all = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
      expect(expectSame(all)).toBe(0);
      expect(JSON.stringify(transcode([all], "contract").events)).toContain("\ufffd");
    }
  });

  test("is over the bound", () => {
    const large = chunk({ content: "x".repeat(1024 * 1024) });
    expect(expectSame(stream([...texts(2), large]))).toBe(1);
  });
});

test("any mixture of frames in any pieces gives what parsing each of them gives", () => {
  const word = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.string({ unit: "binary", maxLength: 4 }),
    fc.constantFrom("", " a", '"\\'),
  );
  const call = fc.record(
    {
      index: fc.constantFrom(0, 1),
      id: fc.constantFrom("a", "b", ""),
      function: fc.record({ name: fc.constantFrom("f", ""), arguments: word }, { requiredKeys: [] }),
    },
    { requiredKeys: ["index", "function"] },
  );
  const delta = fc.oneof(
    { weight: 6, arbitrary: fc.record({ content: word }) },
    { weight: 2, arbitrary: fc.record({ content: fc.constant(null), reasoning_content: word }) },
    {
      weight: 2,
      arbitrary: fc.record(
        {
          reasoning: word,
          reasoning_content: fc.oneof(word, fc.record({ text: word })),
          reasoning_text: word,
          thinking_blocks: fc.array(fc.record({ thinking: word }), { maxLength: 2 }),
        },
        { requiredKeys: ["reasoning"] },
      ),
    },
    { weight: 3, arbitrary: fc.record({ tool_calls: fc.array(call, { minLength: 1, maxLength: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ content: word, reasoning: word, refusal: word }) },
    {
      weight: 1,
      arbitrary: fc.record({ content: word, images: fc.constantFrom([], [{}]), audio: fc.constantFrom(null, {}) }),
    },
  );
  const more = fc.record(
    {
      id: word,
      created: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
      obfuscation: word,
    },
    { requiredKeys: [] },
  );
  const any = fc.oneof(fc.constant(null), fc.constant({ prompt_tokens: 1 }), fc.jsonValue({ maxDepth: 3 }));
  const nested = fc.record({ usage: any, system_fingerprint: any, x: any }, { requiredKeys: [] });
  const choice = fc.record({ logprobs: any }, { requiredKeys: [] });
  const frame = fc
    .tuple(delta, more, nested, choice)
    .map(([fields, top, deeper, inChoice]) => chunk(fields, { ...top, ...deeper }, inChoice));
  const cuts = fc.array(fc.nat(10_000), { maxLength: 30 });
  const earlier = fc.array(frame, { maxLength: 3 });
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 30 }),
      fc.constantFrom("\n", "\r\n"),
      cuts,
      earlier,
      (frames, lineEnd, at, before) => {
        const lessons: FrameLessons = {};
        transcode([stream(before, lineEnd)], "contract", false, lessons);
        const bytes = stream(frames, lineEnd);
        const ends = [0, ...at.map((cut) => cut % bytes.length).sort((one, other) => one - other), bytes.length];
        const pieces = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
        expectSame(bytes, pieces, lessons);
      },
    ),
    { numRuns: 150 },
  );
});

test("any change of one byte gives what parsing gives", () => {
  const original = stream(texts(4, (n) => ({ id: `c-${n}` })));
  fc.assert(
    fc.property(
      fc.nat(original.length - 1),
      fc.constantFrom(...Buffer.from('"\\{}[],:0a \x01\x80\xc3', "latin1")),
      (at, byte) => {
        const bytes = Buffer.from(original);
        // A changed line end is another stream for the comparison too.
        fc.pre(bytes[at] !== 0x0a && bytes[at + 1] !== 0x0a && bytes[at - 1] !== 0x0a && at > 5);
        fc.pre(!bytes.subarray(Math.max(0, at - 6), at + 6).includes("data:"));
        bytes[at] = byte;
        expectSame(bytes);
      },
    ),
    { numRuns: 500 },
  );
});

test("a frame is recognised only if its unread values are valid JSON", () => {
  const value = fc.jsonValue({ maxDepth: 5 }).map((json) => JSON.stringify(json));
  fc.assert(
    fc.property(value, fc.nat(), fc.constantFrom(...'"\\{}[],:0-etn \t\n\r', "\u0001"), (json, nth, wrong) => {
      const whole = Buffer.from(`${json},`);
      expect(findValueEnd(whole, 0, whole.length)).toBe(whole.length - 1);
      const at = nth % json.length;
      const changed = json.slice(0, at) + wrong + json.slice(at + 1);
      const end = findValueEnd(Buffer.from(`${changed},`), 0, Buffer.byteLength(changed) + 1);
      if (end >= 0) expect(() => JSON.parse(Buffer.from(changed).toString("utf8", 0, end))).not.toThrow();
      const cut = Buffer.from(json).subarray(0, at);
      const cutEnd = findValueEnd(cut, 0, cut.length);
      if (cutEnd >= 0) expect(() => JSON.parse(cut.toString("utf8", 0, cutEnd))).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
  const deep = Buffer.from("[".repeat(100_000) + "]".repeat(100_000));
  expect(findValueEnd(deep, 0, deep.length)).toBe(-1);
});

test("the end of strings and numbers is where JSON has it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.double({ noNaN: true, noDefaultInfinity: true }), (text, number) => {
      const string = Buffer.from(`${JSON.stringify(text)},`);
      expect(findStringEnd(string, 1, string.length)).toBe(lineSeparators.test(text) ? -1 : string.length - 2);
      expect(findStringEnd(string, 1, string.length - 2)).toBe(-1);
      const digits = Buffer.from(`${JSON.stringify(number)},`);
      expect(findNumberEnd(digits, 0, digits.length)).toBe(digits.length - 1);
    }),
  );
  for (const wrong of ["-", "01", "1.", ".5", "1e", "1e+", "+1", "x", ""]) {
    const at = findNumberEnd(Buffer.from(`${wrong},`), 0, wrong.length + 1);
    expect([wrong, at === wrong.length]).toEqual([wrong, false]);
  }
});
