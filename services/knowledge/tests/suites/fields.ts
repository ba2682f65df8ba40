import { beforeAll, describe, expect, it } from "vitest";
import { postJson, readAnswer } from "../knowledge-process.ts";
import { service } from "./service.ts";

const post = (path: string, body: unknown) => postJson(service.baseUrl + path, body);

type Form = Record<string, string | Blob | string[]>;
const postForm = async (fields: Form) => {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) form.append(name, value as string);
  }
  return readAnswer(await fetch(`${service.baseUrl}/api/tools/ingest`, { method: "POST", body: form }));
};
const remove = (path: string, init: RequestInit = {}) => fetch(service.baseUrl + path, { method: "DELETE", ...init });
const file = new File(["A file."], "a.txt");
const sources = '["A text."]';
const messages = [{ role: "user", content: "Hi" }];
const run = { thread_id: "t", run_id: "r", messages };

describe("a misnamed field is refused with its right name", () => {
  const listNamespaces = async () => (await fetch(`${service.baseUrl}/api/namespaces`)).json();
  let before: unknown;
  beforeAll(async () => {
    before = await listNamespaces();
  });

  it.each<[string, unknown, string, string]>([
    ["/api/tools/ingest", { namspace: "a", sources: ["x"] }, "/namspace", "use `namespace`"],
    ["/api/tools/ingest", { sources: [{ type: "text", value: "x", meta: {} }] }, "/sources/0/meta", "use `metadata`"],
    ["/api/tools/ingest", { sources: [{ type: "text", value: "x", doc_id: "faq" }] }, "/sources/0/doc_id", "use `id`"],
    [
      "/api/tools/ingest",
      { sources: [{ type: "text", value: "x", namespace: "kundeA" }] },
      "/sources/0/namespace",
      "belongs at the top level",
    ],
    [
      "/api/tools/ingest",
      { namespace: "a", sources: ["y", { type: "text", value: "x", namspace: "kundeA" }] },
      "/sources/1/namspace",
      "use `namespace` at the top level",
    ],
    ["/api/tools/ingest", { sources: ["x"], files: ["notes.pdf"] }, "/files", "multipart/form-data"],
    ["/api/tools/ingest", { sources: ["x"], async: true }, "/async", "belongs in the query"],
    ["/api/tools/ingest?namespace=a", { sources: ["x"] }, "/namespace", "belongs in the body"],
    ["/api/tools/ingest?asynch=true", { sources: ["x"] }, "/asynch", "use `async`"],
    ["/api/tools/searchDocs", { query: "x", top_k: 3 }, "/top_k", "use `max_results`"],
    ["/api/tools/searchDocs?max_results=3", { query: "x" }, "/max_results", "belongs in the body"],
    ["/api/agents/knowledge/generate", { messages, namespaec: "a" }, "/namespaec", "use `namespace`"],
    ["/stream", { threadId: "t", runId: "r", messages, forwardedProps: {} }, "/threadId", "which POST /agui takes"],
    ["/stream", { ...run, tool_params: { name_space: "a" } }, "/tool_params/name_space", "use `namespace`"],
    ["/stream", { ...run, tool_params: { filter: {} } }, "/tool_params/filter", "belongs at the top level"],
    ["/api/tools/searchDocs", { text: "x" }, "/text", "use `query`"],
    ["/api/agents/knowledge/generate", { question: "x" }, "/question", "use `messages`"],
    [
      "/api/agents/knowledge/generate",
      { messages, tool_params: { namespace: "a" } },
      "/tool_params/namespace",
      "belongs at the top level",
    ],
  ])("in JSON: %s %j", async (path, body, pointer, detail) => {
    const refused = await post(path, body);
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ pointer, detail: expect.stringContaining(detail) }] },
    });
    expect(refused.body.errors).toHaveLength(1);
    expect(refused.body.detail).toContain(detail);
  });

  it.each<[Form, string, string]>([
    [{ namspace: "a", files: file }, "/namspace", "use `namespace`"],
    [{ files: file, "on-conflict": "replace" }, "/on-conflict", "use `on_conflict`"],
    [{ sources, file: "@a.txt" }, "/file", "use `files`"],
    [{ sources, files: "a.txt" }, "/files", "curl -F files=@"],
    [{ sources, async: "true" }, "/async", "belongs in the query"],
    [{ sources: '[{"type":"text","value":"x","titel":"T"}]' }, "/sources/0/titel", "use `title`"],
    [{ sources: '[{"type":"text","value":"x","namespace":"a"}]' }, "/sources/0/namespace", "belongs at the top level"],
    [{ namespace: ["a", "b"], files: file }, "/namespace", "more than once"],
  ])("in forms: %j", async (fields, pointer, detail) => {
    const refused = await postForm(fields);
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ pointer, detail: expect.stringContaining(detail) }] },
    });
  });

  it("in queries of lists", async () => {
    for (const [query, name] of [
      ["page_size=2", "limit"],
      ["after=x", "cursor"],
      ["Limit=2", "limit"],
    ]) {
      const response = await fetch(`${service.baseUrl}/api/namespaces?${query}`);
      expect([response.status, await response.text()]).toEqual([422, expect.stringContaining(`use \`${name}\``)]);
    }
  });

  it("and nothing is stored", async () => {
    expect(await listNamespaces()).toEqual(before);
  });
});

describe("an unknown field is named in the warnings", () => {
  const warnings = [{ pointer: "/colour", detail: "isn't a known field; it was ignored" }];

  it("of JSON answers", async () => {
    const ingested = await post("/api/tools/ingest", { namespace: "w", sources: ["A text."], colour: "red" });
    expect(ingested).toMatchObject({ status: 200, body: { saved: [{}], warnings } });
    expect(await post("/api/tools/searchDocs", { namespace: "nobody", query: "x", colour: "" })).toMatchObject({
      body: { results: [], warnings },
    });
    expect(await post("/api/tools/ingest?async=true", { sources: ["y"], colour: "" })).toMatchObject({
      status: 202,
      body: { warnings },
    });
    const failed = await post("/api/tools/ingest", { sources: [{ type: "url", value: "ftp://a" }], colour: "" });
    expect(failed).toMatchObject({ status: 400, body: { errors: [{}], warnings } });
    expect((await post("/api/tools/searchDocs", { query: "x" })).body).not.toHaveProperty("warnings");
  });

  it("of answers to forms", async () => {
    expect(await postForm({ colour: "red", files: file })).toMatchObject({ status: 200, body: { warnings } });
  });

  it("of answers to queries", async () => {
    const response = await fetch(`${service.baseUrl}/api/namespaces?colour=red`);
    expect(await response.json()).toMatchObject({ namespaces: expect.any(Array), warnings });
  });
});

it("an address that is stored as a text is named in the warnings", async () => {
  const sources = [
    "www.example.com/page",
    { type: "text", value: "example.com/docs" },
    { type: "markdown", value: "https://example.com/" },
    { type: "url", value: "example.com/docs" },
    ...["See www.example.com/page", "notes.md", "and/or", "A.B.C.", "support@example.com"],
  ];
  const named = {
    status: expect.any(Number) as number,
    body: {
      warnings: [
        {
          pointer: "/sources/0",
          detail: expect.stringContaining("to fetch the page, use https://www.example.com/page"),
        },
        { pointer: "/sources/1/value", detail: expect.stringContaining("use https://example.com/docs") },
        { pointer: "/sources/2/value", detail: expect.stringContaining("use the type url") },
      ],
    },
  };
  expect(await post("/api/tools/ingest", { namespace: "addresses", sources })).toMatchObject(named);
  expect(await postForm({ namespace: "addresses", sources: JSON.stringify(sources) })).toMatchObject(named);
});

it("a deletion with anything unknown deletes nothing", async () => {
  await post("/api/tools/ingest", { namespace: "kept", sources: ["A text."] });
  const headers = { "Content-Type": "application/json" };
  expect((await remove("/api/namespaces/kept?colour=red")).status).toBe(422);
  expect((await remove("/api/namespaces/kept", { headers, body: '{"source":"text:0"}' })).status).toBe(422);
  expect((await remove("/api/namespaces/kept?purge=true", { headers })).status).toBe(204);
});
