import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:http";
import { ingestResponseSchema } from "@agent-backends/contract";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { beforeEach, describe, expect, it } from "vitest";
import { provider, service } from "./service.ts";

/** What the site answers by path, and what it was asked for. */
const pages = new Map<string, { status?: number; body?: string; headers?: Record<string, string> }>();
let asked: { path: string; headers: IncomingHttpHeaders }[] = [];
const site = createServer(({ url: path = "", headers }, response) => {
  asked.push({ path, headers });
  const { status = 200, body = "", headers: sent = {} } = pages.get(path) ?? { status: 404 };
  const isKnown = sent.etag !== undefined && headers["if-none-match"] === sent.etag;
  const isOld = sent["last-modified"] !== undefined && headers["if-modified-since"] === sent["last-modified"];
  response.writeHead(isKnown || isOld ? 304 : status, { "content-type": "text/plain", ...sent });
  response.end(isKnown || isOld ? undefined : body);
});
const origin = await listenOnLoopback(site);
beforeEach(() => {
  asked = [];
});

const ingest = async (path: string, more: object = {}) => {
  const sources = [{ type: "url", value: origin + path, ...more }];
  const { body } = await service.ingest({ sources, on_conflict: "replace", namespace: "refreshed", ...more });
  expect(ingestResponseSchema.parse(body)).toEqual(body);
  return body;
};
const conditions = () =>
  asked.map(({ headers }) => [headers["if-none-match"], headers["if-modified-since"]].filter(Boolean));

describe("a page that is sent again with on_conflict replace", () => {
  it.each([
    ["an ETag", { etag: '"one"' }, '"one"'],
    ["a time", { "last-modified": "Mon, 02 Nov 2026 10:00:00 GMT" }, "Mon, 02 Nov 2026 10:00:00 GMT"],
  ])("is not read while %s says that it is the same, and replaced when it changes", async (what, headers, sent) => {
    const path = `/page ${what}`.replaceAll(" ", "-");
    pages.set(path, { body: `Lions roar, says ${what}.`, headers });
    const { saved } = await ingest(path);
    const embedded = provider.embeddingRequests.length;
    const { skipped } = await ingest(path);
    expect(skipped).toEqual([
      { title: saved[0].title, hash: saved[0].hash, source: `url:${origin}${path}`, reason: "not-modified" },
    ]);
    expect(conditions()).toEqual([[], [sent]]);
    expect((await ingest(path, { title: "Lions" })).skipped).toMatchObject([{ title: "Lions", updated: true }]);
    expect(provider.embeddingRequests).toHaveLength(embedded);
    pages.set(path, { body: `Lions sleep, says ${what}.`, headers: { etag: '"two"' } });
    expect((await ingest(path)).saved).toMatchObject([{ replaced: 1 }]);
    expect((await ingest(path)).skipped).toMatchObject([{ reason: "not-modified" }]);
  });

  it("is asked for again by its new ETag, though its text stayed the same", async () => {
    pages.set("/same", { body: "The same text.", headers: { etag: '"old"' } });
    await ingest("/same");
    pages.set("/same", { body: "The same text.", headers: { etag: '"new"' } });
    const [again] = (await ingest("/same")).skipped;
    expect(again).toEqual(expect.objectContaining({ reason: "duplicate-content" }));
    expect(again).not.toHaveProperty("updated");
    expect((await ingest("/same")).skipped).toMatchObject([{ reason: "not-modified" }]);
  });

  it("tells its ETag only to the address that it came from, for the namespace that has it", async () => {
    pages.set("/target", { body: "The target.", headers: { etag: '"secret"' } });
    pages.set("/other", { body: "Another target." });
    pages.set("/moved", { status: 302, headers: { location: "/target" } });
    await ingest("/moved");
    await ingest("/moved");
    expect(asked.map(({ path }) => path)).toEqual(["/moved", "/target", "/moved", "/target"]);
    expect(conditions()).toEqual([[], [], [], ['"secret"']]);
    asked = [];
    pages.set("/moved", { status: 302, headers: { location: "/other" } });
    await ingest("/moved");
    await ingest("/target", { namespace: "elsewhere" });
    await ingest("/moved", { on_conflict: "keep" });
    expect(conditions().flat()).toEqual([]);
  });

  it("keeps its document while the address fails, or says that a deleted one is the same", async () => {
    pages.set("/gone", { body: "Here today.", headers: { etag: '"here"' } });
    const [{ document_id }] = (await ingest("/gone")).saved;
    const address = `${service.baseUrl}/api/namespaces/refreshed/documents/${document_id}`;
    pages.set("/gone", { status: 410 });
    expect((await ingest("/gone")).errors).toMatchObject([{ code: "http_status", error: /410/ }]);
    expect((await fetch(address)).status).toBe(200);
    pages.set("/gone", { body: "Here today.", headers: { etag: '"here"' } });
    await fetch(address, { method: "DELETE" });
    expect((await ingest("/gone")).saved).toHaveLength(1);
  });
});
