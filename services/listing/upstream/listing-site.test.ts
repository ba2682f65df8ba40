import type { ListingSite, SitePost } from "@agent-backends/testing";
import { startListingSite } from "@agent-backends/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createListingSite } from "./listing-site.ts";
import { createPostJson } from "./post-json.ts";
import type { PostsQuery } from "./source.ts";

const window = { postedAfter: "2026-03-01T08:00:00Z", postedBefore: "2026-03-02T08:00:00Z" };
const inWindow = "2026-03-01T12:00:00Z";
const manyPosts = (count: number, fields: (index: number) => Partial<SitePost>): SitePost[] =>
  Array.from({ length: count }, (_, index) => ({ id: `p${index}`, ...fields(index) }));

let site: ListingSite;
let http: ReturnType<typeof createPostJson>;
let clock: number;
beforeEach(async () => {
  clock = 0;
  http = createPostJson(() => undefined);
  site = await startListingSite();
});
afterEach(async () => {
  await http.close();
  await site.close();
});

const client = (options: { token?: string; timeoutMs?: number } = {}) =>
  createListingSite({
    url: site.graphqlUrl,
    token: "secret",
    timeoutMs: 5_000,
    postJson: http.postJson,
    now: () => clock,
    ...options,
  });
const idsOf = async (query: PostsQuery) => (await client()(query)).products.map(({ id }) => id);

describe("the listing site's client", () => {
  it("asks for the leaders by votes, with its token", async () => {
    site.posts = manyPosts(3, (index) => ({ votesCount: index }));
    expect(await idsOf({ order: "VOTES" })).toEqual(["p2", "p1", "p0"]);
    expect(site.requests[0]?.headers.authorization).toBe("Bearer secret");
    expect(site.requests[0]?.body.variables).toEqual({ order: "VOTES", first: 20 });
  });

  it("asks for a window by the site's ranking, and sorts by votes itself", async () => {
    site.posts = manyPosts(3, (index) => ({ votesCount: index, featuredAt: inWindow }));
    expect(await idsOf({ order: "RANKING", window })).toEqual(["p2", "p1", "p0"]);
    expect(site.requests[0]?.body.variables).toEqual({ order: "RANKING", first: 20, ...window });
  });

  it("leaves out posts of other days that the ranking gives, and reads on until it has a page full", async () => {
    site.strictDays = false;
    site.posts = manyPosts(70, (index) => ({ featuredAt: index % 3 === 0 ? inWindow : "2026-02-27T12:00:00Z" }));
    const { products, complete } = await client()({ order: "RANKING", window });
    expect(products).toHaveLength(20);
    expect(products.every(({ featuredAt }) => featuredAt === inWindow)).toBe(true);
    expect(complete).toBe(false);
    expect(site.requests).toHaveLength(3);
  });

  it("takes the window as half-open, and the day of creation where a post was not featured", async () => {
    site.strictDays = false;
    site.posts = [
      { id: "first second", featuredAt: window.postedAfter },
      { id: "one past", featuredAt: window.postedBefore },
      { id: "just before", featuredAt: "2026-03-01T07:59:59Z" },
      { id: "created", createdAt: inWindow, featuredAt: null },
      { id: "featured later", createdAt: inWindow, featuredAt: "2026-03-03T12:00:00Z" },
      { id: "undated", createdAt: null, featuredAt: null },
    ];
    expect((await idsOf({ order: "RANKING", window })).toSorted()).toEqual(["created", "first second"]);
  });

  it("reads 5 pages at most, and says that there is more", async () => {
    site.strictDays = false;
    site.posts = manyPosts(200, (index) => ({ featuredAt: index === 0 ? inWindow : "2026-02-27T12:00:00Z" }));
    const { products, complete } = await client()({ order: "RANKING", window });
    expect([products.length, complete, site.requests.length]).toEqual([1, false, 5]);
  });

  it("counts what is redacted, null or of the wrong kind as not known", async () => {
    site.posts = [
      {
        id: "p",
        name: null,
        tagline: "[REDACTED]",
        url: "javascript:x",
        votesCount: "many",
        thumbnail: 7,
        topics: null,
      },
    ];
    expect((await client()({ order: "VOTES" })).products).toEqual([
      {
        id: "p",
        name: "(name not given)",
        tagline: "",
        url: "",
        votesCount: null,
        commentsCount: 0,
        website: expect.any(String),
      },
    ]);
  });

  it.each([
    ["is down", { kind: "down" }, "unreachable"],
    ["is limited", { kind: "limited", resetSeconds: 60 }, "rate_limited"],
    ["answers with GraphQL errors", { kind: "errors" }, "failed"],
    ["answers with a page", { kind: "html" }, "failed"],
    ["refuses the token", { kind: "unauthorized" }, "refused"],
    ["redirects", { kind: "redirect", to: "http://127.0.0.1:1/" }, "failed"],
    ["answers with too much", { kind: "huge", bytes: 5_000_000 }, "invalid_answer"],
    ["answers with something else", { kind: "huge", bytes: 10 }, "failed"],
  ] as const)("says why there is no answer when the site %s", async (_what, behaviour, reason) => {
    site.behaviour = behaviour;
    await expect(client()({ order: "VOTES" })).rejects.toMatchObject({ name: "UpstreamError", reason });
    expect(site.requests).toHaveLength(1);
  });

  it("gives up on a site that does not answer in time", async () => {
    site.behaviour = { kind: "slow" };
    await expect(client({ timeoutMs: 50 })({ order: "VOTES" })).rejects.toMatchObject({ reason: "timed_out" });
  });

  it("ends its request when the caller leaves", async () => {
    site.behaviour = { kind: "slow" };
    const caller = new AbortController();
    const call = client()({ order: "VOTES" }, caller.signal);
    await expect.poll(() => site.requests.length).toBe(1);
    caller.abort(new Error("left"));
    await expect(call).rejects.toThrow("left");
    await expect.poll(() => site.requests[0]?.aborted).toBe(true);
  });

  it("does not call without a token", async () => {
    await expect(client({ token: "" })({ order: "VOTES" })).rejects.toMatchObject({ reason: "not_configured" });
    expect(site.requests).toHaveLength(0);
  });

  it.each(["limited", "spent"] as const)("leaves a site alone whose budget is %s until its reset", async (kind) => {
    const posts = client();
    site.posts = manyPosts(1, () => ({}));
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
