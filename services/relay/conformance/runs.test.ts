import { HttpAgent } from "@ag-ui/client";
import { RelayClient } from "@agent-backends/client";
import type { RelayProfile } from "@agent-backends/contract";
import type { ScriptedAnswer } from "@agent-backends/testing";
import { answer, patience } from "@agent-backends/testing";
import { fetchServerSentEvents } from "@tanstack/ai-client";
import { EventSource } from "eventsource";
import { expect, test, vi } from "vitest";
import { implementationNames } from "./support/implementations.ts";
import { judge } from "./support/judge.ts";
import { cuttingFetch, gatedRun, readEvents, recordedRun, splitEvents } from "./support/recorded-run.ts";
import { describeReplicas } from "./support/replicas.ts";
import { postAgent, runInput } from "./support/run-inputs.ts";

const profiles: RelayProfile[] = ["contract", "ag-ui"];

let runs = 0;
const newRunId = () => `run ${++runs}/ä`;
const toRunPath = (runId: string) => `/agent/runs/${encodeURIComponent(runId.toWellFormed())}`;

const readFrom = (url: string, runId: string, lastEventId?: string, init: RequestInit = {}) =>
  fetch(`${url}${toRunPath(runId)}`, {
    headers: lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId },
    ...init,
  });

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const toEvents = (stream: string[]) => stream.map((event) => JSON.parse(event.slice(event.indexOf("{"))));

describeReplicas("runs", implementationNames, (replicas) => {
  const start = async (runId: string, query = "", init: RequestInit = {}) =>
    postAgent(replicas.here.url, runInput({ runId }), init, query);

  test.each(profiles)("cut at every event resume elsewhere without losing or repeating one, in %s", async (profile) => {
    replicas.provider.script(recordedRun);
    const uncutId = newRunId();
    const uncut = splitEvents(await (await start(uncutId, `?profile=${profile}`)).text());
    await judge(toEvents(uncut), profile);
    expect(uncut.map((event) => event.split("\n")[0])).toEqual(uncut.map((_, index) => `id: ${index + 1}`));
    for (let count = 0; count < uncut.length; count += 1) {
      const finished = await readFrom(replicas.elsewhere.url, uncutId, String(count || ""));
      expect(await finished.text()).toBe(uncut.slice(count).join(""));

      const live = gatedRun();
      replicas.provider.script(live.answer);
      const runId = newRunId();
      const connection = new AbortController();
      const response = await start(runId, `?profile=${profile}`, { signal: connection.signal });
      const opening = setInterval(() => live.gates.open(1), 1);
      const seen = await readEvents(response, Math.max(count, 1));
      clearInterval(opening);
      connection.abort();
      const resumed = await readFrom(replicas.elsewhere.url, runId, seen.at(-1)?.match(/\d+/)?.[0]);
      live.gates.open();
      const rest = splitEvents(await resumed.text());
      expect([...seen, ...rest]).toHaveLength(uncut.length);
      expect([...seen, ...rest].join("")).toBe(await (await readFrom(replicas.here.url, runId)).text());
    }
  });

  test("of TanStack AI's client resume after every event, and are joined by another one", async () => {
    replicas.provider.script(recordedRun);
    const runId = newRunId();
    const requests = replicas.provider.requests.length;
    const urls = [replicas.here.url, replicas.elsewhere.url];
    const { fetch: fetchClient, asked } = cuttingFetch(urls, 1);
    const connection = fetchServerSentEvents(`${replicas.here.url}/agent?profile=ag-ui`, {
      fetchClient,
      reconnect: { delayMs: 0 },
    });
    const question = { id: "m1", role: "user" as const, parts: [{ type: "text" as const, content: "Hello?" }] };
    const chunks = await collect(connection.connect([question], {}, undefined, { threadId: "t", runId }));
    const stored = toEvents(splitEvents(await (await readFrom(replicas.elsewhere.url, runId)).text()));
    expect(chunks.map(({ type }) => type)).toEqual(stored.map(({ type }) => type));
    expect(chunks.map((chunk) => (chunk as { delta?: string }).delta)).toEqual(stored.map(({ delta }) => delta));
    expect(asked.length).toBe(stored.length);
    expect(replicas.provider.requests.length).toBe(requests + 1);
    if (!connection.joinRun) throw new Error("The client can't join a run.");
    const joined = await collect(connection.joinRun(runId));
    expect(joined.map(({ type }) => type)).toEqual(stored.map(({ type }) => type));
  });

  test("of the typed client resume after every event, and are read again and stopped by it", async () => {
    replicas.provider.script(recordedRun);
    const runId = newRunId();
    const requests = replicas.provider.requests.length;
    const { fetch: fetchCut, asked } = cuttingFetch([replicas.here.url, replicas.elsewhere.url], 1);
    const relay = new RelayClient({ baseUrl: replicas.here.url, fetch: fetchCut, sleep: async () => undefined });
    const messages = [{ id: "m1", role: "user" as const, content: "Hello?" }];
    const events = await collect(relay.stream({ runId, messages }, { profile: "ag-ui" }));
    expect(events).toEqual(toEvents(splitEvents(await (await readFrom(replicas.elsewhere.url, runId)).text())));
    expect(asked).toHaveLength(events.length);
    expect(replicas.provider.requests.length).toBe(requests + 1);
    expect(await collect(relay.resume(runId, { profile: "ag-ui" }))).toEqual(events);
    expect(await collect(relay.resume(runId, { lastEventId: String(events.length) }))).toEqual([]);

    const live = gatedRun();
    replicas.provider.script(live.answer);
    const stopped = collect(relay.stream({ runId: `${runId} stopped`, messages }));
    live.gates.open(2);
    await expect.poll(() => relay.stop(`${runId} stopped`)).toBe(true);
    await expect(stopped).rejects.toThrow(/stopped/);
    expect(await relay.stop("unknown")).toBe(false);
  });

  test("are read by EventSource through cuts, and end it", async () => {
    const live = gatedRun();
    replicas.provider.script(live.answer);
    const runId = newRunId();
    const response = await start(runId, "?profile=ag-ui");
    const { fetch: fetchCut, asked } = cuttingFetch([replicas.elsewhere.url, replicas.here.url], 2);
    const source = new EventSource(`${replicas.here.url}${toRunPath(runId)}`, { fetch: fetchCut });
    const received: string[] = [];
    source.onmessage = ({ data, lastEventId }) => {
      received.push(`id: ${lastEventId}\ndata: ${data}\n\n`);
      live.gates.open(3);
    };
    const ended = new Promise<void>((resolve) => {
      source.onerror = () => source.readyState === EventSource.CLOSED && resolve();
    });
    await ended;
    expect(await response.text()).toBe(received.join(""));
    expect(received.join("")).toBe(await (await readFrom(replicas.here.url, runId)).text());
    expect(asked.at(-1)?.status).toBe(204);
  });

  test("of the official client go on without it, and are read again by it", async () => {
    replicas.provider.script(recordedRun);
    const runId = newRunId();
    const agent = new HttpAgent({ url: `${replicas.here.url}/agent`, threadId: "thread-1" });
    agent.setMessages([{ id: "m1", role: "user", content: "Hello?" }]);
    const { newMessages } = await agent.runAgent({ runId });
    class Rejoining extends HttpAgent {
      protected override requestInit(): RequestInit {
        return { method: "GET" };
      }
    }
    const again = new Rejoining({ url: `${replicas.elsewhere.url}${toRunPath(runId)}`, threadId: "thread-1" });
    expect((await again.runAgent({ runId })).newMessages).toEqual(newMessages);
    expect(newMessages.length).toBeGreaterThan(0);
  });

  test("of clients that always send an empty id are answered each time, and not kept", async () => {
    replicas.provider.script(recordedRun);
    for (let request = 0; request < 2; request++) {
      const response = await start("");
      expect(response.status).toBe(200);
      expect(await response.text()).not.toMatch(/^id:/m);
    }
  });

  test("exist once for each owner: a second POST is told where, and others find nothing", async () => {
    await replicas.restart({ runOwner: ({ headers }) => String(headers["x-api-key"]) });
    replicas.provider.script(recordedRun);
    // No address can hold half a surrogate pair.
    const runId = `${newRunId()}\ud800`;
    const as = (key: string) => ({ "Content-Type": "application/json", "X-API-Key": key });
    const events = await (await start(runId, "", { headers: as("a") })).text();
    const second = await postAgent(replicas.elsewhere.url, runInput({ runId }), { headers: as("a") });
    expect(second.status).toBe(409);
    const location = second.headers.get("location") ?? "";
    expect(`/${location}`).toBe(toRunPath(runId));
    expect(await second.json()).toMatchObject({ detail: expect.stringContaining(`GET ${location}`) });
    const located = new URL(location, second.url);
    expect(await (await fetch(located, { headers: as("a") })).text()).toBe(events);
    for (const method of ["GET", "HEAD", "DELETE"]) {
      expect((await fetch(located, { method, headers: as("b") })).status, method).toBe(404);
    }
    const byQuery = `${replicas.elsewhere.url}/agent?offset=-1&runId=${encodeURIComponent(runId.toWellFormed())}`;
    expect((await fetch(byQuery, { headers: as("b") })).status).toBe(404);
    expect((await start(runId, "", { headers: { ...as("b"), "Last-Event-ID": "-1" } })).status).toBe(404);
    expect((await start(runId, "", { headers: as("b") })).status).toBe(200);
  });

  /** The last event of a run that was ended on purpose. */
  const endOnPurpose = (profile: RelayProfile, code: string, message: unknown) =>
    profile === "ag-ui"
      ? { type: "RUN_FINISHED", outcome: { type: "cancelled" }, metadata: { code, message } }
      : { type: "RUN_ERROR", message };

  // On a busy machine the test itself may be late.
  test.each(profiles)(
    "are stopped on request, for the provider and all readers, in %s",
    { retry: 5 },
    async (profile) => {
      const provider = hangingProvider();
      replicas.provider.script(provider);
      const runId = newRunId();
      const response = await start(runId, `?profile=${profile}`);
      const reader = await readFrom(replicas.elsewhere.url, runId);
      const askedAt = performance.now();
      const stopped = await readFrom(replicas.elsewhere.url, runId, "", { method: "DELETE" });
      expect(stopped.status).toBe(204);
      expect((await provider.aborted) - askedAt).toBeLessThan(50);
      const live = await response.text();
      const events = toEvents(splitEvents(live));
      expect(events.at(-1)).toMatchObject(
        endOnPurpose(profile, "stopped", "The run was stopped at a client's request."),
      );
      await judge(events, profile);
      expect(await reader.text()).toBe(live);
      expect((await readFrom(replicas.here.url, runId, "", { method: "DELETE" })).status).toBe(204);
    },
  );

  test.each(profiles)(
    "whose client leaves end at once by default, and later readers learn why, in %s",
    async (profile) => {
      await replicas.restart({ runOrphanMs: 0 });
      replicas.provider.script(answer.hangAfter("Hello"));
      const runId = newRunId();
      const asked = replicas.provider.requests.length;
      await readEvents(await start(runId, `?profile=${profile}`), 3);
      const message = expect.stringContaining("its client disconnected");
      await vi.waitFor(async () => {
        const events = toEvents(splitEvents(await (await readFrom(replicas.elsewhere.url, runId)).text()));
        expect(events.at(-1)).toMatchObject(endOnPurpose(profile, "client_gone", message));
      }, patience);
      expect(replicas.provider.requests.length).toBe(asked + 1);
      expect(replicas.here.log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    },
  );

  test("whose client leaves wait for someone to read them, and end when nobody does", async () => {
    await replicas.restart({ runOrphanMs: 150 });
    const live = gatedRun();
    replicas.provider.script(live.answer);
    const runId = newRunId();
    await readEvents(await start(runId), 1);
    const reader = await readFrom(replicas.elsewhere.url, runId, "1");
    await new Promise((resolve) => setTimeout(resolve, 300));
    live.gates.open();
    expect(await reader.text()).toContain("RUN_FINISHED");
    const provider = hangingProvider();
    replicas.provider.script(provider);
    const lonelyId = newRunId();
    await readEvents(await start(lonelyId), 1);
    await readEvents(await readFrom(replicas.elsewhere.url, lonelyId), 1);
    const leftAt = performance.now();
    expect((await provider.aborted) - leftAt).toBeGreaterThan(100);
  });

  test("go on for their client when Redis dies, and can't be resumed", async () => {
    const { redis, here, elsewhere, provider } = replicas;
    if (redis === undefined) return;
    const live = gatedRun();
    provider.script(live.answer);
    const runId = newRunId();
    const response = await start(runId, "?profile=ag-ui");
    const reading = readFrom(elsewhere.url, runId).then((reader) => reader.text());
    await vi.waitFor(
      async () => expect((await readFrom(elsewhere.url, runId, "", { method: "HEAD" })).ok).toBe(true),
      patience,
    );
    await redis.stop();
    live.gates.open();
    expect(splitEvents(await response.text()).at(-1)).toContain("RUN_FINISHED");
    expect(await reading).toContain('"code":"run_log_unavailable"');
    const lost = await readFrom(here.url, runId);
    expect([lost.status, await lost.json()]).toMatchObject([
      410,
      { detail: expect.stringContaining("run log failed") },
    ]);
    expect((await readFrom(elsewhere.url, runId)).status).toBe(503);
    provider.script(recordedRun);
    const unrecorded = await (await start(newRunId())).text();
    expect(splitEvents(unrecorded).at(-1)).toContain("RUN_FINISHED");
    const endless = gatedRun();
    provider.script(endless.answer);
    const stoppedId = newRunId();
    const stopped = await start(stoppedId);
    expect((await readFrom(here.url, stoppedId, "", { method: "DELETE" })).status).toBe(204);
    expect(splitEvents(await stopped.text()).at(-1)).toMatch(/"RUN_ERROR".*stopped/);
    const said = () => here.log.map(({ msg }) => msg);
    await vi.waitFor(
      () => expect(said()).toContainEqual(expect.stringContaining("RUNS_URL does not answer")),
      patience,
    );
    await redis.start();
    await vi.waitFor(async () => expect((await readFrom(elsewhere.url, runId)).status).toBe(410), patience);
    await vi.waitFor(() => expect(said()).toContain("RUNS_URL answers again"), patience);
  });

  test("reach their client whole though Redis is slow, and can be resumed", async () => {
    const { redis, elsewhere, provider } = replicas;
    if (redis === undefined) return;
    const live = gatedRun();
    provider.script(live.answer);
    const runId = newRunId();
    const asked = provider.chatRequests.length;
    const response = await start(runId);
    const request = await provider.chatRequest(asked + 1);
    redis.hang();
    live.gates.open();
    await request.closed;
    redis.continue();
    const events = await response.text();
    expect(splitEvents(events).at(-1)).toContain("RUN_FINISHED");
    expect(await (await readFrom(elsewhere.url, runId)).text()).toBe(events);
  });

  test("answer what they can't give with the reason", async () => {
    replicas.provider.script(recordedRun);
    const runId = newRunId();
    const events = splitEvents(await (await start(runId)).text());
    const { url } = replicas.elsewhere;
    const last = String(events.length);
    expect((await readFrom(url, runId, last)).status).toBe(204);
    expect((await readFrom(url, runId, String(events.length + 1))).status).toBe(400);
    expect((await readFrom(url, runId, "x")).status).toBe(400);
    // As event-source-polyfill sends the id. Without the 422, its users would read the run again after each lost connection.
    const polyfilled = await fetch(`${url}${toRunPath(runId)}?lastEventId=${last}`);
    expect([polyfilled.status, await polyfilled.text()]).toEqual([422, expect.stringContaining("use `offset`")]);
    expect((await fetch(`${url}${toRunPath(runId)}?offset=${last}`)).status).toBe(204);
    const unknown = await readFrom(url, "no such run");
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { detail: expect.stringContaining("no such run") },
    ]);
    expect((await postAgent(url, runInput({ runId: "none" }), { headers: resuming("1") })).status).toBe(404);
    const first = await postAgent(url, runInput({ runId: newRunId() }), { headers: resuming("") });
    expect([first.status, splitEvents(await first.text())]).toMatchObject([200, { length: events.length }]);
    expect((await fetch(`${url}/agent?threadId=t`)).status).toBe(422);
    const refused = await fetch(`${url}${toRunPath(runId)}`, { method: "PUT" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, DELETE, OPTIONS"]);
    const put = await fetch(`${url}/agent`, { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
    const preflight = await fetch(`${url}${toRunPath(runId)}`, {
      method: "OPTIONS",
      headers: {
        Origin: "https://chat.example",
        "Access-Control-Request-Method": "DELETE",
        "Access-Control-Request-Headers": "last-event-id",
      },
    });
    expect(preflight.headers.get("access-control-allow-methods")).toContain("DELETE");
    expect(preflight.headers.get("access-control-allow-headers")).toBe("last-event-id");
  });
});

describeReplicas("a DELETE of a run", implementationNames, (replicas) => {
  test.each([
    ["a query parameter", "?force=true", {}],
    ["a JSON body", "", { body: "{}" }],
    ["a body that is not JSON", "", { body: "{nope", headers: { "Content-Type": "application/json" } }],
  ])("with %s is refused, and the run goes on", async (_what, query, init) => {
    const live = gatedRun();
    replicas.provider.script(live.answer);
    const runId = newRunId();
    const response = await postAgent(replicas.here.url, runInput({ runId }));
    const address = `${replicas.elsewhere.url}${toRunPath(runId)}`;
    expect((await fetch(`${address}${query}`, { method: "DELETE", ...init })).status).toBe(422);
    live.gates.open();
    expect(await response.text()).toContain("RUN_FINISHED");
  });
});

describeReplicas("large runs", ["express"], (replicas) => {
  test("are not slowed down by a client that doesn't read, nor by a reader that doesn't", async () => {
    const text = "x".repeat(10_000);
    replicas.provider.script(answer.text(...Array.from({ length: 1_000 }, () => text)));
    const runId = newRunId();
    const stalled = await postAgent(replicas.here.url, runInput({ runId }));
    const stalledReader = await readFrom(replicas.here.url, runId);
    const full = await (await readFrom(replicas.elsewhere.url, runId)).text();
    expect(full.length).toBeGreaterThan(10_000_000);
    expect(full.endsWith("\n\n") && full.includes("RUN_FINISHED")).toBe(true);
    expect(await stalled.text()).toBe(full);
    expect(await stalledReader.text()).toBe(full);
  });
});

/** Answers with one word, then waits until its request ends. */
function hangingProvider() {
  const { promise: aborted, resolve } = Promise.withResolvers<number>();
  const { respond } = answer.hangAfter("Hello");
  const hanging: ScriptedAnswer = {
    respond(request, reply) {
      request.signal.addEventListener("abort", () => resolve(performance.now()));
      return respond(request, reply);
    },
  };
  return { ...hanging, aborted };
}

const resuming = (id: string) => ({ "Content-Type": "application/json", "Last-Event-ID": id });
