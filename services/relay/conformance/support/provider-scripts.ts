import fc from "fast-check";

const word = fc.oneof(
  fc.constantFrom("", "a", " b", "{}", '{"x":', "1}", "[DONE]", "data: x\n\n", "\r\n", "\u2028"),
  fc.string({ unit: "binary", maxLength: 5 }),
);
const sometimes = <Value>(value: fc.Arbitrary<Value>) => fc.oneof(value, value, fc.constantFrom(null, undefined));

const part = fc.oneof(
  fc.record({ type: fc.constant("text"), text: word }),
  fc.record({
    type: fc.constant("thinking"),
    thinking: fc.array(fc.record({ type: fc.constant("text"), text: word })),
  }),
  fc.constant({ type: "image_url", image_url: { url: "" } }),
  word,
);

const extra = fc.constantFrom({ google: { thought_signature: "s" } }, {}, null, "s");
const details = fc.array(
  fc.record(
    {
      type: fc.constantFrom("reasoning.text", "reasoning.summary", "reasoning.encrypted", null),
      index: fc.constantFrom(0, 1, null),
      text: word,
      data: word,
    },
    { requiredKeys: [] },
  ),
  { maxLength: 2 },
);

const call = fc.record(
  {
    extra_content: extra,
    index: fc.constantFrom(0, 1, 2, null),
    id: fc.constantFrom("a", "b", "c", "", null),
    type: fc.constantFrom("function", null),
    function: fc.record(
      { name: fc.constantFrom("f", "get_", "weather", "", null), arguments: fc.oneof(word, fc.constant({ x: 1 })) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const delta = fc.oneof(
  { weight: 5, arbitrary: fc.record({ content: word }) },
  { weight: 3, arbitrary: fc.record({ reasoning_content: word }) },
  { weight: 2, arbitrary: fc.record({ reasoning: word, content: fc.constantFrom("", null) }) },
  { weight: 2, arbitrary: fc.record({ reasoning: word, reasoning_details: details }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.record({ content: word, extra_content: extra }) },
  { weight: 5, arbitrary: fc.record({ tool_calls: fc.array(call, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ refusal: sometimes(word) }) },
  { weight: 1, arbitrary: fc.record({ role: fc.constant("assistant"), content: fc.array(part, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.constantFrom({}, null, undefined, "text") },
  {
    weight: 2,
    arbitrary: fc.record(
      { content: sometimes(word), reasoning: sometimes(word), refusal: word, tool_calls: fc.array(call) },
      { requiredKeys: [] },
    ),
  },
);

const choice = fc.record(
  {
    index: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(1, null) }),
    delta,
    logprobs: sometimes(fc.jsonValue({ maxDepth: 2 })),
    finish_reason: fc.oneof(
      { weight: 12, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom("stop", "tool_calls", "length", "content_filter", "function_call", "") },
    ),
  },
  { requiredKeys: ["delta"] },
);

const usage = fc.oneof(
  fc.record({ prompt_tokens: fc.nat(99), completion_tokens: fc.nat(99), total_tokens: fc.nat(99) }),
  fc.constantFrom(
    null,
    { prompt_tokens: -1, completion_tokens: 0.5 },
    {},
    { completion_tokens_details: null },
    [],
    "7",
  ),
);

const chunk = fc.record(
  {
    id: word,
    object: fc.constant("chat.completion.chunk"),
    created: fc.nat(),
    model: fc.constantFrom("m", ""),
    system_fingerprint: sometimes(fc.constantFrom("fp_1", "fp_2")),
    choices: fc.oneof(
      { weight: 12, arbitrary: fc.tuple(choice) },
      { weight: 1, arbitrary: fc.array(choice, { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.constantFrom(null, undefined, {}) },
    ),
    usage,
    obfuscation: word,
  },
  { requiredKeys: ["choices"] },
);

const failure = fc.constantFrom(
  { error: { message: "Overloaded", code: 529 } },
  { error: "overloaded" },
  { error: {}, choices: [] },
  { object: "error", message: "too long" },
  { choices: [{ index: 0, delta: {}, finish_reason: "error", error: { message: "filtered" } }] },
);

interface Frame {
  data: string;
  before: string;
  space: string;
}

const frame: fc.Arbitrary<Frame> = fc.record({
  data: fc.oneof(
    { weight: 40, arbitrary: chunk.map((json) => JSON.stringify(json)) },
    { weight: 3, arbitrary: chunk.map((json) => JSON.stringify(json, null, 1)) },
    { weight: 1, arbitrary: failure.map((json) => JSON.stringify(json)) },
    { weight: 1, arbitrary: fc.constantFrom("[DONE]", "null", "7", "<html>", '{"choices":') },
  ),
  before: fc.oneof(
    { weight: 30, arbitrary: fc.constant("") },
    {
      weight: 5,
      arbitrary: fc.constantFrom(": ping\n", ": ping\n\n", "id: 1\nretry: 5\n", "event: message\n", "\n\n"),
    },
    { weight: 1, arbitrary: fc.constant("event: error\n") },
  ),
  space: fc.constantFrom(" ", " ", " ", ""),
});

/** A position in a text, as a fraction of its length. */
const place = fc.integer({ min: 1, max: 9_999 }).map((part) => part / 10_000);

/** A provider's response, possibly malformed, and how it arrives. */
export interface ProviderScript {
  bytes: Buffer;
  /** The same bytes in pieces. */
  pieces: Buffer[];
}

/** Any response of a provider: valid or not, complete or truncated, with any legal framing, in any pieces. */
export const providerScript: fc.Arbitrary<ProviderScript> = fc
  .record({
    frames: fc.array(frame, { maxLength: 14 }),
    end: fc.constantFrom("finish", "done", "both", "nothing"),
    lineEnd: fc.constantFrom("\n", "\n", "\r\n", "\r"),
    cutAt: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: place }),
    pieceEnds: fc.array(place, { maxLength: 12 }),
  })
  .map(({ frames, end, lineEnd, cutAt, pieceEnds }) => {
    const finish = JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
    const last = { finish: [finish], done: ["[DONE]"], both: [finish, "[DONE]"], nothing: [] }[end];
    const all = [...frames, ...last.map((data): Frame => ({ data, before: "", space: " " }))];
    const text = all
      .map(({ data, before, space }) => `${before}data:${space}${data.replaceAll("\n", `\ndata:${space}`)}\n\n`)
      .join("")
      .replaceAll("\n", lineEnd);
    const whole = Buffer.from(text);
    const bytes = cutAt === null ? whole : whole.subarray(0, Math.floor(cutAt * whole.length));
    const ends = [0, ...pieceEnds.map((at) => Math.floor(at * bytes.length)).sort((a, b) => a - b), bytes.length];
    const pieces = ends.slice(1).map((to, index) => bytes.subarray(ends[index], to));
    return { bytes, pieces: pieces.filter(({ length }) => length > 0) };
  });
