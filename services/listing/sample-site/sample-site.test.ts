import { afterAll, describe, expect, it } from "vitest";
import { resolveTimeframe } from "../timeframe/resolve.ts";
import { createListingSite } from "../upstream/listing-site.ts";
import { createPostJson } from "../upstream/post-json.ts";
import { createSearchIndex } from "../upstream/search-index.ts";
import { startSampleSite } from "./index.ts";

let clock = new Date();
const http = createPostJson(() => undefined);
const site = await startSampleSite({ now: () => clock });
afterAll(async () => {
  await http.close();
  await site.close();
});

const posts = (query: Parameters<ReturnType<typeof createListingSite>>[0]) =>
  createListingSite({ url: site.graphqlUrl, token: "any", timeoutMs: 5_000, postJson: http.postJson, now: Date.now })(
    query,
  );
const search = (query: string) =>
  createSearchIndex({
    url: site.searchUrl,
    index: "Post_production",
    applicationId: "any",
    apiKey: "any",
    pagesUrl: "https://example.com/posts/",
    timeoutMs: 5_000,
    postJson: http.postJson,
  })({ query, limit: 5 });

describe("the sample site", () => {
  it.each([
    "2026-11-20T12:00:00Z",
    "2026-11-20T08:00:05Z",
    "2026-11-23T07:59:59Z",
    "2026-03-01T00:00:00Z",
    "2026-01-01T10:00:00Z",
  ])("has launches of today, yesterday, last week and last month at %s, in the site's own days", async (now) => {
    clock = new Date(now);
    for (const timeframe of ["today", "yesterday", "last week", "last month"]) {
      const window = resolveTimeframe(timeframe, { timezone: "America/Los_Angeles", now: clock });
      const { products } = await posts({ order: "RANKING", window });
      expect(products.length, timeframe).toBeGreaterThan(0);
    }
  });

  it.each(["Asia/Tokyo", "Europe/Berlin", "UTC", "Pacific/Kiritimati"])(
    "has launches of yesterday in %s",
    async (timezone) => {
      clock = new Date("2026-11-20T15:30:00Z");
      const window = resolveTimeframe("yesterday", { timezone, now: clock });
      expect((await posts({ order: "RANKING", window })).products.length).toBeGreaterThan(0);
    },
  );

  it("marks everything as a sample, and links nowhere real", async () => {
    const { products } = await posts({ order: "VOTES" });
    expect(products).toHaveLength(20);
    for (const { name, tagline, url } of products) {
      expect([name, tagline]).toEqual([expect.stringContaining("(sample)"), expect.stringContaining("(sample)")]);
      expect(url).toMatch(/^https:\/\/example\.com\//);
    }
  });

  it("leads with the most votes", async () => {
    const votes = (await posts({ order: "VOTES" })).products.map(({ votesCount }) => votesCount);
    expect(votes[0]).toBe(834);
    expect(votes).toEqual(votes.toSorted((one, other) => Number(other) - Number(one)));
  });

  it("finds launches by their words, and nothing by others", async () => {
    expect((await search("markdown editors")).products.map(({ name }) => name)).toContain("Inkotter (sample)");
    expect((await search("time tracking")).products.map(({ name }) => name)).toContain("Tidyhound (sample)");
    expect((await search("zzzz")).products).toEqual([]);
  });
});
