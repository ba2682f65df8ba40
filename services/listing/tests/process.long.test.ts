import { listingActions } from "@agent-backends/contract";
import { answer, runToExit, startListingSite, startScriptedProvider } from "@agent-backends/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ReadAnswer } from "./answers.ts";
import { ask, readAnswer, readJson } from "./answers.ts";
import type { ListingProcess } from "./listing-process.ts";
import { mainModule, startListing } from "./listing-process.ts";

const site = await startListingSite();
const provider = await startScriptedProvider();
afterAll(async () => {
  await provider.close();
  await site.close();
});
beforeEach(() => {
  site.behaviour = { kind: "well" };
  site.requests.length = 0;
  provider.script(answer.text("Fine."));
  provider.requests.length = 0;
});

/** One process for the tests of a block. */
function runningService(variables: () => Record<string, string>): { current: ListingProcess } {
  const service = {} as { current: ListingProcess };
  beforeAll(async () => {
    service.current = await startListing({ LLM_BASE_URL: provider.baseUrl, ...variables() });
  });
  afterAll(async () => {
    await service.current.end();
  });
  return service;
}
const withSite = () => ({ LISTING_API_URL: site.graphqlUrl, LISTING_API_TOKEN: "test-token" });
async function get(service: ListingProcess, path: string) {
  const response = await fetch(`${service.baseUrl}${path}`);
  return { status: response.status, body: await readJson(response) };
}
it("the service does not start without the provider's key: one line, exit code 1", async () => {
  const { code, lines } = await runToExit(mainModule, {});
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringContaining("LLM_API_KEY")]);
});

describe("a service without a token and without search settings", () => {
  const service = runningService(() => ({ LISTING_API_URL: site.graphqlUrl }));

  it("gives empty lists and no error, and warns once for each", async () => {
    const top = await readJson(await service.current.post("/tools/top"));
    expect(top).toMatchObject({ posts: [], status: "unavailable", reason: "not_configured" });
    const search = await readJson(await service.current.post("/tools/search", { query: "notes" }));
    expect(search).toMatchObject({ hits: [], status: "unavailable", reason: "not_configured" });
    const { frames, text, data } = await readAnswer(await service.current.post("/agent", ask("top products")));
    expect(frames.map(({ type }) => type)).not.toContain("error");
    expect(text).toContain("is not configured for this service");
    expect(data.at(-1)).toBe("[DONE]");
    expect(site.requests).toHaveLength(0);
    const warnings = service.current.log.filter(({ level }) => level === 40).map(({ msg }) => msg);
    expect(warnings).toEqual([
      expect.stringContaining("LISTING_API_TOKEN"),
      expect.stringContaining("LISTING_SEARCH_APP_ID"),
    ]);
  });
});

describe("a service with its defaults", () => {
  const service = runningService(() => ({ ...withSite(), LISTING_AGENT_MODEL: "some-model" }));

  it("says how it is, and nothing secret", async () => {
    expect(await get(service.current, "/health")).toEqual({
      status: 200,
      body: { status: "ok", agent_initialized: true },
    });
    expect((await get(service.current, "/ready")).status).toBe(200);
    const { body } = await get(service.current, "/");
    expect(body).toEqual({
      service: "listing",
      version: "0.1.0",
      model: "some-model",
      source: new URL(site.graphqlUrl).host,
      timezone: "America/Los_Angeles",
      token_configured: true,
      search_configured: false,
      actions: [...listingActions],
      agent_initialized: true,
    });
    expect(JSON.stringify([service.current.log, service.current.printed])).not.toMatch(/test-token|sk-test-secret/);
    expect(service.current.log.filter(({ msg }) => msg?.includes("listens on"))).toHaveLength(1);
  });

  it("asks the site once for equal questions while its answer is fresh", async () => {
    site.posts = [{ id: "a" }];
    await Promise.all([1, 5, 20, 5].map((limit) => service.current.post("/tools/top", { limit })));
    await service.current.post("/tools/top");
    expect(site.requests).toHaveLength(1);
  });
});

const findResult = ({ frames }: ReadAnswer) =>
  (frames[1] as unknown as { result: { status: string; as_of: string } }).result;

describe("a service that forgets soon", () => {
  const service = runningService(() => ({
    ...withSite(),
    LISTING_SEARCH_URL: site.searchUrl,
    LISTING_CACHE_TTL_MS: "1",
    STREAM_HEARTBEAT_MS: "20",
  }));

  it("gives its last answer, marked with its time, while the site fails", async () => {
    site.posts = [{ id: "a", name: "Inkotter", votesCount: 7 }];
    const fresh = await readJson(await service.current.post("/tools/top"));
    site.behaviour = { kind: "down" };
    await expect.poll(async () => (await readJson(await service.current.post("/tools/top"))).status).toBe("stale");
    const stale = await readJson(await service.current.post("/tools/top"));
    expect(stale).toMatchObject({ posts: fresh.posts, as_of: fresh.as_of, reason: "unreachable" });
  });

  it.each(["top products", "top products of 2026-03-01", "find kanban boards"])(
    "tells the user how old its last answer is, while the site fails: %s",
    async (message) => {
      site.posts = [{ id: "a", name: "Inkotter", votesCount: 7, featuredAt: "2026-03-01T20:00:00Z" }];
      site.hits = [{ objectID: "a", name: "Inkotter", votes_count: 7 }];
      const before = await readAnswer(await service.current.post("/agent", ask(message)));
      site.behaviour = { kind: "down" };
      let result = findResult(before);
      let text = "";
      await expect
        .poll(async () => {
          const answer = await readAnswer(await service.current.post("/agent", ask(message)));
          [result, text] = [findResult(answer), answer.text];
          return result;
        })
        .toMatchObject({ status: "stale", as_of: result.as_of, age_seconds: expect.any(Number) });
      expect(text).toMatch(/\| 1 \| \[?Inkotter/);
      expect(text).toMatch(
        new RegExp(`This is \\d+ seconds? old, as of ${result.as_of}: asked again now, the source can't be reached.`),
      );
    },
  );

  it("sends heartbeats in a silent stream", async () => {
    const gate = Promise.withResolvers<void>();
    const late = `data: {"choices":[{"index":0,"delta":{"content":"Late."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
    provider.script(answer.bytes([gate.promise, late]));
    const response = await service.current.post("/agent", ask("When should I launch?"));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toMatch(/^(: keep-alive\n\n)+$/);
    gate.resolve();
    let rest = "";
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) rest += part.value;
    expect(rest).toContain('"content":"Late."');
    expect(rest).toMatch(/data: \[DONE\]\n\n$/);
  });
});
