import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { join } from "node:path";
import { ingestResponseSchema } from "@agent-backends/contract";
import { respondWithLexicalEmbeddings } from "@agent-backends/llm/offline";
import { answer, startScriptedProvider } from "@agent-backends/testing";
import { createTemporaryFolder, listenOnLoopback } from "@agent-backends/testing/fixtures";
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { postFiles, startKnowledge } from "../knowledge-process.ts";
import { startInFolder } from "../under-test.ts";

const folder = await createTemporaryFolder();
let namespace: string;
let count = 0;

const provider = await startScriptedProvider();
const service = await startInFolder(folder, {
  LLM_BASE_URL: provider.baseUrl,
  KNOWLEDGE_MAX_FILE_BYTES: "2000",
  KNOWLEDGE_MAX_SOURCES: "25",
  KNOWLEDGE_URL_ALLOW_PRIVATE: "false",
});
afterAll(async () => {
  await service.end();
  await provider.close();
});
beforeEach(() => {
  namespace = `namespace ${count++}`;
});

const lexical = { respond: respondWithLexicalEmbeddings };
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const ingest = (body: unknown) => service.ingest(body);

const upload = (fields: Record<string, string>, files: [name: string, content: string][]) =>
  postFiles(`${service.baseUrl}/api/tools/ingest`, fields, files);

describe("sources", () => {
  it("are saved with their title, hash, source and id, in the order of the request", async () => {
    const { status, body } = await ingest({
      namespace,
      sources: [
        { type: "text", value: "  Cafe\u0301 opens at nine.\r\nIt closes at ten.\n\n", title: "Hours" },
        { type: "markdown", value: "# Refunds\n\nPaid within 30 days.", title: null },
        "A bare string is text.",
      ],
    });
    expect(status).toBe(200);
    expect(ingestResponseSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({ namespace, skipped: [], errors: [] });
    const normalised = "Café opens at nine.\nIt closes at ten.";
    expect(body.saved).toMatchObject([
      { title: "Hours", hash: sha256(normalised), source: "text:0", namespace, chunks: 1 },
      { title: "Refunds", source: "markdown:1" },
      { source: "text:2", hash: sha256("A bare string is text.") },
    ]);
  });

  it("of the same content are saved once: in one request, in the next, and in any spelling of the same text", async () => {
    const first = await ingest({
      namespace,
      sources: ["Käse", { type: "text", value: "Ka\u0308se\r\n", title: "Again" }],
    });
    expect(first.status).toBe(200);
    expect(first.body.saved).toHaveLength(1);
    expect(first.body.skipped).toEqual([
      { title: "Again", hash: sha256("Käse"), source: "text:1", reason: "duplicate-content" },
    ]);
    const second = await ingest({ namespace, sources: [{ type: "markdown", value: "Käse" }] });
    expect(second).toMatchObject({ status: 200, body: { saved: [], skipped: [{ source: "markdown:0" }], errors: [] } });
    const elsewhere = await ingest({ namespace: `${namespace}'`, sources: ["Käse"] });
    expect(elsewhere.body.saved).toHaveLength(1);
  });

  it("brought by twenty clients at the same moment are saved once", async () => {
    const text = "Everybody brings this. ".repeat(200);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ingest({ namespace, sources: [text] })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.flatMap(({ body }) => body.saved)).toHaveLength(1);
    expect(answers.flatMap(({ body }) => body.skipped)).toHaveLength(19);
    const listed = await fetch(`${service.baseUrl}/api/namespaces/${encodeURIComponent(namespace)}/documents`);
    const { documents } = (await listed.json()) as { documents: { chunks: number }[] };
    expect(documents).toHaveLength(1);
  });

  it("that can't be read are errors of their own: 207 beside what was saved, 400 alone", async () => {
    const bad = [
      { type: "pdf", value: "x" },
      { type: "text", value: "  \n " },
      { type: "url", value: "ftp://example.com/file" },
      { type: "url", value: "http://127.0.0.1:8123/" },
      { type: "text" },
      42,
    ];
    const mixed = await ingest({ namespace, sources: [...bad, "Good text."] });
    expect(mixed.status).toBe(207);
    expect(ingestResponseSchema.parse(mixed.body)).toEqual(mixed.body);
    expect(mixed.body.saved).toMatchObject([{ source: "text:6" }]);
    expect(mixed.body.errors.map((error: { code: string }) => error.code)).toEqual([
      "invalid_item",
      expect.stringMatching(/^(no_text|empty)$/),
      "invalid_url",
      "forbidden_address",
      "invalid_item",
      "invalid_item",
    ]);
    const alone = await ingest({ namespace, sources: bad });
    expect(alone).toMatchObject({ status: 400, body: { namespace, saved: [], skipped: [] } });
    expect(alone.body.errors).toHaveLength(bad.length);
    const withSkipped = await ingest({ namespace, sources: [...bad, "Good text."] });
    expect(withSkipped).toMatchObject({ status: 400, body: { saved: [], skipped: [{ source: "text:6" }] } });
  });

  it("whose embedding fails lose no other, leave nothing behind, and can come again", async () => {
    const texts = ["One is fine.", "This one is POISON.", "Three is fine."];
    provider.scriptEmbeddings((request) =>
      JSON.stringify(request.body).includes("POISON") ? answer.error(400, "No poison, key sk-test-secret.") : lexical,
    );
    const failed = await ingest({ namespace, sources: texts });
    expect(failed.status).toBe(207);
    expect(failed.body.saved.map((item: { source: string }) => item.source)).toEqual(["text:0", "text:2"]);
    expect(failed.body.errors).toMatchObject([{ source: "text:1", code: "provider_failed" }]);
    expect(JSON.stringify(failed.body)).not.toContain("sk-test-secret");
    provider.scriptEmbeddings(lexical);
    const again = await ingest({ namespace, sources: texts });
    expect(again.body).toMatchObject({ saved: [{ source: "text:1" }], errors: [] });
    expect(again.body.skipped).toHaveLength(2);
  });

  it("are fetched from public addresses alone, unless private ones are allowed", async () => {
    const site = createServer((_request, response) => {
      response
        .setHeader("Content-Type", "text/html")
        .end('<html lang="de"><title>A page</title><p>Text of the page.</p></html>');
    });
    const address = `${await listenOnLoopback(site, onTestFinished)}/page`;
    const allowing = await startKnowledge({
      LLM_BASE_URL: provider.baseUrl,
      KNOWLEDGE_STORE: join(folder, "store-of-pages"),
      KNOWLEDGE_URL_ALLOW_PRIVATE: "true",
    });
    try {
      expect(await ingest({ namespace, sources: [address] })).toMatchObject({
        status: 400,
        body: { errors: [{ source: `url:${address}` }] },
      });
      const allowed = await allowing.ingest({ sources: [{ type: "url", value: address }] });
      expect(allowed).toMatchObject({
        status: 200,
        body: { namespace: "default", saved: [{ title: "A page", source: `url:${address}` }] },
      });
      const found = await allowing.search({ query: "Text of the page" });
      expect(found.body.results[0].metadata).toMatchObject({ url: address, main_content: false, language: "de" });
    } finally {
      await allowing.end();
    }
  });
});

describe("long texts", () => {
  const long = `%PDF-1.4 is how this begins. ${'Grüße, "世界" 😀. '.repeat(24_000)}\n\nThe end.`;

  it("come as JSON like short ones, are texts whatever they look like, and can be read", async () => {
    const { status, body } = await ingest({
      namespace,
      sources: [{ type: "text", value: long, title: "Long" }, `# Not markdown\n\n${long}`, "Short."],
    });
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: [] });
    expect(body.saved).toMatchObject([
      { title: "Long", source: "text:0", hash: sha256(long) },
      { source: "text:1", hash: sha256(`# Not markdown\n\n${long}`) },
      { source: "text:2" },
    ]);
    const path = `/api/namespaces/${encodeURIComponent(namespace)}/documents/${body.saved[0].document_id}`;
    const read = (await (await fetch(service.baseUrl + path)).json()) as { text: string };
    expect(read.text === long).toBe(true);
  });

  it("in an invalid place are the item's or the request's error", async () => {
    const { status, body } = await ingest({
      namespace,
      sources: [{ type: "url", value: long }, { type: long, value: "x" }, { value: long }, "Fine."],
    });
    expect(status).toBe(207);
    expect(body.errors.map(({ code }: { code: string }) => code)).toEqual([
      "invalid_url",
      "invalid_item",
      "invalid_item",
    ]);
    expect((await ingest({ namespace: long, sources: ["x"] })).status).toBe(422);
    expect((await ingest({ namespace, sources: ["x"], metadata: { long } })).status).toBe(422);
  });

  it("over the limit of a body are refused, with the limit in the message", async () => {
    const refused = await ingest({ namespace, sources: ["x".repeat(10 * 1024 * 1024)] });
    expect(refused).toMatchObject({ status: 413, body: { detail: expect.stringContaining("10485760 bytes") } });
  });
});

describe("files", () => {
  it("come beside sources, and after them, whatever their names", async () => {
    const { status, body } = await upload(
      { namespace, sources: JSON.stringify([{ type: "text", value: "From a source." }]) },
      [
        ["notes.txt", "From a file."],
        ["東京 ünï.md", "# From another file"],
        ["page.html", "<html><body><p>From a page.</p><script>alert('never')</script></body></html>"],
      ],
    );
    expect(status).toBe(200);
    expect(body.saved).toMatchObject([
      { source: "text:0", namespace },
      { source: "file:notes.txt", hash: sha256("From a file.") },
      { source: "file:東京 ünï.md" },
      { source: "file:page.html" },
    ]);
  });

  it("of one name in two folders are both kept, named with the folders they were sent with and never a way out of these", async () => {
    const { status, body } = await upload({ namespace }, [
      ["guide/README.md", "How to begin."],
      ["api\\README.md", "What can be called."],
      ["../../etc/README.md", "What is elsewhere."],
      ["/home/ada/notes.txt", "What was sent with its whole path."],
    ]);
    expect(status).toBe(200);
    expect(body.saved.map(({ source }: { source: string }) => source)).toEqual([
      ...["file:guide/README.md", "file:api/README.md", "file:etc/README.md", "file:notes.txt"],
    ]);
    expect(body.saved[0].title).toBe("README.md");
  });

  it("over the limit are their own errors and lose no other", async () => {
    const { status, body } = await upload({ namespace }, [
      ["large.txt", "x".repeat(2001)],
      ["right.txt", "y ".repeat(1000)],
    ]);
    expect(status).toBe(207);
    expect(body.errors).toMatchObject([
      { source: "file:large.txt", code: "too_large", error: expect.stringContaining("2000") },
    ]);
    expect(body.saved).toMatchObject([{ source: "file:right.txt" }]);
  });

  it("of the same content as a source are skipped", async () => {
    const { body } = await upload({ namespace, sources: '["The same."]' }, [["same.txt", "The same.\n"]]);
    expect(body).toMatchObject({ saved: [{ source: "text:0" }], skipped: [{ source: "file:same.txt" }] });
  });

  it("in a form without any, or with fields that can't be read, are refused", async () => {
    expect(await upload({ namespace }, [])).toMatchObject({ status: 422, body: { errors: [{ pointer: "/sources" }] } });
    expect(await upload({ sources: "[not json" }, [])).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/sources" }] },
    });
    expect(await upload({ sources: '{"type":"text"}' }, [])).toMatchObject({ status: 422 });
    expect(await upload({ namespace: "..", sources: '["x"]' }, [])).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/namespace" }] },
    });
  });

  it("in a page's form have the defaults for what its user left empty", async () => {
    const empty = { namespace: "", sources: "", metadata: "", on_conflict: "" };
    const { status, body } = await upload(empty, [["left-empty.txt", "Sent by a page."]]);
    expect([status, body]).toMatchObject([200, { namespace: "default", saved: [{ source: "file:left-empty.txt" }] }]);
  });
});

describe("a client's own fields", () => {
  it("come back with each document and each chunk, those of an item before those of the request", async () => {
    const { body } = await ingest({
      namespace,
      metadata: { team: "docs", year: 2024 },
      sources: [
        {
          type: "text",
          value: "Tea is served at four.",
          metadata: { team: "kitchen", draft: false, tags: ["tea", 4] },
        },
      ],
    });
    const id = body.saved[0].document_id;
    const read = await fetch(`${service.baseUrl}/api/namespaces/${encodeURIComponent(namespace)}/documents/${id}`);
    const own = { team: "kitchen", year: 2024, draft: false, tags: ["tea", 4] };
    expect(await read.json()).toMatchObject({ metadata: own });
    const found = await service.search({ namespace, query: "tea" });
    expect(found.body.results[0].metadata).toMatchObject({ ...own, source: "text:0" });
  });

  it("of files are given for all of them", async () => {
    const { body } = await upload({ namespace, metadata: '{"team": "docs"}' }, [["a.txt", "A file."]]);
    const id = body.saved[0].document_id;
    const read = await fetch(`${service.baseUrl}/api/namespaces/${encodeURIComponent(namespace)}/documents/${id}`);
    expect(await read.json()).toMatchObject({ metadata: { team: "docs", filename: "a.txt" } });
  });

  it.each([
    ["nested", { a: { b: 1 } }],
    ["named like the service's", { source: "x" }],
    ["too many", Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`field${index}`, 1]))],
    ["too long", { text: "x".repeat(1001) }],
    ["a list in a list", { tags: [["x"]] }],
    ["a list that is too long", { tags: Array.from({ length: 65 }, (_, index) => index) }],
    ["too long together", { tags: Array.from({ length: 8 }, () => "x".repeat(500)) }],
  ])("are refused when they are %s: of a request as a whole, of an item alone", async (_what, metadata) => {
    const refused = await ingest({ namespace, metadata, sources: ["x"] });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).not.toMatch(/Invalid (key|input)/);
    const { status, body } = await ingest({ namespace, sources: [{ type: "text", value: "x", metadata }, "Fine."] });
    expect([status, body.errors[0].code]).toEqual([207, "invalid_item"]);
  });

  it("have at most 4,000 characters for each document, those of the request and their names included", async () => {
    const ofRequest = { name: "x".repeat(1_000), other: "y".repeat(990) };
    const send = (length: number) => {
      const metadata = { one: "1".repeat(1_000), two: "2".repeat(length) };
      const source = { type: "text", value: `${length} characters`, title: "T", metadata };
      return ingest({ namespace, metadata: ofRequest, sources: [source] });
    };
    const rest = 4_000 - JSON.stringify({ ...ofRequest, one: "1".repeat(1_000), two: "" }).length;
    expect(await send(rest)).toMatchObject({ status: 200 });
    const error = expect.stringContaining("4000 characters as JSON");
    expect(await send(rest + 1)).toMatchObject({
      status: 400,
      body: { errors: [{ title: "T", code: "invalid_item", error }] },
    });
  });
});

describe("a request", () => {
  it.each([
    ["that is not JSON", "{", 400],
    ["that is empty", "", 400],
    ["that is no object", "[]", 422],
    ["without sources", {}, 422],
    ["with no source in its list", { sources: [] }, 422],
    ["whose sources are no list", { sources: "text" }, 422],
    ["with more sources than the limit", { sources: Array.from({ length: 26 }, (_, index) => `text ${index}`) }, 422],
    ["for the namespace ..", { namespace: "..", sources: ["x"] }, 422],
    ["for a namespace with a control character", { namespace: "a\u0007", sources: ["x"] }, 422],
    ["for a namespace of 129 characters", { namespace: "漢".repeat(129), sources: ["x"] }, 422],
    ["for a namespace that is no text", { namespace: 5, sources: ["x"] }, 422],
  ])("%s is refused", async (_what, body, status) => {
    const refused = await ingest(body);
    expect(refused.status).toBe(status);
    expect(refused.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    if (status === 422) expect(refused.body.errors.length).toBeGreaterThan(0);
  });

  it("of another media type is refused, and of another method", async () => {
    const xml = { method: "POST", body: "<a/>", headers: { "Content-Type": "text/xml" } };
    expect((await fetch(`${service.baseUrl}/api/tools/ingest`, xml)).status).toBe(415);
    const got = await fetch(`${service.baseUrl}/api/tools/ingest`);
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  it("with more files than the limit is refused", async () => {
    const files = Array.from({ length: 26 }, (_, index): [string, string] => [`${index}.txt`, `text ${index}`]);
    expect(await upload({ namespace }, files)).toMatchObject({ status: 422 });
    expect(await upload({ namespace, sources: '["one more"]' }, files.slice(0, 25))).toMatchObject({ status: 422 });
    expect(await upload({ namespace }, files.slice(0, 25))).toMatchObject({ status: 200 });
  });

  it("with a blank namespace goes to the default one", async () => {
    for (const blank of [null, "", "  "]) {
      expect((await ingest({ namespace: blank, sources: [`For ${JSON.stringify(blank)}`] })).body.namespace).toBe(
        "default",
      );
    }
  });

  it("whose client leaves stops asking the provider", async () => {
    provider.scriptEmbeddings(answer.hang());
    const leaving = new AbortController();
    const asked = provider.embeddingRequests.length;
    const request = fetch(`${service.baseUrl}/api/tools/ingest`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ namespace, sources: ["Nobody waits for this."] }),
      signal: leaving.signal,
    });
    await expect.poll(() => provider.embeddingRequests.length).toBeGreaterThan(asked);
    leaving.abort();
    await expect(request).rejects.toThrow();
    await provider.embeddingRequests.at(-1)?.closed;
    expect(provider.embeddingRequests.at(-1)?.aborted).toBe(true);
    provider.scriptEmbeddings(lexical);
  });
});
