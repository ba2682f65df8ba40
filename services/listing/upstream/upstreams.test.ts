import type { ListingSite } from "@agent-backends/testing";
import { startListingSite } from "@agent-backends/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createListingSite } from "./listing-site.ts";
import { createPostJson } from "./post-json.ts";
import { createSearchIndex } from "./search-index.ts";

let site: ListingSite;
let http: ReturnType<typeof createPostJson>;
beforeEach(async () => {
  http = createPostJson(() => undefined);
  site = await startListingSite();
});
afterEach(async () => {
  await http.close();
  await site.close();
});

const search = (query: string) =>
  createSearchIndex({
    ...{ url: site.searchUrl, index: "posts", applicationId: "APP", apiKey: "public-key" },
    pagesUrl: "https://listing.example/posts/",
    timeoutMs: 5_000,
    ...http,
  })({ query, limit: 10 });

describe("the listing site's client", () => {
  it.each(["limited", "spent"] as const)("leaves a site alone whose budget is %s until its reset", async (kind) => {
    let clock = 0;
    const now = () => clock;
    const posts = createListingSite({ url: site.graphqlUrl, token: "secret", timeoutMs: 5_000, ...http, now });
    site.posts = [{ id: "p" }];
    site.behaviour = { kind, resetSeconds: 359 };
    await posts({ order: "VOTES" }).catch(() => undefined);
    clock = 358_999;
    await expect(posts({ order: "VOTES" })).rejects.toMatchObject({ reason: "rate_limited" });
    expect(site.requests).toHaveLength(1);
    clock = 359_000;
    site.behaviour = { kind: "well" };
    expect((await posts({ order: "VOTES" })).products).toHaveLength(1);
  });
});

describe("the search index's client", () => {
  it("makes products of hits, with their page on the site", async () => {
    site.hits = [
      {
        objectID: "9",
        id: 9,
        name: "Inkotter",
        tagline: "Writes",
        slug: "ink otter",
        website_url: "https://inkotter.example",
        votes_count: 5,
        description: null,
        created_at: 1_772_366_400,
        topics: ["Writing", { name: "Markdown" }],
        thumbnail: { url: "https://files.example/x.png" },
        _highlightResult: { name: { value: "<em>Ink</em>otter" } },
      },
      { objectID: "10", name: "Linked", url: "/posts/linked" },
      { name: "no id" },
      "no object",
    ];
    expect((await search("ink")).products).toEqual([
      {
        id: "9",
        name: "Inkotter",
        tagline: "Writes",
        url: "https://listing.example/posts/ink%20otter",
        website: "https://inkotter.example",
        votesCount: 5,
        createdAt: "2026-03-01T12:00:00Z",
        topics: ["Writing", "Markdown"],
        thumbnailUrl: "https://files.example/x.png",
      },
      { id: "10", name: "Linked", tagline: "", url: "https://listing.example/posts/linked", votesCount: null },
    ]);
  });

  it("sends no more of a long query than the index takes", async () => {
    await search("ü".repeat(400));
    expect(site.requests[0]?.body.query).toBe("ü".repeat(256));
  });
});
