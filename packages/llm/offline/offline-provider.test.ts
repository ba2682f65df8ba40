import { afterAll, describe, expect, it } from "vitest";
import { startOfflineProvider } from "./start-offline-provider.ts";

const provider = await startOfflineProvider({ now: () => 1_700_000_000_000 });
afterAll(() => provider.close());

const post = (path: string, body: unknown) =>
  fetch(`${provider.baseUrl}${path}`, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });

const ask = async (messages: object[], more: object = {}) => {
  const response = await post("/chat/completions", { model: "small", messages, ...more });
  return JSON.parse(await response.text()).choices[0];
};

const user = (content: string) => ({ role: "user", content });
const functionTool = (name: string, description: string, parameters: object) => ({
  type: "function",
  function: { name, description, parameters },
});
const searchTool = functionTool("find_chunks", "Searches the knowledge base", {
  type: "object",
  properties: { max_results: { type: "integer", minimum: 3 }, query: { type: "string" } },
  required: ["query", "max_results"],
});
const found = (question: string, results: object[], query?: string) => [
  user(question),
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c", type: "function", function: { name: "s", arguments: JSON.stringify({ query }) } }],
  },
  { role: "tool", tool_call_id: "c", content: JSON.stringify({ results }) },
];

describe("the offline provider's chat", () => {
  it("says what it is, and how to plug in a real model", async () => {
    const { message, finish_reason: reason } = await ask([user("Hello there")]);
    expect(message.content).toMatch(/^Hello! I am the offline provider/);
    expect(message.content).toContain("LLM_API_KEY");
    expect(message.content).toContain("LLM_BASE_URL");
    expect(reason).toBe("stop");
    expect((await ask([user("Why is the sky blue?")])).message.content).toMatch(/^I can't answer that by myself/);
  });

  it.each([
    ["when should I launch?", /^- Timing: launch on weekdays\.\n\nI am the offline provider/],
    ["tips for my launch", /^- Timing: .*\n- People: .*\n- Page: .*\n\nI am/],
    ["Wen soll ich um Feedback bitten?", /^- People: ask friends of the launch for feedback\.\n\nI am/],
    ["Hello, what can you do?", /^Hello! I can show launches\.\n\nI am/],
  ])("gives the advice in the prompt that %j is about, else says what can be done", async (question, expected) => {
    const points = [
      "- Timing: launch on weekdays.",
      "- People: ask friends of the launch for feedback.",
      "- Page: launch with a picture.",
    ];
    const system = `<advice>\n${points.join("\n")}\n</advice>\nElse <abilities>show launches</abilities>.`;
    const { message } = await ask([{ role: "system", content: system }, user(question)]);
    expect(message.content).toMatch(expected);
  });

  it("searches first if it has a search tool, with the question in the schema's parameter", async () => {
    const { message, finish_reason: reason } = await ask([user("How old is the duck?")], { tools: [searchTool] });
    expect(reason).toBe("tool_calls");
    expect(message.tool_calls[0].function.name).toBe("find_chunks");
    expect(JSON.parse(message.tool_calls[0].function.arguments)).toEqual({
      query: "How old is the duck?",
      max_results: 3,
    });
  });

  it("answers a follow-up with the topic of the search, and repeats nothing", async () => {
    const results = [
      { n: 1, content: "# Basic plan\n\nThe Basic plan is made for one person. It costs 9 euros a month." },
      { n: 2, content: "# Pro plan\n\nThe Pro plan is made for teams. It costs 49 euros a month." },
    ];
    const { message } = await ask([
      user("What is the Pro plan?"),
      { role: "assistant", content: "The Pro plan is made for teams. [2]" },
      ...found("And how much is it?", results, "And how much is it? (What is the Pro plan?)"),
    ]);
    expect(message.content).toMatch(/^It costs 49 euros a month\. \[2\]/);
    expect(message.content).not.toContain("teams");
  });

  it("does not answer a follow-up on a new topic from the old one", async () => {
    const results = [{ n: 1, content: "The Pro plan is made for teams." }];
    const asked = found("And the weather there?", results, "And the weather there? (What is the Pro plan?)");
    const { message } = await ask([user("What is the Pro plan?"), ...asked]);
    expect(message.content).toBe("[0] The documents do not answer this question.");
  });

  it("says in the question's language that there are no documents", async () => {
    const call = { id: "c", type: "function", function: { name: "s", arguments: "{}" } };
    const results = JSON.stringify({ results: [], documents: 0 });
    const { message } = await ask([
      user("Wann werden die Erstattungen gezahlt?"),
      { role: "assistant", content: "", tool_calls: [call] },
      { role: "tool", tool_call_id: "c", content: results },
    ]);
    expect(message.content).toMatch(/^\[0\] In dieser Wissensbasis sind noch keine Dokumente/);
  });

  it("refuses words without a language in that of the conversation", async () => {
    const refused = async (earlier: string) => (await ask([user(earlier), ...found("Ok!", [])])).message.content;
    expect(await refused("Wann werden die Erstattungen gezahlt?")).toMatch(/^\[0\] Die Dokumente/);
    expect(await refused("When are the refunds paid?")).toMatch(/^\[0\] The documents/);
  });

  it.each([".", "-", " ", "\u00a0"])(
    "reads the beginning of a question that goes on with 200,000 times “%s”",
    async (filler) => {
      const question = `When are refunds paid?${filler.repeat(200_000)}x`;
      const { message } = await ask(
        found(question, [{ number: 1, content: "Refunds are paid within 30 days." }], question),
      );
      expect(message.content).toContain("30 days");
    },
  );

  it.each([
    ["Hallo!", "", "[0] Ich beantworte Fragen"],
    ["Danke dir", "Was kostet der Versand?", "[0] Ich beantworte Fragen"],
    ["Hi, danke!", "", "[0] Ich beantworte Fragen"],
    ["Ok, thanks a lot :)", "", "[0] I answer questions"],
    ["Hi", "Combien coûte la livraison ?", "[0] Je réponds"],
    ["谢谢!", "", "[0] 我回答"],
  ])(
    "answers the greeting or thanks %j after %j with what it can do, and quotes no document",
    async (text, before, answer) => {
      const results = [{ n: 1, content: "Hallo, der Wartungstermin ist am 24. November. Danke und Gruß, thanks, hi!" }];
      const earlier = before === "" ? [] : [user(before), { role: "assistant", content: "[0] -" }];
      const { message } = await ask([...earlier, ...found(text, results)]);
      expect(message.content.slice(0, answer.length)).toBe(answer);
      expect(message.content).not.toContain("[1]");
    },
  );

  it("takes no question for a greeting", async () => {
    const results = [{ n: 1, content: "Der Wartungstermin ist am 24. November." }];
    const { message } = await ask(found("Hallo, wann ist der Wartungstermin?", results));
    expect(message.content).toContain("24. November");
  });

  it.each([
    ["Preis Sidamo", "Die Kündigungsfrist ist im Vertrag und nicht in der Liste.", "[0] Die Dokumente"],
    ["Was steht in Ziffer 1.2?", "The deposit is paid by the tenant.", "[0] Die Dokumente"],
  ])("refuses %j in its language, or that of the documents", async (question, content, refusal) => {
    const { message } = await ask(found(question, [{ n: 1, content }]));
    expect(message.content.slice(0, refusal.length)).toBe(refusal);
  });

  it("searches again for the next question of the same conversation", async () => {
    const before = found("How old is the duck?", [{ n: 1, content: "The duck is nine." }]);
    const next = await ask([...before, { role: "assistant", content: "Nine [1]" }, user("And the goose?")], {
      tools: [searchTool],
    });
    expect(JSON.parse(next.message.tool_calls[0].function.arguments).query).toBe("And the goose?");
  });

  it("names tools that are not for searching, but does not call them", async () => {
    const weather = functionTool("get_weather", "The weather of a city", { type: "object", properties: {} });
    const { message } = await ask([user("Hello")], { tools: [weather] });
    expect(message.tool_calls).toBeUndefined();
    expect(message.content).toContain("get_weather");
  });

  it("calls no tool if tool_choice is none", async () => {
    const { message } = await ask([user("Hello")], { tools: [searchTool], tool_choice: "none" });
    expect(message.tool_calls).toBeUndefined();
  });

  it("answers with the best matching sentences, marked with their chunks' numbers", async () => {
    const { message } = await ask(
      found("How many vacation days do employees get?", [
        { n: 3, title: "Travel", source: "text:0", content: "Trips are booked by the office. Trains are preferred." },
        {
          n: 7,
          title: "Handbook",
          source: "file:handbook.md",
          content: "# Leave\nWe care [12]. Every employee gets 27 vacation days. Unused days expire in March.",
        },
      ]),
    );
    expect(message.content).toContain("Every employee gets 27 vacation days. [7]");
    expect(message.content).toContain("[7] Handbook (file:handbook.md)");
    expect(message.content).not.toMatch(/\[3\]|\[12\]|Trips/);
  });

  it("combines chunks when each holds a part of the answer", async () => {
    const { message } = await ask(
      found("Who founded the harbour museum and when did the lighthouse burn?", [
        { n: 1, content: "The harbour museum was founded by Ada Brandt." },
        { n: 2, content: "The lighthouse burned down in 1911. It was red." },
      ]),
    );
    expect(message.content).toContain("The harbour museum was founded by Ada Brandt. [1]");
    expect(message.content).toContain("The lighthouse burned down in 1911. [2]");
  });

  it.each([
    [
      "German",
      "Wie hoch ist der Turm?",
      "Der Turm ist 80 Meter hoch. Die Brücke ist alt.",
      "Der Turm ist 80 Meter hoch.",
    ],
    ["Chinese", "员工每年有多少天年假?", "办公室在上海。员工每年享有二十天年假。", "员工每年享有二十天年假。"],
    [
      "Japanese",
      "図書館は何時に閉まりますか?",
      "図書館は午後八時に閉まります。庭は広いです。",
      "図書館は午後八時に閉まります。",
    ],
    [
      "Russian",
      "Когда открывается музей?",
      "Парк большой. Музей открывается в девять часов.",
      "Музей открывается в девять часов.",
    ],
    ["Arabic", "متى يفتح المتحف؟", "الحديقة كبيرة. يفتح المتحف في التاسعة.", "يفتح المتحف في التاسعة."],
  ])("answers in %s", async (_language, question, content, sentence) => {
    expect((await ask(found(question, [{ n: 1, content }]))).message.content).toContain(`${sentence} [1]`);
  });

  it.each([
    ["nothing was found", []],
    ["nothing that was found matches", [{ n: 1, content: "Ducks quack in the pond. They are loud." }]],
    ["only little words match", [{ n: 1, content: "What is there is what the others have." }]],
  ])("says plainly that the documents do not answer when %s", async (_case, results) => {
    const { message } = await ask(found("What is the boiling point of water?", results));
    expect(message.content).toBe("[0] The documents do not answer this question.");
  });

  it("reads results without numbers by position, and plain text as one result", async () => {
    const byPosition = await ask(
      found("duck age", [{ content: "Geese fly." }, { content: "The duck's age is nine." }]),
    );
    expect(byPosition.message.content).toContain("The duck's age is nine. [2]");
    const plain = [
      user("duck age"),
      { role: "tool", tool_call_id: "c", content: "Geese fly. The duck's age is nine." },
    ];
    expect((await ask(plain)).message.content).toContain("The duck's age is nine. [1]");
  });

  it("summarises the launches of a payload, with no number that is not in it", async () => {
    const posts = [
      { name: "Beta", tagline: "Second", votesCount: 310 },
      { name: "Alpha", tagline: "Does things.", votesCount: 512 },
      { name: "Gamma", tagline: "Third", votesCount: 97 },
      { name: "Delta", tagline: "Fourth", votesCount: 12 },
    ];
    const payload = {
      action: "top_timeframe",
      timeframe: { label: "yesterday" },
      posts,
      note: "This is sample data",
    };
    const { message } = await ask([
      { role: "system", content: `You analyse launches.\n<payload>${JSON.stringify(payload)}</payload>\nBe brief.` },
      user("What won yesterday?"),
    ]);
    expect(message.content).toBe(
      'Of these 4 launches of yesterday, Alpha leads with 512 votes ("Does things"). Next: Beta (310 votes) and Gamma (97 votes). This is sample data.',
    );
  });

  it.each([
    ["since 2026-11-16", "There is one launch since 2026-11-16: Alpha."],
    ["from:2026-11-01 to:2026-11-05", "There is one launch from 2026-11-01 to 2026-11-05: Alpha."],
    ["last 7 days", "There is one launch of the last 7 days: Alpha."],
  ])("names the time of launches in plain words: %s", async (label, words) => {
    const payload = { action: "top_timeframe", timeframe: { label }, posts: [{ name: "Alpha" }] };
    const content = `<payload>${JSON.stringify(payload)}</payload>`;
    expect((await ask([{ role: "system", content }, user("What won?")])).message.content).toBe(words);
  });

  it("says so when no launches come after those that were shown", async () => {
    const content = `<payload>${JSON.stringify({ timeframe: { label: "today" }, posts: [], offset: 5 })}</payload>`;
    const { message } = await ask([{ role: "system", content }, user("more")]);
    expect(message.content).toBe("There are no more launches to show of today.");
  });

  it("says so when a payload has no launches, and repeats its note", async () => {
    const payload = { action: "search", query: "zzz", hits: [], note: "The index could not be reached" };
    const { message } = await ask([
      { role: "system", content: `<payload>${JSON.stringify(payload)}</payload>` },
      user("zzz"),
    ]);
    expect(message.content).toBe('There are no launches to show for "zzz". The index could not be reached.');
  });

  it("streams word-sized deltas that are exactly the whole answer, and counts usage when asked", async () => {
    const request = { model: "small", messages: [user("Hello")] };
    const whole = JSON.parse(await (await post("/chat/completions", request)).text());
    const streamed = await post("/chat/completions", {
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(streamed.headers.get("content-type")).toContain("text/event-stream");
    const frames = (await streamed.text())
      .trim()
      .split("\n\n")
      .map((frame) => frame.slice("data: ".length));
    expect(frames.pop()).toBe("[DONE]");
    const chunks = frames.map((frame) => JSON.parse(frame));
    const usage = chunks.pop();
    expect(usage).toMatchObject({ choices: [], usage: whole.usage });
    expect(whole.usage.total_tokens).toBe(whole.usage.prompt_tokens + whole.usage.completion_tokens);
    const deltas = chunks.map((chunk) => chunk.choices[0].delta.content ?? "");
    expect(deltas.join("")).toBe(whole.choices[0].message.content);
    expect(deltas.every((delta) => delta.trim().split(/\s+/).length === 1)).toBe(true);
    expect(chunks.at(-1).choices[0].finish_reason).toBe("stop");
    expect(chunks.every((chunk) => chunk.model === "small" && chunk.object === "chat.completion.chunk")).toBe(true);
  });

  it("streams a tool call in pieces that join to its arguments", async () => {
    const body = { model: "small", messages: [user("two words")], tools: [searchTool], stream: true };
    const frames = (await (await post("/chat/completions", body)).text()).trim().split("\n\n").slice(0, -1);
    const choices = frames.map((frame) => JSON.parse(frame.slice("data: ".length)).choices[0]);
    const calls = choices.flatMap((choice) => choice.delta.tool_calls ?? []);
    expect(calls[0]).toMatchObject({ index: 0, type: "function", function: { name: "find_chunks" } });
    expect(JSON.parse(calls.map((call) => call.function.arguments).join(""))).toEqual({
      query: "two words",
      max_results: 3,
    });
    expect(choices.at(-1).finish_reason).toBe("tool_calls");
  });

  it("answers equal requests equally, ids included", async () => {
    const request = { model: "small", messages: [user("How old?")], tools: [searchTool] };
    const answers = await Promise.all([1, 2].map(async () => (await post("/chat/completions", request)).text()));
    expect(answers[0]).toBe(answers[1]);
    const other = JSON.parse(
      await (await post("/chat/completions", { ...request, messages: [user("How big?")] })).text(),
    );
    expect(other.id).not.toBe(JSON.parse(answers[0] ?? "").id);
  });
});

describe("the offline provider's errors", () => {
  it.each([
    ["text that is not JSON", "/chat/completions", "{", 400, "not JSON"],
    ["missing messages", "/chat/completions", { model: "m" }, 400, "messages"],
    ["no message", "/chat/completions", { model: "m", messages: [] }, 400, "messages"],
    ["a missing model", "/chat/completions", { messages: [user("x")] }, 400, "model"],
    ["no input to embed", "/embeddings", { model: "m" }, 400, "input"],
    ["an unknown path", "/completions", {}, 404, "/v1/chat/completions"],
    ["another method", "/models", {}, 405, "GET"],
  ])("are in OpenAI's shape for %s", async (_what, path, body, status, words) => {
    const response = await post(path, body);
    expect(response.status).toBe(status);
    const { error } = JSON.parse(await response.text());
    expect(error).toMatchObject({ type: "invalid_request_error", message: expect.stringContaining(words) });
  });
});

describe("the offline provider's embeddings", () => {
  const embed = async (input: string | string[], more: object = {}) =>
    JSON.parse(await (await post("/embeddings", { model: "small", input, ...more })).text()).data;

  it("come in the order of the inputs, unit long, in the dimensions asked for", async () => {
    const data = await embed(["one text", "", "第三"], { dimensions: 256 });
    expect(data.map((item: { index: number }) => item.index)).toEqual([0, 1, 2]);
    for (const { embedding } of data) {
      expect(embedding).toHaveLength(256);
      expect(Math.hypot(...embedding)).toBeCloseTo(1, 5);
    }
  });

  it("are the same as numbers and as base64", async () => {
    const [numbers] = await embed("some words here");
    const [packed] = await embed("some words here", { encoding_format: "base64" });
    const bytes = Buffer.from(packed.embedding, "base64");
    const unpacked = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
    expect(unpacked).toEqual(numbers.embedding);
  });

  it("are near for texts that share words, in any inflection, case, accent or script", async () => {
    const near = async (a: string, b: string) => {
      const [x, y] = (await embed([a, b])).map((item: { embedding: number[] }) => item.embedding);
      return x.reduce((sum: number, value: number, index: number) => sum + value * y[index], 0);
    };
    const far = await near("The ducks are swimming in the pond", "Quarterly revenue rose sharply");
    expect(Math.abs(far)).toBeLessThan(0.15);
    expect(await near("The ducks are swimming", "A duck swims")).toBeGreaterThan(0.5);
    expect(await near("CAFÉ opening hours", "cafe opened hour")).toBeGreaterThan(0.5);
    expect(await near("员工年假规定", "年假")).toBeGreaterThan(0.3);
    expect(await near("immunodeficiency", "immunodeficient")).toBeGreaterThan(0.3);
  });

  it("lists its model", async () => {
    expect(JSON.parse(await (await fetch(`${provider.baseUrl}/models`)).text()).data[0].id).toBe("offline");
  });
});
