import { answer } from "@agent-backends/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { ask, readAnswer } from "../answers.ts";
import type { UnderTest } from "../under-test.ts";
import { startUnderTest } from "../under-test.ts";
import { underTest as main } from "./service.ts";

// What a user reads at the end when the site is not as it should be, for each question that needs the site.

const said = "What else would you like to know?";
const [impatient, spent, limited] = await Promise.all([
  startUnderTest({ LISTING_TIMEOUT_MS: "100" }),
  startUnderTest(),
  startUnderTest(),
]);

const day = "2026-03-01";
const inWindow = { featuredAt: `${day}T12:00:00Z` };
const onDay = { tool_params: { timeframe: day, tz: "UTC" } };
const questions = {
  top: { message: "show me the top 20 products", further: {}, subject: "launches of all time" },
  top_timeframe: { message: "top 20 products", further: onDay, subject: "launches of Sunday 1 March 2026 (UTC)" },
  search: { message: "find 20 kanban boards", further: {}, subject: "launches that match “kanban boards”" },
} as const;
type Tool = keyof typeof questions;
const tools = Object.keys(questions) as Tool[];

beforeEach(() => {
  for (const { site, provider } of [main, impatient, spent, limited]) {
    provider.script(answer.text(said));
    site.posts = [{ id: "a", name: "Mossgrid", votesCount: 98, ...inWindow }];
    site.hits = [{ objectID: "h", name: "Mossgrid", votes_count: 98 }];
  }
});

/** Asks as a user does, and checks what every answer has, whatever the site does. */
async function askFor(tool: Tool, { service }: UnderTest = main) {
  const { message, further } = questions[tool];
  const { frames, text, data } = await readAnswer(await service.post("/agent", ask(message, further)));
  expect(frames.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])).toEqual([
    "tool_call_start",
    "tool_call_result",
    "text_message_chunk",
  ]);
  expect(frames[0]).toMatchObject({ tool_name: tool });
  expect(data.at(-1)).toBe("[DONE]");
  expect(text).not.toMatch(/\b(?:null|undefined|NaN|REDACTED)\b|\[object/);
  expect(text.endsWith(said)).toBe(true);
  const { result } = frames[1] as unknown as { result: { status: string; reason?: string; as_of?: string } };
  return { text, result, rows: text.split("\n").filter((line) => /^\| \d/.test(line)) };
}

const getPrompt = ({ provider }: UnderTest): string => provider.chatRequests.at(-1)?.body.messages[0].content;

describe.each([
  ["is down", { kind: "down" }, "can't be reached", "can't be reached"],
  ["is slow", { kind: "slow" }, "did not answer in time", "did not answer in time"],
  ["answers with errors", { kind: "errors" }, "answered with an error", "gave an answer that can't be read"],
  ["answers with a page", { kind: "html" }, "answered with an error", "answered with an error"],
  ["answers with too much", { kind: "huge", bytes: 5_000_000 }, "gave an answer that can't be read", undefined],
  [
    "answers with something else",
    { kind: "huge", bytes: 10 },
    "answered with an error",
    "gave an answer that can't be read",
  ],
  ["sends the service elsewhere", { kind: "redirect", to: "http://127.0.0.1:1/" }, "answered with an error", undefined],
  ["refuses the token", { kind: "unauthorized" }, "refused this service's credentials", undefined],
] as const)("when the site %s, a user reads", (_what, behaviour, why, whyOfIndex) => {
  it.each(tools)("that it is not known (%s)", async (tool) => {
    const underTest = behaviour.kind === "slow" ? impatient : main;
    underTest.site.behaviour = behaviour;
    const { text, result, rows } = await askFor(tool, underTest);
    const reason = tool === "search" ? (whyOfIndex ?? why) : why;
    expect(text).toBe(
      `There is no list of ${questions[tool].subject}: the source, the stand-in, ${reason}. That does not mean that there are none.\n\n${said}`,
    );
    expect(rows).toEqual([]);
    expect(result).toMatchObject({ status: "unavailable" });
    expect(result).not.toHaveProperty("as_of");
    expect(getPrompt(underTest)).toContain("The source did not answer, so what launched is not known.");
    expect(getPrompt(underTest)).toMatch(/Give practical advice on launching/);
    expect(underTest.site.requests).toHaveLength(1);
  });
});

describe("when the site limits the service, a user reads", () => {
  const resetSeconds = 3_600;

  it("that the site limits requests, and sends none before its reset", async () => {
    limited.site.behaviour = { kind: "limited", resetSeconds };
    for (const tool of [...tools, "top" as const]) {
      const { text, result } = await askFor(tool, limited);
      const { subject } = questions[tool];
      expect(text).toContain(
        `There is no list of ${subject}: the source, the stand-in, takes no more requests for now.`,
      );
      expect(result).toMatchObject({ status: "unavailable", reason: "rate_limited" });
      // The index does not say when.
      if (tool === "search") continue;
      expect(text).toMatch(/Try again in (?:59|60) minutes\./);
      expect(getPrompt(limited)).toMatch(/"retry_after_seconds": 3[56]\d\d/);
    }
    expect(limited.site.requests.map(({ upstream }) => upstream)).toEqual(["graphql", "search"]);
  });

  it("the list for which the budget was still enough, and then no more until its reset", async () => {
    spent.site.behaviour = { kind: "spent", resetSeconds };
    expect((await askFor("top", spent)).rows).toEqual([expect.stringContaining("Mossgrid")]);
    expect((await askFor("top_timeframe", spent)).text).toContain("takes no more requests for now");
    expect(spent.site.requests).toHaveLength(1);
  });
});

describe("when the site has nothing, a user reads", () => {
  it.each(tools)("that nothing was found, which is not the same (%s)", async (tool) => {
    main.site.posts = [];
    main.site.hits = [];
    const { text, result } = await askFor(tool);
    expect(text).toBe(`No ${questions[tool].subject} were found. Source: the stand-in.\n\n${said}`);
    expect(result).toMatchObject({ status: "empty", as_of: expect.any(String) });
    expect(getPrompt(main)).toContain("The source answered and has none.");
  });
});

describe("when the site redacts or lacks fields, a user reads", () => {
  it.each(tools)("dashes (%s)", async (tool) => {
    const bare = { name: "[REDACTED]", tagline: null, url: "javascript:x", thumbnail: 7, topics: null };
    main.site.posts = [{ id: "x", ...bare, votesCount: "many", ...inWindow }];
    main.site.hits = [{ objectID: "x", ...bare, votes_count: null }, { objectID: "y" }];
    const { rows } = await askFor(tool);
    expect(rows[0]).toBe("| 1 | (name not given) | – | – |");
    expect(getPrompt(main)).not.toMatch(/\b(?:null|undefined|REDACTED)\b/);
  });
});

describe("when the site has many, a user reads", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => index);

  it("as many as were asked for, the most votes first (top)", async () => {
    main.site.posts = many(45).map((votesCount) => ({ id: `p${votesCount}`, name: `P${votesCount}`, votesCount }));
    const { rows, text } = await askFor("top");
    expect(rows).toHaveLength(20);
    expect(rows[0]).toContain("| 1 | [P44]");
    expect(text).toContain("There are 45 in all; the table shows the first 20, the most at once. Ask for “more”");
  });

  it("those of the window, from as many pages as it takes (top_timeframe)", async () => {
    main.site.strictDays = false;
    main.site.posts = many(70).map((votesCount) => ({
      id: `p${votesCount}`,
      name: `P${votesCount}`,
      votesCount,
      featuredAt: votesCount % 3 === 0 ? `${day}T12:00:00Z` : "2026-02-27T12:00:00Z",
    }));
    const { rows, text } = await askFor("top_timeframe");
    expect(rows).toHaveLength(20);
    expect(rows[0]).toContain("| 1 | [P57]");
    expect(main.site.requests.map(({ body }) => body.variables.after)).toEqual([undefined, btoa("20"), btoa("40")]);
    expect(text).not.toContain("more that was not read");
  });

  it("that there is more if the page budget is used up (top_timeframe)", async () => {
    main.site.strictDays = false;
    main.site.posts = many(200).map((index) => ({
      id: `p${index}`,
      featuredAt: index === 0 ? `${day}T12:00:00Z` : "2026-02-27T12:00:00Z",
    }));
    const { rows, text } = await askFor("top_timeframe");
    expect(rows).toHaveLength(1);
    expect(main.site.requests).toHaveLength(5);
    expect(text).toContain("The source has more that was not read.");
  });

  it("those with the fewest votes, of all of the window (top_timeframe)", async () => {
    main.site.posts = many(45).map((votesCount) => ({
      id: `p${votesCount}`,
      name: `P${votesCount}`,
      votesCount,
      ...inWindow,
    }));
    const { frames, text } = await readAnswer(await main.service.post("/agent", ask("the 3 worst launches", onDay)));
    expect(frames[1]).toMatchObject({
      result: {
        ascending: true,
        examined: 45,
        total: 45,
        posts: [{ votesCount: 0 }, { votesCount: 1 }, { votesCount: 2 }],
      },
    });
    expect(text).toContain("Source: the stand-in. The fewest votes come first, of 45.");
    expect(main.site.requests).toHaveLength(3);
  });

  it("how many there are, though the site counts those of other days too (top_timeframe)", async () => {
    main.site.strictDays = false;
    main.site.posts = many(70).map((index) => ({
      id: `p${index}`,
      featuredAt: index % 2 === 0 ? `${day}T12:00:00Z` : "2026-02-27T12:00:00Z",
    }));
    const asked = ask(`how many launched on ${day}?`, { tool_params: { tz: "UTC" } });
    const { text } = await readAnswer(await main.service.post("/agent", asked));
    expect(text).toContain("There are 35 in all; the table shows the first 5.");
  });

  it("how many launches were compared if the page budget is used up (top_timeframe)", async () => {
    main.site.posts = many(300).map((index) => ({ id: `p${index}`, votesCount: 300 - index, ...inWindow }));
    const { text } = await readAnswer(await main.service.post("/agent", ask("the least voted launches", onDay)));
    expect(text).toContain("The fewest votes come first, of the 200 of 300 that were read");
    expect(text).toContain("| 101 |");
    expect(main.site.requests).toHaveLength(10);
  });

  it("as many as were asked for, the best match first (search)", async () => {
    main.site.hits = many(60).map((index) => ({ objectID: String(index), name: `H${index}`, votes_count: index }));
    const { rows } = await askFor("search");
    expect(rows).toHaveLength(20);
    expect(rows[0]).toContain("| 1 | H0 ");
  });
});

describe("when the site is wrong about days, a user reads", () => {
  it("only launches of the window, whatever votes the others have", async () => {
    main.site.strictDays = false;
    main.site.posts.push(
      { id: "b", name: "Last second", votesCount: 1, featuredAt: "2026-03-01T23:59:59Z" },
      { id: "c", name: "Next day", votesCount: 999, featuredAt: "2026-03-02T00:00:00Z" },
      { id: "d", name: "Day before", votesCount: 999, featuredAt: "2026-02-28T23:59:59Z" },
      { id: "e", name: "No day", votesCount: 999, featuredAt: null, createdAt: null },
    );
    const { rows } = await askFor("top_timeframe");
    expect(rows).toEqual([expect.stringContaining("Mossgrid"), expect.stringContaining("Last second")]);
  });

  it("that nothing was found, when all of them are of other days", async () => {
    main.site.strictDays = false;
    main.site.posts = [{ id: "c", name: "Next day", votesCount: 999, featuredAt: "2026-03-02T00:00:00Z" }];
    expect((await askFor("top_timeframe")).text).toContain("No launches of Sunday 1 March 2026 (UTC) were found.");
  });
});
