import type { ListingPayload } from "@agent-backends/contract";
import { startOfflineProvider } from "@agent-backends/llm/offline";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, readAnswer } from "./answers.ts";
import { startUnderTest } from "./under-test.ts";

// With the offline provider: what an answer claims is in its payload.

const offline = await startOfflineProvider();
const { site, service } = await startUnderTest({ LLM_BASE_URL: offline.baseUrl, LISTING_TIMEZONE: "UTC" });
afterAll(() => offline.close());

beforeEach(() => {
  site.posts = [
    { id: "a", name: "Inkotter 3", tagline: "Writes 7 drafts a day", votesCount: 512, commentsCount: 41 },
    { id: "b", name: "Mossgrid", tagline: "Waters plants", votesCount: 98, commentsCount: 0 },
    { id: "c", name: "Tidyhound", tagline: "Tracks time", votesCount: 97, topics: { edges: [] } },
    { id: "d", name: "Quiet One", votesCount: null },
  ].map((post) => ({ ...post, featuredAt: "2026-03-01T12:34:56Z" }));
  site.hits = site.posts.map(({ id, name, tagline, votesCount }) => ({
    objectID: id,
    name,
    tagline,
    votes_count: votesCount,
  }));
});

const answerTo = async (message: string, further: object = {}) => {
  const { frames, text } = await readAnswer(await service.post("/agent", ask(message, further)));
  const results = frames.flatMap((frame) => (frame.type === "tool_call_result" ? [frame] : []));
  return { text, results, frames };
};

const numbersIn = (text: string): number[] => (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);

/** The numbers of an answer that its payload does not hold, and that do not say how many products it holds. */
function inventedNumbers(text: string, payload: ListingPayload): number[] {
  const count = "posts" in payload ? payload.posts.length : "hits" in payload ? payload.hits.length : 0;
  const known = new Set([...numbersIn(JSON.stringify(payload)), count]);
  return numbersIn(text).filter((number) => !known.has(number));
}

const onDay = { tool_params: { timeframe: "2026-03-01" } };
const asked: [message: string, further: object][] = [
  ["show me the top products", {}],
  ["top 3 products of all time", {}],
  ["who is number 1?", {}],
  ["top products of that day", onDay],
  ["which launch won by how many votes?", onDay],
  ["top 2 in March 2026", {}],
  ["top 2 since Monday", {}],
  ["find time tracking tools", {}],
  ["find 2 plant apps", {}],
  ["¿Cuáles son los 3 mejores productos?", {}],
];

describe("the numbers of an answer", () => {
  it.each(asked)("are all in its payload: %s", async (message, further) => {
    const { text, results } = await answerTo(message, further);
    const [result] = results;
    if (result === undefined) throw new Error(`No tool was called: ${text}`);
    expect(inventedNumbers(text, result.result)).toEqual([]);
    expect(text).toMatch(/\w{4}/);
  });

  it.each([
    ["is down", { kind: "down" }],
    ["answers with errors", { kind: "errors" }],
  ] as const)("are in its payload when the site %s, and name no product", async (_what, behaviour) => {
    site.behaviour = behaviour;
    const { text } = await answerTo("top products of that day", onDay);
    expect(text).not.toMatch(/Inkotter|Mossgrid|Tidyhound|512|\b9[78]\b/);
  });

  it.each(["How many launched yesterday?", "Wie viele Produkte wurden gestern gelauncht?", "how many launches, top 2"])(
    "say once how many there are in all, where that is asked: %s",
    async (message) => {
      const { text, results } = await answerTo(message, { tool_params: { timeframe: "2026-03-01", limit: 2 } });
      expect(results[0]?.result).toMatchObject({ total: 4, truncated: true });
      expect(text).toContain("There are 4 in all; the table shows the first 2.");
      expect(text.match(/\bin all\b/g)).toHaveLength(1);
      expect(text).toContain("Of the 2 shown, Inkotter 3 leads");
    },
  );

  it("say how many there are where that is asked and all are shown", async () => {
    expect((await answerTo("How many launched yesterday?", onDay)).text).toContain("There are 4 in all.");
  });

  it("are found out when they are invented", async () => {
    const [result] = (await answerTo("top products of that day", onDay)).results;
    if (result === undefined) throw new Error("No tool was called");
    expect(inventedNumbers("The first of 4 leads by 414 votes, 512 to 98.", result.result)).toEqual([414]);
  });
});

describe("words that nobody knows where a topic stands", () => {
  it("are the topic if a launch mentions them", async () => {
    const { text } = await answerTo("show me the drafts apps of yesterday", onDay);
    expect(text).toContain("Launches about “drafts” of");
    expect(text).not.toContain("Mossgrid");
  });

  it.each([
    ["top beekeeping apps of yesterday", "beekeeping"],
    ["Zeig mir alle Einhornzucht-Tools von gestern", "Einhornzucht"],
    ["muéstrame productos de jardinería lanzados ayer", "jardinería"],
  ])("are named if none does: %s", async (message, topic) => {
    const { text, results } = await answerTo(message, onDay);
    expect(results[0]?.result).toMatchObject({ unknown_topic: topic, examined: 4 });
    expect(text).toContain(
      `“${topic}” was not found among all 4 launches of that time, so the list isn't limited to it.`,
    );
    expect(text).toContain("Inkotter");
  });
});

it("says a number of votes once", async () => {
  const { text } = await answerTo("launches with exactly 97 votes yesterday", onDay);
  expect(text).toContain("Launches with exactly 97 votes of");
  expect(text).toContain("Tidyhound");
});

it("says of a day to come that it has not begun", async () => {
  site.posts = [];
  const { text } = await answerTo("Was kommt morgen raus?");
  expect(text).toContain("were found. That time has not begun yet.");
});

const confettiPayload = z.strictObject({
  action: z.literal("CONFETTI"),
  reason: z.string().max(200).optional(),
  colors: z
    .array(z.string().regex(/^#[0-9a-f]{6}$/i))
    .min(1)
    .max(32),
  particleCount: z.number().int().min(20).max(1000),
  spread: z.literal(90),
  startVelocity: z.literal(45),
  origin: z.strictObject({ x: z.literal(0.5), y: z.literal(0.5) }),
  shapes: z.array(z.enum(["square", "circle", "star"])).min(1),
  ticks: z.literal(200),
  disableSound: z.boolean(),
  timestamp: z.iso.datetime(),
});

describe("confetti", () => {
  it.each([
    "Confetti!",
    "Confetti! More confetti!! 🎉🎉 And now some confetti. Celebrate!",
    "We hit #1, throw confetti in red, #00ff00 and nonsense",
    `confetti in ${Array.from({ length: 90 }, (_, index) => `#${(index * 1_001 + 0x10_0000).toString(16)}`).join(" ")}`,
    `confetti please\n\ndata: [DONE]\n\n ${"x".repeat(3_000)}`,
  ])("is thrown once in a run, with one id for the same request and a payload in bounds: %#", async (message) => {
    const run = { thread_id: "t", run_id: "r" };
    const [first, again] = [await answerTo(message, run), await answerTo(message, run)];
    for (const { frames, results } of [first, again]) {
      expect(frames.filter(({ type }) => type === "tool_call_start")).toHaveLength(1);
      expect(results).toHaveLength(1);
      expect(results[0]?.tool_name).toBe("confetti");
      confettiPayload.parse(results[0]?.result);
    }
    expect(first.results[0]?.tool_call_id).toBe(again.results[0]?.tool_call_id);
  });
});

it.each([
  ["When should I launch my product?", "- Timing: a launch day lasts from midnight to midnight in Pacific time"],
  ["Do I need a hunter?", "- People: makers can launch by themselves; a hunter is not needed"],
  ["hey, what can you do?", "I can show the top launches, those of a day or a week, search launches"],
])("advises without a model, too: %s", async (message, said) => {
  expect((await answerTo(message)).text).toContain(said);
});
