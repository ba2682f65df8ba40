import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { planAnswer } from "../answer/plan.ts";
import { routeConversation } from "../routing/conversation.ts";
import type { ListingSource } from "../upstream/source.ts";

// The plan of a message against plain calendar arithmetic. Nothing below uses the service's own calendar.

const source: ListingSource = {
  name: "none",
  known: () => undefined,
  ask: async () => ({ products: [], complete: true, status: "empty", asOf: new Date(0) }),
};

/** The window that a message is answered with. */
async function windowFor(message: string, now: string, { zone, tz }: { zone: string; tz?: string }) {
  const question = { message, history: [], toolParameters: tz === undefined ? {} : { tz } };
  const plan = planAnswer(
    { ...question, threadId: undefined, runId: undefined },
    (turns, { timezone, countShown }) =>
      routeConversation(turns, { now: new Date(now), timezone: timezone ?? zone, countShown }),
    { source, timezone: zone, maxItems: 5, now: () => Date.parse(now) },
  );
  const payload = "calls" in plan ? await plan.calls[0]?.run() : undefined;
  if (payload?.action !== "top_timeframe") throw new Error(`${message}: ${JSON.stringify(plan)}`);
  return payload.timeframe;
}

const dayMs = 86_400_000;
const wallClocks = new Map<string, Intl.DateTimeFormat>();

/** The date on a wall calendar in a zone: days since 1970-01-01. */
function wallDay(at: number, zone: string): number {
  const clock = wallClocks.get(zone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
  wallClocks.set(zone, clock);
  return Date.parse(`${clock.format(at)}T00:00:00Z`) / dayMs;
}

/** 0 is Monday; 1970-01-01 was a Thursday. */
const toWeekday = (day: number) => (day + 3) % 7;
const latest = (today: number, weekday: number) => today - ((toWeekday(today) - weekday + 7) % 7);
const firstOfMonth = (day: number, months: number) => {
  const date = new Date(day * dayMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / dayMs;
};

/** What people write, and the first and the last day that it means. */
const phrases: [message: string, days: (today: number) => [first: number, last: number]][] = [
  ["top products today", (today) => [today, today]],
  ["top products yesterday", (today) => [today - 1, today - 1]],
  ["top products of the day before yesterday", (today) => [today - 2, today - 2]],
  ["top products tomorrow", (today) => [today + 1, today + 1]],
  ["top 3 launches 3 days ago", (today) => [today - 3, today - 3]],
  ["top products on Monday", (today) => [latest(today, 0), latest(today, 0)]],
  ["best launches on Sunday", (today) => [latest(today, 6), latest(today, 6)]],
  ["top products last Friday", (today) => [latest(today - 1, 4), latest(today - 1, 4)]],
  ["top products since Wednesday", (today) => [latest(today, 2), today]],
  ["top products this week", (today) => [latest(today, 0), latest(today, 0) + 6]],
  ["top products last week", (today) => [latest(today, 0) - 7, latest(today, 0) - 1]],
  ["top products two weeks ago", (today) => [latest(today, 0) - 14, latest(today, 0) - 8]],
  ["top products this month", (today) => [firstOfMonth(today, 0), firstOfMonth(today, 1) - 1]],
  ["top products last month", (today) => [firstOfMonth(today, -1), firstOfMonth(today, 0) - 1]],
  ["top products of the last 7 days", (today) => [today - 6, today]],
  ["die besten Produkte von vorgestern", (today) => [today - 2, today - 2]],
  ["los mejores productos del lunes", (today) => [latest(today, 0), latest(today, 0)]],
  ["les meilleurs produits d'hier", (today) => [today - 1, today - 1]],
  ["一昨日のランキング", (today) => [today - 2, today - 2]],
];

const unusual = [
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "America/St_Johns",
  "America/Santiago",
  "America/Havana",
  "Asia/Beirut",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "Pacific/Chatham",
  "Pacific/Apia",
  "Europe/Berlin",
  "Asia/Tokyo",
  "America/Los_Angeles",
];
const anyZone = fc.oneof(fc.constantFrom(...unusual), fc.constantFrom(...Intl.supportedValuesOf("timeZone")));
const hourMs = 3_600_000;
/** When clocks change: in Los Angeles, Berlin, Beirut, Santiago, Lord Howe and Havana, and the day that Samoa skipped. */
const changes = [
  "2026-03-08T10:00:00Z",
  "2026-11-01T09:00:00Z",
  "2026-03-29T01:00:00Z",
  "2026-10-25T01:00:00Z",
  "2026-03-28T22:00:00Z",
  "2026-09-06T04:00:00Z",
  "2026-04-05T03:00:00Z",
  "2026-10-03T15:30:00Z",
  "2026-03-08T05:00:00Z",
  "2011-12-30T10:00:00Z",
].map((time) => Date.parse(time));
const anyTime = fc
  .oneof(
    fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2036, 0) }),
    fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -72, max: 72 })).map(([at, hours]) => at + hours * hourMs),
  )
  .map((at) => new Date(Math.floor(at / 60_000) * 60_000).toISOString());

test("whatever the zone and the hour, a window holds the days that a calendar on the wall there shows", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...phrases), anyTime, anyZone, anyZone, async ([message, days], now, zone, tz) => {
      const window = await windowFor(message, now, { zone, tz });
      const [first, last] = days(wallDay(Date.parse(now), tz));
      const [after, before] = [Date.parse(window.postedAfter), Date.parse(window.postedBefore)];
      expect(window.tz).toBe(tz);
      expect([wallDay(after, tz) >= first, wallDay(after - 1, tz) < first]).toEqual([true, true]);
      expect([wallDay(before, tz) > last, wallDay(before - 1, tz) <= last]).toEqual([true, true]);
    }),
    { numRuns: 1_500 },
  );
});

describe("the zone of a request", () => {
  // Friday evening in London, already Saturday in Tokyo, still Friday morning in Honolulu.
  const now = "2026-11-20T18:30:00Z";
  const zone = "America/Los_Angeles";

  it.each([
    ["top products 2 days ago", undefined, "America/Los_Angeles", "2026-11-18T08:00:00Z"],
    ["top products 2 days ago", "Asia/Tokyo", "Asia/Tokyo", "2026-11-18T15:00:00Z"],
    ["top products 2 days ago, Honolulu time", "Asia/Tokyo", "Pacific/Honolulu", "2026-11-18T10:00:00Z"],
    ["top products on Saturday", "Asia/Tokyo", "Asia/Tokyo", "2026-11-20T15:00:00Z"],
    ["top products on Saturday", undefined, "America/Los_Angeles", "2026-11-14T08:00:00Z"],
    ["I slept through Saturday, Tokyo time. Show the ranking.", undefined, "Asia/Tokyo", "2026-11-20T15:00:00Z"],
    ["top products tomorrow in tz Asia/Kolkata", undefined, "Asia/Kolkata", "2026-11-21T18:30:00Z"],
  ])("%s with tz %s is resolved in %s", async (message, tz, used, postedAfter) => {
    const window = await windowFor(message, now, tz === undefined ? { zone } : { zone, tz });
    expect(window).toMatchObject({ tz: used, postedAfter });
  });
});
