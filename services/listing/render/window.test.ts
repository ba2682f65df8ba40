import { expect, test } from "vitest";
import { resolveTimeframe } from "../timeframe/resolve.ts";
import { describeWindow } from "./window.ts";

const now = new Date("2026-11-20T12:00:00Z");
const inWords = (timeframe: string, timezone = "UTC") => describeWindow(resolveTimeframe(timeframe, { timezone, now }));

test.each([
  ["today", "today, Friday 20 November 2026 (UTC)"],
  ["yesterday", "yesterday, Thursday 19 November 2026 (UTC)"],
  ["last week", "last week, 9 to 15 November 2026 (UTC)"],
  ["this month", "this month, November 2026 (UTC)"],
  ["last year", "last year, 1 January to 31 December 2025 (UTC)"],
  ["last 30 days", "the last 30 days, 22 October to 20 November 2026 (UTC)"],
  ["last 1 day", "the last 1 day, Friday 20 November 2026 (UTC)"],
  ["last 24 hours", "the last 24 hours, 19 November 2026 12:00 to 20 November 2026 12:00 (UTC)"],
  ["Monday", "Monday 16 November 2026 (UTC)"],
  ["March", "March 2026 (UTC)"],
  ["February 2024", "February 2024 (UTC)"],
  ["since 2025-12-30", "30 December 2025 to 20 November 2026 (UTC)"],
  ["2026-11-20", "Friday 20 November 2026 (UTC)"],
  ["from:2026-11-28 to:2026-12-02", "28 November to 2 December 2026 (UTC)"],
])("%s is %s", (timeframe, words) => {
  expect(inWords(timeframe)).toBe(words);
});

test("days are those of the timezone, also where a day begins at 01:00 or lasts 25 hours", () => {
  expect(inWords("yesterday", "Pacific/Kiritimati")).toBe("yesterday, Friday 20 November 2026 (Pacific/Kiritimati)");
  expect(inWords("2022-09-11", "America/Santiago")).toBe("Sunday 11 September 2022 (America/Santiago)");
  expect(inWords("2026-11-01", "America/Havana")).toBe("Sunday 1 November 2026 (America/Havana)");
});

test("a day that a timezone skipped is said to be none", () => {
  expect(inWords("2011-12-30", "Pacific/Apia")).toBe("2011-12-30, a day that the calendar of Pacific/Apia skipped");
  expect(inWords("yesterday", "Etc/GMT-9")).toBe("yesterday, Thursday 19 November 2026 (UTC+9)");
});
