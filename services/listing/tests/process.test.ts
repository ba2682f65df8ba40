import type { ListingSite, ScriptedProvider } from "@agent-backends/testing";
import { answer, startListingSite, startScriptedProvider } from "@agent-backends/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, jsonOf, readAnswer } from "./answers.ts";
import type { ListingProcess } from "./listing-process.ts";
import { runListing, startListing } from "./listing-process.ts";

let site: ListingSite;
let provider: ScriptedProvider;
const services: ListingProcess[] = [];
beforeEach(async () => {
  site = await startListingSite();
  provider = await startScriptedProvider();
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.end()));
  await provider.close();
  await site.close();
});

async function start(variables: Record<string, string> = {}): Promise<ListingProcess> {
  const service = await startListing({ LLM_BASE_URL: provider.baseUrl, ...variables });
  services.push(service);
  return service;
}
const withSite = () => ({ LISTING_API_URL: site.graphqlUrl, LISTING_API_TOKEN: "test-token" });
const get = async (service: ListingProcess, path: string) => {
  const response = await fetch(`${service.baseUrl}${path}`);
  return { status: response.status, body: await jsonOf(response) };
};

describe("the service does not start", () => {
  it("without the provider's key: one line, exit code 1", async () => {
    const { code, lines } = await runListing({});
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining("LLM_API_KEY")]);
  });

  it("with malformed variables: one line for each", async () => {
    const { code, lines } = await runListing({
      LLM_API_KEY: "sk-test-secret",
      LISTING_TIMEZONE: "Mars/Olympus",
      LISTING_AGENT_TEMPERATURE: "3",
      LISTING_AGENT_MAX_ITEMS: "many",
      LISTING_API_URL: "ftp://site",
      LISTING_CACHE_TTL_MS: "-1",
      LISTING_SEARCH_APP_ID: "evil.example/",
    });
    expect(code).toBe(1);
    expect(lines.map((line) => line.split(" ")[0]).toSorted()).toEqual([
      "LISTING_AGENT_MAX_ITEMS",
      "LISTING_AGENT_TEMPERATURE",
      "LISTING_API_URL",
      "LISTING_CACHE_TTL_MS",
      "LISTING_SEARCH_APP_ID",
      "LISTING_TIMEZONE",
    ]);
    for (const line of lines) expect(line).toMatch(/must be/);
    expect(lines.join("\n")).not.toContain("sk-test-secret");
  });
});

describe("a service without a token and without search settings", () => {
  it("gives empty lists and no error, and warns once for each", async () => {
    const service = await start({ LISTING_API_URL: site.graphqlUrl });
    const top = await jsonOf(await service.post("/tools/top"));
    expect(top).toMatchObject({ posts: [], status: "unavailable", reason: "not_configured" });
    const search = await jsonOf(await service.post("/tools/search", { query: "notes" }));
    expect(search).toMatchObject({ hits: [], status: "unavailable", reason: "not_configured" });
    const { frames, text, data } = await readAnswer(await service.post("/agent", ask("top products")));
    expect(frames.map(({ type }) => type)).not.toContain("error");
    expect(text).toContain("is not configured for this service");
    expect(data.at(-1)).toBe("[DONE]");
    expect(site.requests).toHaveLength(0);
    const warnings = service.log.filter((line) => JSON.parse(line).level === 40);
    expect(warnings).toEqual([
      expect.stringContaining("LISTING_API_TOKEN"),
      expect.stringContaining("LISTING_SEARCH_APP_ID"),
    ]);
  });
});

describe("a running service", () => {
  it("says how it is, and nothing secret", async () => {
    const service = await start({ ...withSite(), LISTING_AGENT_MODEL: "some-model" });
    expect(await get(service, "/health")).toEqual({ status: 200, body: { status: "ok", agent_initialized: true } });
    expect((await get(service, "/ready")).status).toBe(200);
    const { body } = await get(service, "/");
    expect(body).toEqual({
      service: "listing",
      version: "0.1.0",
      model: "some-model",
      source: new URL(site.graphqlUrl).host,
      timezone: "America/Los_Angeles",
      token_configured: true,
      search_configured: false,
      actions: ["top", "top_timeframe", "search", "confetti", "advice"],
      agent_initialized: true,
    });
    expect(service.log.join("\n")).not.toMatch(/test-token|sk-test-secret/);
    expect(service.log.filter((line) => line.includes("listens on"))).toHaveLength(1);
  });

  it("allows requests from any origin", async () => {
    const service = await start();
    const response = await fetch(`${service.baseUrl}/agent`, {
      method: "OPTIONS",
      headers: {
        origin: "https://chat.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type, authorization",
      },
    });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.ok).toBe(true);
  });

  it("asks the site once for equal questions while its answer is fresh", async () => {
    site.posts = [{ id: "a" }];
    const service = await start(withSite());
    const limits = [1, 5, 20, 5];
    await Promise.all(limits.map((limit) => service.post("/tools/top", { limit })));
    await service.post("/tools/top");
    expect(site.requests).toHaveLength(1);
  });

  it("gives its last answer, marked with its time, while the site fails", async () => {
    site.posts = [{ id: "a", name: "Inkotter", votesCount: 7 }];
    const service = await start({ ...withSite(), LISTING_CACHE_TTL_MS: "1" });
    const fresh = await jsonOf(await service.post("/tools/top"));
    site.behaviour = { kind: "down" };
    await expect.poll(async () => (await jsonOf(await service.post("/tools/top"))).status).toBe("stale");
    const stale = await jsonOf(await service.post("/tools/top"));
    expect(stale).toMatchObject({ posts: fresh.posts, as_of: fresh.as_of, reason: "unreachable" });
    const { text } = await readAnswer(await service.post("/agent", ask("top products")));
    expect(text).toContain("| 1 | [Inkotter]");
    expect(text).toContain(`This is as of ${fresh.as_of}: asked again now, the source can't be reached.`);
  });

  it("sends heartbeats in a silent stream", async () => {
    const gate = Promise.withResolvers<void>();
    provider.script(
      answer.bytes([
        gate.promise,
        'data: {"choices":[{"index":0,"delta":{"content":"Late."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      ]),
    );
    const service = await start({ STREAM_HEARTBEAT_MS: "20" });
    const response = await service.post("/agent", ask("When should I launch?"));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toMatch(/^(: keep-alive\n\n)+$/);
    gate.resolve();
    let rest = "";
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) rest += part.value;
    expect(rest).toContain('"content":"Late."');
    expect(rest).toMatch(/data: \[DONE\]\n\n$/);
  });
});

describe("on SIGTERM", () => {
  it("a running answer may end, new requests are refused, and the exit code is 0", async () => {
    const gate = Promise.withResolvers<void>();
    provider.script(
      answer.bytes([
        gate.promise,
        'data: {"choices":[{"index":0,"delta":{"content":"Done."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      ]),
    );
    const service = await start();
    const running = await service.post("/agent", ask("When should I launch?"));
    await provider.chatRequest();
    service.kill("SIGTERM");
    await expect.poll(async () => (await get(service, "/ready")).status).toBe(503);
    const refused = await service.post("/tools/confetti");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    gate.resolve();
    const { text, data } = await readAnswer(running);
    expect([text, data.at(-1)]).toEqual(["Done.", "[DONE]"]);
    expect(await service.exited).toBe(0);
  });

  it("an answer that outlasts the grace ends with an error and [DONE]", async () => {
    provider.script(answer.hangAfter("Half "));
    const service = await start({ SHUTDOWN_GRACE_MS: "50" });
    const running = await service.post("/agent", ask("When should I launch?"));
    const request = await provider.chatRequest();
    service.kill("SIGTERM");
    const { frames, data } = await readAnswer(running);
    expect(frames.at(-1)).toMatchObject({ type: "error", message: expect.stringContaining("shutting down") });
    expect(data.at(-1)).toBe("[DONE]");
    expect(await service.exited).toBe(0);
    expect(request.aborted).toBe(true);
  });
});
