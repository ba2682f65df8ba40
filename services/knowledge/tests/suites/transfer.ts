import { createHash } from "node:crypto";
import { importResponseSchema } from "@agent-backends/contract";
import { answer, pdf, pptx, xlsx } from "@agent-backends/testing";
import { describe, expect, it } from "vitest";
import { postJson, readAnswer } from "../knowledge-process.ts";
import { provider, service } from "./service.ts";

/** Text of a document of more chunks than one part holds. A code finds one of them; those after it are equally good hits, in any order. */
const toCode = (part: number) => createHash("sha256").update(String(part)).digest("hex").slice(0, 12);
const long = Array.from({ length: 280 }, (_, part) => `## Part ${part}\n\n${toCode(part)} ${"lamp oil ".repeat(25)}`);

const queries = [
  "money back within days",
  "東京 parcels",
  "lamps in stock",
  `part ${toCode(97)}`,
  "opening hours Zürich",
  "quarterly revenue",
  toCode(270),
];

const api = (namespace: string) => `${service.baseUrl}/api/namespaces/${namespace}`;
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they assert.
const get = async (address: string): Promise<any> => (await fetch(address)).json();
/** Without the empty lines that keep the connection open while nothing is sent. */
const exported = async (namespace: string) =>
  (await (await fetch(`${api(namespace)}/export`)).text()).replaceAll(/\n+/g, "\n");
async function send(namespace: string, file: string, query = "") {
  const headers = { "Content-Type": "application/x-ndjson" };
  return readAnswer(await fetch(`${api(namespace)}/import${query}`, { method: "POST", headers, body: file }));
}

const metadata = { tags: ["a", "b"], year: 2025, draft: false };
const sources = [
  {
    type: "markdown",
    value: "# Refunds\n\nMoney back within 30 days. 😀\n\n## Parcels\n\n東京 parcels take a week.",
    metadata,
  },
  { type: "text", id: "hours", title: "Öffnungszeiten", value: "Opening hours in Zürich: nine to six." },
  { type: "text", id: "again", title: "Again", value: "Opening hours in Zürich: nine to six." },
  { type: "markdown", id: "stock", value: long.join("\n\n") },
];
const form = new FormData();
form.append("namespace", "depot");
form.append("sources", JSON.stringify(sources));
form.append("files", new Blob([pdf([["Annual report"], ["The quarterly revenue grew."]])]), "reports/2025.pdf");
form.append("files", new Blob([pptx([["Plans"], ["Opening hours change"]])]), "plans.pptx");
form.append(
  "files",
  new Blob([
    xlsx({
      Stock: [
        ["Item", "Count"],
        ["Lamps", "7"],
      ],
    }),
  ]),
  "stock.xlsx",
);
const response = await fetch(`${service.baseUrl}/api/tools/ingest`, { method: "POST", body: form });
expect(response.status).toBe(200);
const file = await exported("depot");

/** All that clients see of a namespace. */
async function look(namespace: string) {
  const searches: { metadata: object }[][] = [];
  for (const query of queries) {
    const { body } = await service.search({ namespace, query, max_results: 1 });
    // The engine, which answers until the table is in memory, gives a similarity that differs in the fourth digit.
    const results: { metadata: object; similarity?: number }[] = body.results;
    searches.push(results.map(({ similarity, ...result }) => ({ ...result, isSimilar: similarity !== undefined })));
  }
  provider.script(answer.text("See [1]."));
  const messages = [{ role: "user", content: "What is the quarterly revenue?" }];
  const { body } = await postJson(`${service.baseUrl}/api/agents/knowledge/generate`, { namespace, messages });
  const { documents } = await get(`${api(namespace)}/documents`);
  const texts: unknown[] = [];
  for (const { document_id } of documents) {
    const { namespace: _, ...document } = await get(`${api(namespace)}/documents/${document_id}`);
    texts.push(document);
  }
  return { searches, citations: body.citations, documents, texts };
}

describe("an import", () => {
  it("ends with its namespace, which stays deleted, while its client still sends", async () => {
    let send: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = controller;
        controller.enqueue(Buffer.from(file.slice(0, file.lastIndexOf('{"type":"document"'))));
      },
    });
    const headers = { "Content-Type": "application/x-ndjson" };
    const importing = fetch(`${api("leaving")}/import`, { method: "POST", headers, body, duplex: "half" });
    await expect.poll(async () => (await get(`${api("leaving")}/documents`)).documents.length).toBeGreaterThan(0);
    expect((await fetch(api("leaving"), { method: "DELETE" })).status).toBe(204);
    send?.enqueue(Buffer.from(file.slice(file.lastIndexOf('{"type":"document"'))));
    send?.close();
    expect((await importing).status).toBe(409);
    expect((await fetch(api("leaving"), { method: "DELETE" })).status).toBe(404);
  });
});

describe("an exported namespace", () => {
  it("is the same after an import, which embeds nothing and can be repeated", async () => {
    const before = await look("depot");
    const embedded = provider.embeddingRequests.length;
    const { status, body } = await send("depot copy", file);
    expect(provider.embeddingRequests).toHaveLength(embedded);
    expect([status, importResponseSchema.parse(body)]).toEqual([200, body]);
    expect(body).toMatchObject({ namespace: "depot copy", saved: 6, skipped: 0, embedded: 0 });
    expect(await look("depot copy")).toEqual(before);
    const places = before.searches.flatMap((results) => results.map(({ metadata }) => metadata));
    expect(places).toContainEqual(expect.objectContaining({ page: 2 }));
    expect(places).toContainEqual(expect.objectContaining({ tags: ["a", "b"], year: 2025, draft: false }));
    const again = await exported("depot copy");
    expect(again.split("\n").slice(1, -2)).toHaveLength(file.split("\n").slice(1, -2).length);
    expect((await send("depot copy", file)).body).toMatchObject({ saved: 0, skipped: 6, chunks: 0 });
    expect(await look("depot copy")).toEqual(before);
  });

  it("keeps the sources of its documents, so that one of two can go", async () => {
    await send("sources", file);
    const remove = async (source: string) => {
      const response = await fetch(`${api("sources")}/documents?source=${source}`, { method: "DELETE" });
      return response.json();
    };
    expect(await remove("text:hours")).toMatchObject({ deleted: 0, kept: 1 });
    const { documents } = await get(`${api("sources")}/documents?source=text:again`);
    expect(documents).toMatchObject([{ title: "Again", source: "text:again" }]);
    expect(await remove("text:again")).toMatchObject({ deleted: 1, kept: 0 });
  });

  it("is read at the client's pace", async () => {
    const controller = new AbortController();
    const response = await fetch(`${api("depot")}/export`, { signal: controller.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    expect(response.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''depot.ndjson");
    controller.abort();
    expect((await fetch(`${api("nowhere")}/export`)).status).toBe(404);
  });
});

/** The same file with the checksums that its lines should have. */
function signed(text: string): string {
  const hash = createHash("sha256");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const sha256 = hash.copy().digest("hex");
      const written = line.replace(/"sha256":"\w+"/, `"sha256":"${sha256}"`);
      hash.update(`${written}\n`);
      return written;
    });
  return `${lines.join("\n")}\n`;
}

/** The file with its first line of a type changed. */
// biome-ignore lint/suspicious/noExplicitAny: tests change fields whose type they know.
const changed = (change: (line: any) => object, type: string) => {
  const lines = file.split("\n");
  const position = lines.findIndex((line) => line.startsWith(`{"type":"${type}"`));
  return lines.with(position, JSON.stringify(change(JSON.parse(lines[position] ?? "")))).join("\n");
};

describe("an import refuses", () => {
  const count = async (namespace: string) => (await get(`${api(namespace)}/documents`)).documents.length;

  it.each([
    ["cut off in a line", () => file.slice(0, file.length - 30), 6],
    ["cut off between lines", () => `${file.split("\n").slice(0, 4).join("\n")}\n`, 1],
    [
      "whose vectors were changed",
      () => changed((part) => ({ ...part, vectors: `BBBB${part.vectors.slice(4)}` }), "part"),
      0,
    ],
    ["whose text was changed", () => changed((part) => ({ ...part, text: part.text.replace("i", "j") }), "part"), 0],
    [
      "with a place outside of the text",
      () => changed((part) => ({ ...part, chunks: [{ start: 0, end: 1e9 }] }), "part"),
      0,
    ],
    ["with missing vectors", () => changed((part) => ({ ...part, vectors: "" }), "part"), 0],
    ["of an unknown version", () => changed((header) => ({ ...header, version: 2 }), "header"), 0],
    ["that is none", () => '{"hello": 1}\n', 0],
    ["of nothing", () => "", 0],
    [
      "with a field that documents can't have",
      () => changed((line) => ({ ...line, sources: [{ ...line.sources[0], metadata: { page: 1 } }] }), "document"),
      0,
    ],
    ["with a line without end", () => `${file.slice(0, 200)}${"x".repeat(9 * 1024 * 1024)}`, 0],
    ["of too many values", () => `[${"[],".repeat(100_000)}0]\n`, 0],
    ["that the service gave up", () => `${file.split("\n")[0]}\n{"type":"error","message":"broke off"}\n`, 0],
  ])("a file %s, and stores whole documents alone", async (what, make, stored) => {
    const namespace = `refused ${what}`;
    const { status, body } = await send(namespace, make());
    expect([status, body.type]).toEqual([422, "urn:agent-backends:problem:invalid-input"]);
    const isNoExport = ["of an unknown version", "that is none", "of nothing", "of too many values"].includes(what);
    expect(body.detail).toMatch(
      isNoExport ? /^This file was not created by an export/ : /^Line \d+ of the file .*are stored \(\d of them new\)/s,
    );
    expect(await count(namespace)).toBe(stored);
  });

  it("another model, unless it may embed anew", async () => {
    const other = changed((header) => ({ ...header, embedding: { ...header.embedding, model: "other" } }), "header");
    const { status, body } = await send("other model", other);
    expect([status, body.detail]).toEqual([409, expect.stringContaining("reembed=true")]);
    expect(await count("other model")).toBe(0);
    const embedded = await send("other model", signed(other), "?reembed=true");
    expect(embedded).toMatchObject({ status: 200, body: { saved: 6, embedded: embedded.body.chunks } });
    expect(await count("other model")).toBe(6);
  });

  it("what is no export's media type, or compressed", async () => {
    const post = (headers: Record<string, string>) =>
      fetch(`${api("x")}/import`, { method: "POST", headers, body: file }).then(({ status }) => status);
    expect(await post({ "Content-Type": "application/json" })).toBe(415);
    expect(await post({ "Content-Type": "text/plain" })).toBe(415);
    expect(await post({ "Content-Type": "application/x-ndjson", "Content-Encoding": "gzip" })).toBe(415);
  });
});
