import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TimeframeError } from "./error.ts";
import { resolveTimeframe } from "./resolve.ts";

/** A Friday. */
const noon = "2026-11-20T12:00:00Z";

function findWindow(timeframe: string, timezone = "UTC", now = noon): string {
  const { postedAfter, postedBefore } = resolveTimeframe(timeframe, { timezone, now: new Date(now) });
  return `${postedAfter} ${postedBefore}`;
}

function getRefusal(timeframe: string, timezone = "UTC"): TimeframeError {
  try {
    resolveTimeframe(timeframe, { timezone, now: new Date(noon) });
  } catch (error) {
    if (error instanceof TimeframeError) return error;
    throw error;
  }
  throw new Error(`${timeframe} in ${timezone} was accepted`);
}

describe("the phrases of the grammar", () => {
  test.each([
    ["today", "2026-11-20", "2026-11-21"],
    ["yesterday", "2026-11-19", "2026-11-20"],
    ["this week", "2026-11-16", "2026-11-23"],
    ["last week", "2026-11-09", "2026-11-16"],
    ["this month", "2026-11-01", "2026-12-01"],
    ["last month", "2026-10-01", "2026-11-01"],
    ["this year", "2026-01-01", "2027-01-01"],
    ["last year", "2025-01-01", "2026-01-01"],
    ["last 1 day", "2026-11-20", "2026-11-21"],
    ["past 2 days", "2026-11-19", "2026-11-21"],
    ["last 1 week", "2026-11-14", "2026-11-21"],
    ["last 2 weeks", "2026-11-07", "2026-11-21"],
    ["in March 2026", "2026-03-01", "2026-04-01"],
    ["March 2026", "2026-03-01", "2026-04-01"],
    ["Feb 2024", "2024-02-01", "2024-03-01"],
    ["Sept. 2025", "2025-09-01", "2025-10-01"],
    ["December, 2026", "2026-12-01", "2027-01-01"],
    ["March", "2026-03-01", "2026-04-01"],
    ["november", "2026-11-01", "2026-12-01"],
    ["in December", "2025-12-01", "2026-01-01"],
    ["Monday", "2026-11-16", "2026-11-17"],
    ["on Monday", "2026-11-16", "2026-11-17"],
    ["sat", "2026-11-14", "2026-11-15"],
    ["Friday", "2026-11-20", "2026-11-21"],
    ["last Friday", "2026-11-13", "2026-11-14"],
    ["since Friday", "2026-11-20", "2026-11-21"],
    ["since last Friday", "2026-11-13", "2026-11-21"],
    ["since Tuesday", "2026-11-17", "2026-11-21"],
    ["since 2026-10-30", "2026-10-30", "2026-11-21"],
    ["on 2026-11-02", "2026-11-02", "2026-11-03"],
    ["last 7 days", "2026-11-14", "2026-11-21"],
    ["last 366 days", "2025-11-20", "2026-11-21"],
    ["2024-02-29", "2024-02-29", "2024-03-01"],
    ["2026-12-31", "2026-12-31", "2027-01-01"],
    ["from:2026-01-30 to:2026-02-02", "2026-01-30", "2026-02-03"],
    ["from:2026-01-30 to:2026-01-30", "2026-01-30", "2026-01-31"],
  ])("%s is %s up to %s", (timeframe, after, before) => {
    expect(findWindow(timeframe)).toBe(`${after}T00:00:00Z ${before}T00:00:00Z`);
  });

  test.each([
    ["  YESTERDAY ", "yesterday"],
    ["Last Week", "last week"],
    ["last-week", "last week"],
    ["last_week", "last week"],
    ["LAST \t WEEK", "last week"],
    ["Last-30-Days", "last 30 days"],
    ["today\u00a0", "today"],
    [" 2026-11-02 ", "2026-11-02"],
    ["in  MARCH 2026", "March 2026"],
    ["last-2-weeks", "last 2 weeks"],
    ["on_monday", "2026-11-16"],
    ["since friday", "since 2026-11-20"],
    ["FROM: 2026-11-02   TO: 2026-11-04", "from:2026-11-02 to:2026-11-04"],
  ])("%j means %s", (spelling, timeframe) => {
    const resolved = resolveTimeframe(spelling, { timezone: "UTC", now: new Date(noon) });
    expect(resolved).toMatchObject({ label: timeframe, input: spelling, tz: "UTC" });
    expect(findWindow(spelling)).toBe(findWindow(timeframe));
  });

  test("every timeframe's normal spelling means the same window, and every example of a refusal is understood", () => {
    const examples = [...getRefusal("?").message.matchAll(/"([^"]+)"/g)].map(([, example]) => example ?? "").slice(1);
    expect(examples.length).toBeGreaterThan(8);
    for (const phrase of [...examples, "past 3 weeks", "last year", "in May", "on Sunday", "since last Sunday"]) {
      const { label } = resolveTimeframe(phrase, { timezone: "UTC", now: new Date(noon) });
      expect(findWindow(label)).toBe(findWindow(phrase));
    }
  });

  test.each([
    ["last 1 hour", "2026-11-20T11:59:00Z", "2026-11-20T12:59:00Z"],
    ["past 24 hours", "2026-11-19T12:59:00Z", "2026-11-20T12:59:00Z"],
    ["last 90 minutes", "2026-11-20T11:29:00Z", "2026-11-20T12:59:00Z"],
  ])("%s ends with this minute, whatever the zone", (timeframe, after, before) => {
    expect(findWindow(timeframe, "Asia/Kolkata", "2026-11-20T12:58:07.5Z")).toBe(`${after} ${before}`);
  });

  test("months and weekdays are those of the timezone's calendar", () => {
    expect(findWindow("December", "Pacific/Kiritimati", "2026-11-30T12:00:00Z")).toBe(
      "2026-11-30T10:00:00Z 2026-12-31T10:00:00Z",
    );
    expect(findWindow("Saturday", "Asia/Tokyo", "2026-11-20T15:00:00Z")).toBe(
      "2026-11-20T15:00:00Z 2026-11-21T15:00:00Z",
    );
  });

  test("a week that began in the last year", () => {
    expect(findWindow("this week", "UTC", "2027-01-01T09:00:00Z")).toBe("2026-12-28T00:00:00Z 2027-01-04T00:00:00Z");
    expect(findWindow("last month", "UTC", "2027-01-31T09:00:00Z")).toBe("2026-12-01T00:00:00Z 2027-01-01T00:00:00Z");
  });
});

describe("local days", () => {
  test.each([
    ["yesterday", "Asia/Tokyo", "2026-05-01T15:00:00Z", "2026-04-30T15:00:00Z", "2026-05-01T15:00:00Z"],
    ["today", "america/los_angeles", "2026-05-01T06:59:59Z", "2026-04-30T07:00:00Z", "2026-05-01T07:00:00Z"],
    ["2026-03-08", "America/Los_Angeles", noon, "2026-03-08T08:00:00Z", "2026-03-09T07:00:00Z"],
    ["last week", "Europe/Paris", "2026-03-31T12:00:00Z", "2026-03-22T23:00:00Z", "2026-03-29T22:00:00Z"],
    // The clocks go from 00:00 to 01:00: the day starts at 01:00.
    ["2022-09-11", "America/Santiago", noon, "2022-09-11T04:00:00Z", "2022-09-12T03:00:00Z"],
    // The clocks go from 01:00 back to 00:00: midnight comes twice, the first begins the day.
    ["2026-11-01", "America/Havana", noon, "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"],
    // The clocks go from 00:01 back to 23:01 of the day before.
    ["2010-11-07", "America/St_Johns", noon, "2010-11-07T02:30:00Z", "2010-11-08T03:30:00Z"],
    // Samoa went from the 29th to the 31st.
    ["2011-12-30", "Pacific/Apia", noon, "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z"],
    ["last 1 day", "Pacific/Kiritimati", "2026-11-20T10:00:00Z", "2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z"],
    ["2026-11-20", "Asia/Saigon", noon, "2026-11-19T17:00:00Z", "2026-11-20T17:00:00Z"],
    ["2026-11-20", "Etc/GMT+5", noon, "2026-11-20T05:00:00Z", "2026-11-21T05:00:00Z"],
    ["2026-07-04", "PST8PDT", noon, "2026-07-04T07:00:00Z", "2026-07-05T07:00:00Z"],
  ])("%s in %s at %s", (timeframe, timezone, now, after, before) => {
    expect(findWindow(timeframe, timezone, now)).toBe(`${after} ${before}`);
  });

  test("every second of a window carries a date of the window, and the seconds around it don't", () => {
    const timezones = Intl.supportedValuesOf("timeZone");
    const arbitraryDay = fc.date({ min: new Date("1975-01-02"), max: new Date("2037-12-30"), noInvalidDate: true });
    fc.assert(
      fc.property(fc.constantFrom(...timezones), arbitraryDay, (timezone, day) => {
        const date = day.toISOString().slice(0, 10);
        const wall = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short" });
        const [after, before] = findWindow(date, timezone).split(" ").map(Date.parse) as [number, number];
        expect(wall.format(after - 1000) < date && wall.format(before) > date).toBe(true);
        if (before > after) expect([wall.format(after), wall.format(before - 1000)]).toEqual([date, date]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("refusals", () => {
  test.each([
    "",
    "soon",
    "tomorrow",
    "lastweek",
    "2026-3-1",
    "20261120",
    "2026/11/20",
    "2026-11",
    "2026-11-20T00:00:00Z",
    "2026-11-20 today",
    "+002026-11-20",
    "-2026-11-20",
    "２０２６-11-20",
    "2026\u201011\u201020",
    "last 0 days",
    "last 367 days",
    "last -3 days",
    "last 1.5 days",
    "last 99999999999999999999 days",
    "from:2026-11-01",
    "to:2026-11-01",
    "from:2026-11-01to:2026-11-02",
    "from:today to:2026-11-20",
    "from:yesterday to:today",
    "next week",
    "this Monday week",
    "the other day",
    "Smarch 2026",
    "March 26",
    "March 1",
    "on March",
    "mo",
    "since yesterday",
    "since March",
    "last 53 weeks",
    "last 0 weeks",
    "this 3 days",
    "last 3 months",
    "last March",
  ])("%j is no timeframe, and the message gives examples", (timeframe) => {
    const { code, message } = getRefusal(timeframe);
    expect(code).toBe("invalid_timeframe");
    expect(message).toContain('such as "');
  });

  test.each([
    "2026-02-29",
    "2100-02-29",
    "2026-11-31",
    "2026-00-01",
    "2026-01-00",
    "0000-01-01",
    "9999-12-31",
    "9999-01-01",
    "from:2026-11-01 to:2026-11-31",
    "since 2026-02-30",
    "March 0000",
    "December 9999",
  ])("%s holds no date of the calendar", (timeframe) => {
    expect(getRefusal(timeframe).code).toBe("invalid_date");
  });

  test("a range that ends before it begins is refused with the right order", () => {
    expect(getRefusal("from:2026-11-20 to:2026-11-19")).toMatchObject({
      code: "inverted_range",
      message: expect.stringContaining('"from:2026-11-19 to:2026-11-20"'),
    });
  });

  test("a beginning in the future is refused with a day in the past", () => {
    expect(getRefusal("since 2026-11-21")).toMatchObject({
      code: "inverted_range",
      message: expect.stringContaining('"since 2026-11-13"'),
    });
  });

  test.each([
    "",
    " ",
    "UTC+5",
    "GMT+2",
    "+05:00",
    "-08",
    "Z",
    "Local",
    "PST",
    "IST",
    "Mars/Phobos",
    "Berlin",
    "SystemV/PST8",
    "Europe/Berlin; rm",
    "../UTC",
  ])("%j is no timezone", (timezone) => {
    expect(getRefusal("today", timezone).code).toBe("invalid_timezone");
  });

  test("a long text is cut in the message", () => {
    expect(getRefusal("x".repeat(10_000)).message.length).toBeLessThan(400);
  });
});
