import type { ListingSite } from "@agent-backends/testing";
import { startListingSite } from "@agent-backends/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

const search = (query: string, limit: number, url: string | undefined = site.searchUrl) =>
  createSearchIndex({
    url,
    index: "Post production",
    applicationId: "APP",
    apiKey: "public-key",
    pagesUrl: "https://listing.example/posts/",
    timeoutMs: 5_000,
    postJson: http.postJson,
  })({ query, limit });

describe("the search index's client", () => {
  it("asks the index by its name, with the application's id and key", async () => {
    await search("time tracking", 7);
    expect(site.requests[0]).toMatchObject({
      url: "/1/indexes/Post%20production/query",
      headers: { "x-algolia-application-id": "APP", "x-algolia-api-key": "public-key" },
      body: { query: "time tracking", hitsPerPage: 7 },
    });
  });

  it("trims to the limit what the index gives", async () => {
    site.hits = Array.from({ length: 30 }, (_, id) => ({ id, name: `P${id}` }));
    expect((await search("p", 3)).products.map(({ id }) => id)).toEqual(["0", "1", "2"]);
  });

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
    expect((await search("ink", 10)).products).toEqual([
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
    await search("ü".repeat(400), 5);
    expect(site.requests[0]?.body.query).toBe("ü".repeat(256));
  });

  it.each([
    ["is down", { kind: "down" }, "unreachable"],
    ["limits us", { kind: "limited", resetSeconds: 1 }, "rate_limited"],
    ["refuses the key", { kind: "unauthorized" }, "refused"],
    ["fails", { kind: "html" }, "failed"],
    ["answers with something else", { kind: "errors" }, "invalid_answer"],
  ] as const)("says why there is no answer when the index %s", async (_what, behaviour, reason) => {
    site.behaviour = behaviour;
    await expect(search("x", 5)).rejects.toMatchObject({ reason });
  });
});
