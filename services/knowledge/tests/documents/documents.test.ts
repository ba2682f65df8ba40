import {
  changedDocumentResponseSchema,
  chunksResponseSchema,
  deleteDocumentsResponseSchema,
  documentResponseSchema,
} from "@agent-backends/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { startUnderTest } from "../under-test.ts";

const { service } = await startUnderTest();

let namespace: string;
let count = 0;
beforeEach(() => {
  namespace = `documents ${count++}`;
});

const ingest = (body: object) => service.ingest({ namespace, ...body });
const search = (body: object) => service.search({ namespace, ...body });
const send = async (method: string, path: string, json?: object) => {
  const response = await fetch(`${service.baseUrl}/api/namespaces/${encodeURIComponent(namespace)}${path}`, {
    method,
    ...(json && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(json) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
};
const query = (conditions: Record<string, string>) => `/documents?${new URLSearchParams(conditions)}`;
const titles = async (conditions: Record<string, string> = {}) =>
  (await send("GET", query(conditions))).body.documents.map(({ title }: { title: string }) => title);

const text = (id: string, tags: string[]) => ({
  type: "text",
  id,
  value: `About ${id}.`,
  title: id,
  metadata: { tags },
});

describe("documents", () => {
  it("are read, and deleted for good", async () => {
    const saved = await ingest({
      sources: [{ type: "text", value: "It will be gone.", title: "Gone" }, "It will stay."],
    });
    const id = saved.body.saved[0].document_id;
    const path = `/documents/${id}`;
    const { body } = await send("GET", path);
    expect(documentResponseSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      namespace,
      document_id: id,
      title: "Gone",
      text: "It will be gone.",
      chunks: 1,
    });
    expect((await send("DELETE", path)).status).toBe(204);
    expect([(await send("DELETE", path)).status, (await send("GET", path)).status]).toEqual([404, 404]);
    const { results } = (await search({ query: "gone stay", max_results: 50 })).body;
    expect(results.map(({ content }: { content: string }) => content)).toEqual(["It will stay."]);
    expect((await send("DELETE", "")).status).toBe(204);
    expect((await send("DELETE", "")).status).toBe(404);
    expect((await search({ query: "stay" })).body.results).toEqual([]);
    expect((await send("GET", "/documents")).body).toEqual({ documents: [], next_cursor: null });
  });

  it("are listed by source, fields and time", async () => {
    await ingest({ sources: [text("a", ["x"]), text("b", ["x", "y"])] });
    const between = new Date(Date.now() + 1).toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await ingest({ sources: [text("c", ["y"])] });
    expect(await titles({ source: "text:b" })).toEqual(["b"]);
    expect((await titles({ filter: '{"tags":"x"}' })).sort()).toEqual(["a", "b"]);
    expect(await titles({ filter: '{"tags":["y"]}', ingested_before: between })).toEqual(["b"]);
    expect(await titles({ ingested_after: between })).toEqual(["c"]);
    expect(await titles({ ingested_after: "2020-01-01", filter: '{"title":["c","z"]}' })).toEqual(["c"]);
    for (const [name, value] of [
      ["filter", "tags"],
      ["filter", '{"chunk":1}'],
      ["ingested_after", "yesterday"],
      ["ingested_before", "2026-02-30T00:00:00Z"],
    ]) {
      const { status, body } = await send("GET", query({ [String(name)]: String(value) }));
      expect([status, body.errors[0].pointer.split("/")[1]]).toEqual([422, name]);
    }
  });

  it("are deleted by what they are listed by, a page at a time, never all by mistake", async () => {
    await ingest({ sources: [..."abcde"].map((id) => text(id, id < "d" ? ["old"] : ["new"])) });
    const old = { filter: '{"tags":"old"}' };
    const first = await send("DELETE", query({ ...old, limit: "2" }));
    expect(deleteDocumentsResponseSchema.parse(first.body)).toEqual(first.body);
    expect(first.body).toMatchObject({ deleted: 2, kept: 0, next_cursor: expect.any(String) });
    const second = await send("DELETE", query({ ...old, limit: "2", cursor: first.body.next_cursor }));
    expect(second.body).toEqual({ deleted: 1, kept: 0, next_cursor: null });
    expect((await titles()).sort()).toEqual(["d", "e"]);
    expect((await search({ query: "about", max_results: 50 })).body.results).toHaveLength(2);
    for (const conditions of [{}, { filter: "{}" }, { limit: "5" }] as Record<string, string>[]) {
      expect(await send("DELETE", query(conditions))).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: "/source" }] },
      });
    }
    expect((await send("DELETE", query({ source: "text:nothing" }))).body).toMatchObject({ deleted: 0 });
    expect((await titles()).sort()).toEqual(["d", "e"]);
  });

  it("count once when several requests delete them at the same time", async () => {
    await ingest({ sources: Array.from({ length: 40 }, (_, id) => text(`d${id}`, ["old"])) });
    const removeOld = () => send("DELETE", query({ filter: '{"tags":"old"}' }));
    const answers = (await Promise.all(Array.from({ length: 4 }, removeOld))).map(({ body }) => body);
    expect(answers.map(({ kept }) => kept)).toEqual([0, 0, 0, 0]);
    expect(answers.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(40);
    expect(await titles()).toEqual([]);
  });

  it("stay when another source than the deleted one has them", async () => {
    const both = (value: string) => ["one", "two"].map((id) => ({ type: "text", id, value }));
    await ingest({ sources: both("The same.") });
    expect((await send("DELETE", query({ source: "text:one" }))).body).toEqual({
      deleted: 0,
      kept: 1,
      next_cursor: null,
    });
    expect((await search({ query: "same" })).body.results).toMatchObject([{ metadata: { source: "text:two" } }]);
    expect((await send("DELETE", query({ source: "text:two" }))).body).toEqual({
      deleted: 1,
      kept: 0,
      next_cursor: null,
    });
    expect(await titles()).toEqual([]);
  });

  it("get another title and other fields", async () => {
    const { body } = await ingest({ sources: [text("a", ["old"]), text("b", [])] });
    const path = `/documents/${body.saved[0].document_id}`;
    const changed = await send("PATCH", path, { title: " A new\n title ", metadata: { tags: ["new"], year: 2026 } });
    expect(changed.status).toBe(200);
    expect(changedDocumentResponseSchema.parse(changed.body)).toEqual(changed.body);
    expect(changed.body).toMatchObject({
      title: "A new title",
      metadata: { tags: ["new"], year: 2026 },
      source: "text:a",
    });
    const { text: _, ...read } = (await send("GET", path)).body;
    expect(read).toEqual(changed.body);
    const found = await search({ query: "about", filter: { tags: "new", title: "A new title" } });
    expect(found.body.results).toMatchObject([{ title: "A new title", metadata: { year: 2026 } }]);
    expect((await search({ query: "about", filter: { tags: "old" } })).body.results).toEqual([]);
    const titled = await send("PATCH", path, { title: "Another", metadata: null });
    expect(titled.body).toMatchObject({ title: "Another", metadata: { year: 2026 } });
    expect((await send("PATCH", path, { metadata: {} })).body.metadata).not.toHaveProperty("year");
    for (const [wrong, pointer] of [
      [{}, "/title"],
      [{ title: " " }, "/title"],
      [{ title: "x".repeat(201) }, "/title"],
      [{ metadata: { source: "x" } }, "/metadata/source"],
      [{ text: "A new text" }, "/text"],
      [{ title: "x", content: "A new text" }, "/content"],
      [{ source: "text:b" }, "/source"],
      [{ title: "x", filename: "b.md" }, "/filename"],
    ] as const)
      expect(await send("PATCH", path, wrong)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
    const moved = (await send("PATCH", path, { source: "text:b" })).body;
    expect(moved.detail).toContain("can't be changed; only title and metadata can");
    expect((await send("PATCH", `/documents/${"0".repeat(32)}`, { title: "x" })).status).toBe(404);
  });

  it("get another title and other fields when the same is sent again with them, and lose none when without", async () => {
    const sendAgain = async (more: object) => {
      const source = { type: "text", id: "a", value: "The same.", ...more };
      return (await ingest({ sources: [source, { type: "text", value: "Another." }] })).body.skipped[0]?.updated;
    };
    const stored = async () => {
      const { results } = (await search({ query: "same", filter: { source: "text:a" } })).body;
      const [{ title, metadata }] = results;
      return { title, tags: metadata.tags, year: metadata.year };
    };
    await sendAgain({ title: "First", metadata: { tags: ["x"], year: 2025 } });
    expect(await sendAgain({})).toBeUndefined();
    expect(await sendAgain({ title: "First", metadata: { tags: ["x"], year: 2025 } })).toBeUndefined();
    expect(await stored()).toEqual({ title: "First", tags: ["x"], year: 2025 });
    expect(await sendAgain({ title: "Second" })).toBe(true);
    expect(await stored()).toEqual({ title: "Second", tags: ["x"], year: 2025 });
    expect(await sendAgain({ metadata: { tags: ["y"] } })).toBe(true);
    expect(await stored()).toEqual({ title: "Second", tags: ["y"], year: undefined });
  });

  it("are read chunk by chunk, each with its place", async () => {
    const value = Array.from({ length: 40 }, (_, index) => `# Part ${index}\n\n${"Some words. ".repeat(60)}`).join(
      "\n\n",
    );
    const { body } = await ingest({ sources: [{ type: "markdown", value }] });
    const [{ document_id: id, chunks: total }] = body.saved;
    const whole = (await send("GET", `/documents/${id}`)).body.text;
    const seen: { chunk: number; content: string; start: number; end: number; heading?: string }[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await send("GET", `/documents/${id}/chunks?limit=7${cursor && `&cursor=${cursor}`}`);
      expect(chunksResponseSchema.parse(page.body)).toEqual(page.body);
      seen.push(...page.body.chunks);
      cursor = page.body.next_cursor;
    }
    expect(seen.map(({ chunk }) => chunk)).toEqual(Array.from({ length: total }, (_, index) => index));
    for (const { content, start, end } of seen) expect(whole.slice(start, end)).toBe(content);
    expect(seen.at(-1)?.heading).toBe("Part 39");
    expect((await send("GET", `/documents/${"0".repeat(32)}/chunks`)).status).toBe(404);
    for (const wrong of ["limit=0", "limit=101", "cursor=nonsense", `cursor=${btoa('["x"]')}`])
      expect((await send("GET", `/documents/${id}/chunks?${wrong}`)).status).toBe(422);
  });
});
