import { expect, test } from "vitest";
import { buildSummary, formatAge, searchConversations } from "./conversation.ts";
import { exportJson, exportMarkdown } from "./export.ts";
import { createAnswer } from "./messages.ts";

const now = new Date(2026, 2, 30, 12).getTime();
const citation = {
  ...{
    n: 1,
    title: "Refunds",
    source: "file:refunds.md",
    hash: "",
    document_id: "d",
    quote: "5 days",
    start: 0,
    end: 6,
  },
};
const conversation = {
  ...{ id: "c", agent: "knowledge" as const, namespace: "shop", createdAt: now },
  messages: [
    { id: "q", role: "user" as const, text: "When are\nrefunds paid?" },
    { ...createAnswer("a", "shop"), text: "Within 5 days [1].", state: "done" as const, citations: [citation] },
  ],
};

test("a conversation's title is its first question until it is renamed", () => {
  expect(buildSummary(conversation, undefined, now).title).toBe("When are refunds paid?");
  expect(buildSummary(conversation, "Money", now).title).toBe("Money");
  const long = { ...conversation, messages: [{ id: "q", role: "user" as const, text: "x".repeat(500) }] };
  expect(buildSummary(long, undefined, now).title).toHaveLength(100);
});

test("a search finds conversations with all words in title, namespace or text", () => {
  const all = [buildSummary(conversation, "Money", now)];
  for (const query of ["money", "SHOP refunds", "within days", " "])
    expect(searchConversations(all, query)).toEqual(all);
  expect(searchConversations(all, "refunds boiler")).toEqual([]);
});

test("an export contains questions, answers and sources, and its file name is the title", () => {
  const summary = buildSummary(conversation, undefined, now);
  const markdown = exportMarkdown(summary, conversation);
  expect(markdown.name).toBe("When-are-refunds-paid.md");
  expect(markdown.content).toContain("Namespace: shop");
  expect(markdown.content).toMatch(/## Answer\n\nWithin 5 days \[1\]\.\n\n- \[1\] Refunds \(file:refunds\.md\)\n$/);
  const { messages, namespace } = JSON.parse(exportJson(summary, conversation).content);
  expect({ messages, namespace }).toEqual({ messages: conversation.messages, namespace: "shop" });
});

test("yesterday is the previous calendar day, also after a clock change", () => {
  const at = (day: number, hour: number) => new Date(2026, 2, day, hour).getTime();
  expect([at(30, 0), at(29, 23), at(29, 0), at(28, 23), at(24, 0), at(22, 0)].map((ms) => formatAge(ms, now))).toEqual([
    ...["Today", "Yesterday", "Yesterday", "Last 7 days", "Last 7 days", "Older"],
  ]);
});
