import { beforeEach, describe, expect, it } from "vitest";
import { readJson } from "./answers.ts";
import { startUnderTest } from "./under-test.ts";

const { site, service } = await startUnderTest({
  LISTING_AGENT_MAX_ITEMS: "3",
  LISTING_TIMEZONE: "UTC",
  LISTING_SEARCH_INDEX: "Post production",
});
/** What is limited asks no more until its reset: a service of its own. */
const limited = await startUnderTest();
beforeEach(() => {
  site.posts = Array.from({ length: 45 }, (_, index) => ({
    id: `p${index}`,
    name: `Product ${index}`,
    votesCount: index,
    featuredAt: "2026-03-01T12:00:00Z",
  }));
  site.hits = Array.from({ length: 60 }, (_, id) => ({ objectID: String(id), id, name: `Hit ${id}`, votes_count: id }));
});

const call = async (tool: string, body?: unknown) => {
  const response = await service.post(`/tools/${tool}`, body);
  return { status: response.status, body: await readJson(response) };
};

it("a client of OpenAI's interface is told which service has it", async () => {
  const response = await service.post("/v1/chat/completions", {});
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining("only the Knowledge service has") },
  });
});

describe("how much there is", () => {
  const window = { timeframe: "2026-03-01" };

  it("is told in all, and whether the list was cut", async () => {
    expect((await call("top", { limit: 20 })).body).toMatchObject({ total: 45, truncated: true });
    expect((await call("top_timeframe", window)).body).toMatchObject({ total: 45, truncated: true });
    expect((await call("search", { query: "x", limit: 50 })).body).toMatchObject({ total: 60, truncated: true });
    site.posts = site.posts.slice(0, 3);
    expect((await call("top", { limit: 3 })).body).toMatchObject({ total: 3, truncated: false });
    expect((await call("top_timeframe", { ...window, limit: 2 })).body).toMatchObject({ total: 3, truncated: true });
  });

  it("is left open where the site counts launches of other days too, unless all of them were read", async () => {
    site.strictDays = false;
    site.posts.unshift({ id: "stray", featuredAt: "2026-03-05T12:00:00Z" });
    expect((await call("top_timeframe", window)).body).toMatchObject({ truncated: true });
    expect((await call("top_timeframe", window)).body).not.toHaveProperty("total");
    site.posts = site.posts.slice(0, 8);
    expect((await call("top_timeframe", { ...window, limit: 20 })).body).toMatchObject({ total: 7, truncated: false });
  });

  it("is not cut where nothing is known", async () => {
    site.behaviour = { kind: "down" };
    const { body } = await call("top");
    expect(body).toMatchObject({ status: "unavailable", truncated: false });
    expect(body).not.toHaveProperty("total");
  });
});

describe("when the site limits the rate of requests", () => {
  it("a list is empty and says when to try again, in its body and as Retry-After", async () => {
    const { site, service } = limited;
    site.behaviour = { kind: "limited", resetSeconds: 359 };
    for (const _time of ["first", "second"]) {
      const response = await service.post("/tools/top", {});
      expect(response.status).toBe(200);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(300);
      const body = await readJson(response);
      expect(body).toMatchObject({ status: "unavailable", reason: "rate_limited", posts: [] });
      expect(body.retry_after_seconds).toBe(Number(response.headers.get("retry-after")));
    }
    expect(site.requests).toHaveLength(1);
  });
});

describe("POST /tools/top", () => {
  it("gives the leaders by votes, with a table", async () => {
    const { status, body } = await call("top", { limit: 2 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      action: "top",
      limit: 2,
      order: "VOTES",
      status: "ok",
      source: "the stand-in",
      posts: [
        {
          id: "p44",
          name: "Product 44",
          tagline: "What p44 does",
          url: "https://listing.example/posts/p44",
          votesCount: 44,
        },
        { id: "p43" },
      ],
    });
    expect(body.as_of).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(body.table.split("\n")).toHaveLength(4);
    expect(site.requests[0]).toMatchObject({
      headers: { authorization: "Bearer test-token" },
      body: { variables: { order: "VOTES", first: 20 } },
    });
  });

  it.each([
    ["no body", undefined],
    ["an empty body", ""],
    ["an empty object", {}],
    ["null as the limit", { limit: null, unknown: 1 }],
  ])("takes its limit from LISTING_AGENT_MAX_ITEMS with %s", async (_what, body) => {
    expect((await call("top", body)).body).toMatchObject({ limit: 3, posts: { length: 3 } });
  });

  it.each([
    [0, 1],
    [-5, 1],
    [4.9, 4],
    [1000, 20],
    [1e300, 20],
  ])("clamps a limit of %d to %d", async (limit, clamped) => {
    expect((await call("top", { limit })).body).toMatchObject({ limit: clamped, posts: { length: clamped } });
  });

  it("clamps a number that no double can hold", async () => {
    expect((await call("top", '{"limit": 1e999}')).body.limit).toBe(20);
  });

  it.each(["5", true, [], {}])("refuses %j as a limit", async (limit) => {
    const { status, body } = await call("top", { limit });
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ pointer: "/limit", detail: "must be a number" }]);
  });

  it.each(["[]", '"top"', "5"])("refuses %s as a body", async (body) => {
    expect((await call("top", body)).status).toBe(422);
  });

  it("takes an empty form as no body, which curl -d '' sends", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await service.post("/tools/top", "", { headers })).status).toBe(200);
    expect((await service.post("/tools/top", "limit=2", { headers })).status).toBe(415);
  });

  it.each(["null", "[]", "5"])("refuses %s as the body: it may be absent, but else it is an object", async (body) => {
    const answer = await call("top", body);
    expect([answer.status, answer.body.detail]).toEqual([422, expect.stringContaining("JSON object")]);
  });
});

describe("conditions of a top list", () => {
  it.each([
    [{ topic: "developer tools" }, ["c"]],
    [{ excluded_topics: ["AI", "constructor"] }, ["b", "c"]],
    [{ min_votes: 5, max_votes: 8 }, ["b"]],
    [{ sort: "comments" }, ["c", "b", "a"]],
    [{ sort: "name" }, ["c", "b", "a"]],
    [{ sort: "name", ascending: false }, ["a", "b", "c"]],
    [{ sort: "date" }, ["b", "a", "c"]],
    [{ sort: "date", ascending: true, excluded_topics: ["ai"] }, ["c", "b"]],
    [{ topic: "constructor" }, []],
  ])("%j", async (conditions, ids) => {
    site.posts = [
      { id: "a", name: "Zed AI", votesCount: 9, commentsCount: 1, featuredAt: "2026-03-02T00:00:00Z" },
      { id: "b", name: "Mid", votesCount: 5, commentsCount: 2, featuredAt: "2026-03-03T00:00:00Z" },
      { id: "c", name: "Ace", tagline: "A developer's tools", votesCount: null, featuredAt: "2026-03-01T00:00:00Z" },
    ].map((post) => ({ commentsCount: 3, ...post }));
    const { body } = await call("top", conditions);
    expect(body.posts.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(body.examined).toBe(3);
  });

  it.each([
    [{ sort: "best" }, "/sort", "must be one of votes, comments, date, name"],
    [{ excluded_topics: "ai" }, "/excluded_topics", "must be a list of texts"],
    [{ min_vote: 5 }, "/min_vote", expect.stringContaining("min_votes")],
  ])("%j is refused", async (conditions, pointer, detail) => {
    const { status, body } = await call("top_timeframe", { timeframe: "today", ...conditions });
    expect([status, body.errors]).toEqual([422, [{ pointer, detail }]]);
  });
});

describe("POST /tools/top_timeframe", () => {
  it("gives the window and only posts that lie in it, by votes", async () => {
    site.strictDays = false;
    site.posts = [
      { id: "before", featuredAt: "2026-02-28T23:59:59Z", votesCount: 9 },
      { id: "small", featuredAt: "2026-03-01T00:00:00Z", votesCount: 1 },
      { id: "large", createdAt: "2026-03-01T23:59:59Z", featuredAt: null, votesCount: 5 },
      { id: "after", featuredAt: "2026-03-02T00:00:00Z", votesCount: 9 },
      { id: "later", createdAt: "2026-03-01T12:00:00Z", featuredAt: "2026-03-03T12:00:00Z", votesCount: 9 },
      { id: "undated", createdAt: null, featuredAt: null, votesCount: 9 },
    ];
    const { body } = await call("top_timeframe", { timeframe: "2026-03-01", limit: 10 });
    expect(body).toMatchObject({
      action: "top_timeframe",
      limit: 10,
      order: "RANKING",
      timeframe: {
        label: "2026-03-01",
        input: "2026-03-01",
        tz: "UTC",
        postedAfter: "2026-03-01T00:00:00Z",
        postedBefore: "2026-03-02T00:00:00Z",
      },
      posts: [{ id: "large" }, { id: "small" }],
    });
    expect(site.requests[0]?.body.variables).toMatchObject({
      order: "RANKING",
      postedAfter: "2026-03-01T00:00:00Z",
      postedBefore: "2026-03-02T00:00:00Z",
    });
  });

  it("takes the days of a timezone that is given", async () => {
    const { body } = await call("top_timeframe", { timeframe: "from:2026-03-01 to:2026-03-02", tz: "Asia/Tokyo" });
    expect(body.timeframe).toMatchObject({
      tz: "Asia/Tokyo",
      postedAfter: "2026-02-28T15:00:00Z",
      postedBefore: "2026-03-02T15:00:00Z",
    });
  });

  it.each([
    ["a date that does not exist", { timeframe: "2026-02-30" }, "/timeframe", /2026-02-30/],
    ["an inverted range", { timeframe: "from:2026-03-02 to:2026-03-01" }, "/timeframe", /./],
    ["an unknown phrase", { timeframe: "the other day" }, "/timeframe", /the other day/],
    ["an unknown timezone", { timeframe: "today", tz: "Mars/Olympus" }, "/tz", /Mars\/Olympus/],
    ["a blank timeframe", { timeframe: " " }, "/timeframe", /blank/],
    ["no timeframe", {}, "/timeframe", /./],
    ["a timeframe that is no text", { timeframe: 7 }, "/timeframe", /text/],
  ])("refuses %s with 422 and says so", async (_what, request, pointer, detail) => {
    const { status, body } = await call("top_timeframe", request);
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ pointer, detail: expect.stringMatching(detail) }]);
    expect(site.requests).toHaveLength(0);
  });
});

describe("POST /tools/search", () => {
  it("gives hits with a table, trimmed to the limit", async () => {
    const { body } = await call("search", { query: " notes ", limit: 2 });
    expect(body).toMatchObject({
      action: "search",
      query: "notes",
      limit: 2,
      status: "ok",
      hits: [{ id: "0", name: "Hit 0" }, { id: "1" }],
    });
    expect(body.table.split("\n")).toHaveLength(4);
    expect(site.requests[0]).toMatchObject({
      url: "/1/indexes/Post%20production/query",
      headers: { "x-algolia-application-id": "APP", "x-algolia-api-key": "public" },
      body: { query: "notes", hitsPerPage: 2 },
    });
  });

  it("clamps its limit to 50", async () => {
    expect((await call("search", { query: "x", limit: 99 })).body).toMatchObject({ limit: 50, hits: { length: 50 } });
  });

  it.each([{}, { query: "" }, { query: "  " }, { query: null }, { query: 5 }])("refuses %j", async (request) => {
    const { status, body } = await call("search", request);
    expect([status, body.errors[0].pointer]).toEqual([422, "/query"]);
  });
});

describe("POST /tools/confetti", () => {
  it("gives the payload of an animation with its defaults", async () => {
    const { status, body } = await call("confetti");
    expect(status).toBe(200);
    expect(body).toEqual({
      action: "CONFETTI",
      colors: expect.arrayContaining([expect.stringMatching(/^#[0-9a-f]{6}$/)]),
      particleCount: 200,
      spread: 90,
      startVelocity: 45,
      origin: { x: 0.5, y: 0.5 },
      shapes: ["square", "circle"],
      ticks: 200,
      disableSound: true,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it("takes colours and clamps the number of particles", async () => {
    expect((await call("confetti", { colors: ["#fff", "#00FF00"], particleCount: 5 })).body).toMatchObject({
      colors: ["#fff", "#00FF00"],
      particleCount: 20,
    });
    expect((await call("confetti", { particleCount: 99_999 })).body.particleCount).toBe(1000);
  });

  it("refuses values that aren't hex colours and names each", async () => {
    const { status, body } = await call("confetti", { colors: ["#fff", "red", "#12345", 7] });
    expect(status).toBe(422);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/colors/1",
      "/colors/2",
      "/colors/3",
    ]);
  });
});

describe("when the site fails", () => {
  it.each([
    { kind: "down" },
    { kind: "errors" },
    { kind: "html" },
    { kind: "unauthorized" },
    { kind: "redirect", to: "http://127.0.0.1:1/" },
  ] as const)("a list is empty and says that the source is not available: %j", async (behaviour) => {
    site.behaviour = behaviour;
    const top = await call("top");
    expect([top.status, top.body.posts, top.body.status]).toEqual([200, [], "unavailable"]);
    expect(top.body).not.toHaveProperty("as_of");
    const search = await call("search", { query: "x" });
    expect([search.status, search.body.hits, search.body.status]).toEqual([200, [], "unavailable"]);
  });

  it("an index that limits us gives blank results", async () => {
    site.behaviour = { kind: "limited", resetSeconds: 1 };
    expect((await call("search", { query: "x" })).body).toMatchObject({
      hits: [],
      status: "unavailable",
      reason: "rate_limited",
    });
  });

  it("nothing that the site said in its error reaches the client or the log, and no key does", async () => {
    site.behaviour = { kind: "html" };
    const answer = JSON.stringify((await call("top")).body);
    for (const secret of ["Service Unavailable", "test-token", "sk-test-secret"]) {
      expect(answer).not.toContain(secret);
      expect(JSON.stringify([service.log, service.printed])).not.toContain(secret);
    }
    await expect.poll(() => JSON.stringify(service.log)).toContain("The listing source failed");
  });

  it("an empty list is not the same as no answer", async () => {
    site.posts = [];
    expect((await call("top")).body).toMatchObject({ posts: [], status: "empty", as_of: expect.any(String) });
  });

  it("a client that leaves ends the request to the site", async () => {
    site.behaviour = { kind: "slow" };
    const client = new AbortController();
    const left = service.post("/tools/top", {}, { signal: client.signal });
    await expect.poll(() => site.requests.length).toBe(1);
    client.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => site.requests[0]?.aborted).toBe(true);
  });
});

describe("fields that are no fields", () => {
  it.each([
    ["top", { top_k: 3 }, "/top_k", "`limit`"],
    ["top_timeframe", { timeframe: "today", time_zone: "UTC" }, "/time_zone", "`tz`"],
    ["search", { query: "x", limits: 3 }, "/limits", "`limit`"],
    ["confetti", { particle_count: 3, color: [] }, "/particle_count", "`particleCount`"],
    ["top?limit=3", {}, "/limit", "belongs in the body"],
  ])("are refused where they stand for others: %s %j", async (tool, body, pointer, detail) => {
    const refused = await call(tool, body);
    expect(refused.status).toBe(422);
    expect(refused.body.errors[0]).toEqual({ pointer, detail: expect.stringContaining(detail) });
  });

  it("are named in warnings otherwise, also beside a cached payload", async () => {
    const warnings = [{ pointer: "/user", detail: expect.any(String) }];
    expect((await call("top", { user: "u" })).body).toMatchObject({ action: "top", warnings });
    expect((await call("top", { user: "u" })).body).toMatchObject({ action: "top", warnings });
    expect((await call("top")).body).not.toHaveProperty("warnings");
  });

  it.each([
    [{ toolParams: { timezone: "UTC" } }, "/toolParams/timezone", "use `tz`"],
    [{ timeframe: "yesterday" }, "/timeframe", "belongs in `tool_params`"],
    [{ limit: 3 }, "/limit", "belongs in `tool_params`"],
  ])("are refused by the agent too: %j", async (fields, pointer, detail) => {
    const response = await service.post("/agent", { messages: [{ role: "user", content: "top" }], ...fields });
    expect([response.status, await readJson(response)]).toMatchObject([
      422,
      { errors: [{ pointer, detail: expect.stringContaining(detail) }] },
    ]);
  });
});
