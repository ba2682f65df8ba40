import type { Behaviour, ListingSite, ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import { startListingSite, startScriptedProvider } from "@agent-backends/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start } from "../observability/services.ts";
import { expectCleanEnd, expectSurvival, post } from "./survival.ts";

let provider: ScriptedProvider;
let site: ListingSite;
let service: ServiceProcess;

beforeAll(async () => {
  [provider, site] = await Promise.all([startScriptedProvider(), startListingSite()]);
  service = await start("listing", {
    LLM_BASE_URL: provider.baseUrl,
    ...site.variables,
    LISTING_TIMEOUT_MS: "500",
    LISTING_CACHE_TTL_MS: "0",
  });
});
afterAll(async () => {
  await expectCleanEnd(service);
  await Promise.all([provider.close(), site.close()]);
});

const send = (path: string, body: object) => post(service.baseUrl + path, body);

const behaviours: Behaviour[] = [
  { kind: "down" },
  { kind: "slow" },
  { kind: "limited", resetSeconds: 1 },
  { kind: "errors" },
  { kind: "html" },
  { kind: "unauthorized" },
  { kind: "redirect", to: "http://127.0.0.1:1/" },
  { kind: "huge", bytes: 50_000_000 },
];

test.each(behaviours)("a listing site that is $kind gives empty lists, and an answer in words", async (behaviour) => {
  site.behaviour = behaviour;
  for (const [path, list] of [
    ["/tools/top", "posts"],
    ["/tools/search", "hits"],
  ] as const) {
    const response = await send(path, { query: `q ${behaviour.kind}` });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ [list]: [] });
  }
  const reply = await send("/agent", { messages: [{ role: "user", content: "What are the top 3 launches today?" }] });
  expect(await reply.text()).toMatch(/"text_message_chunk".*data: \[DONE\]\n\n$/s);
  await expectSurvival(service);
});

test("a site that lies gives only what can be shown", async () => {
  site.behaviour = { kind: "well" };
  site.posts = [
    { id: "a", name: "a | b\n## c", url: "javascript:alert(1)", votesCount: "many", featuredAt: "yesterday" },
    { id: "b", name: null, tagline: 7, url: null, votesCount: -1, createdAt: 5 },
    { id: "c", name: "\u202eevil\u0000", votesCount: 1e300, featuredAt: "2026-01-01T00:00:00Z" },
  ];
  site.hits = [null, 7, "x", { name: {} }, { objectID: "1", name: "<script>alert(1)</script>" }];
  for (const [path, body] of [
    ["/tools/top", {}],
    ["/tools/top_timeframe", { timeframe: "2026-01-01", tz: "UTC" }],
    ["/tools/search", { query: "x" }],
  ] as const) {
    const response = await send(path, body);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toMatch(/javascript:/);
  }
  await expectSurvival(service);
});
