import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { answer, pdf, zip } from "@agent-backends/testing";
import { describe, expect, it } from "vitest";
import { postFiles, postJson } from "../knowledge-process.ts";
import { provider, service } from "./service.ts";

const part = (about: string, content: string) =>
  `--B\r\nContent-Disposition: form-data; ${about}\r\n\r\n${content}\r\n`;

const upload = (namespace: string, name: string, file: Uint8Array, query = "") =>
  postFiles(`${service.baseUrl}/api/tools/ingest${query}`, { namespace }, [[name, file]]);

it("a PDF of many pages is read, each chunk with its page", async () => {
  const pages = Array.from({ length: 60 }, (_, page) =>
    Array.from(
      { length: 40 },
      (_, line) => `Line ${line} of page ${page + 1} tells of harbour number ${page * 40 + line}.`,
    ),
  );
  const file = pdf(pages);
  expect(file.byteLength).toBeGreaterThan(128 * 1024);
  const sent = await upload("pdf", "harbours.pdf", file);
  expect(sent.body).toMatchObject({ saved: [{ title: "harbours.pdf" }], errors: [] });
  const { body } = await service.search({ namespace: "pdf", query: "harbour number 2385" });
  expect(body).toMatchObject({
    results: expect.arrayContaining([expect.objectContaining({ metadata: expect.objectContaining({ page: 60 }) })]),
  });
});

it("a PDF with a scanned page says that this page was not read, at once and as a job", async () => {
  const file = pdf([["Mietvertrag"], [], ["Kaution"]]);
  const warning = expect.stringMatching(/^No text was found on 1 of 3 pages \(2\)\. Run text recognition first/);
  const { body } = await upload("scan", "gemischt.pdf", file);
  expect(body).toMatchObject({ saved: [{ source: "file:gemischt.pdf", warning }] });
  const { job_id } = (await upload("scan-job", "gemischt.pdf", file, "?async=true")).body;
  await (await fetch(`${service.baseUrl}/api/jobs/${job_id}/events`)).text();
  const job = await (await fetch(`${service.baseUrl}/api/jobs/${job_id}`)).json();
  expect(job).toMatchObject({ items: [{ stage: "saved", warning }] });
});

it("texts that are the content of binary files are errors, however their client read them, and texts about one are kept", async () => {
  const office = zip([{ name: "word/document.xml", content: randomBytes(100_000) }]);
  const files = [pdf([["Mietvertrag"]]), office, randomBytes(300)].map((file) => Buffer.from(file));
  const readings = ["utf8", "latin1", "base64"] as const;
  const broken = files.flatMap((file) => readings.map((encoding) => file.toString(encoding))).slice(0, -1);
  const encoded = `data:application/pdf;base64,${files[0]?.toString("base64")}`;
  const texts = [
    "%PDF-1.7 is how such a file begins.",
    "H4sI is the start of gzip in base64: ".repeat(9),
    "a\u0007b\u0008",
  ];
  const sources = [...broken, encoded, ...texts].map((value) => ({ type: "markdown", value }));
  const { status, body } = await service.ingest({ namespace: "raw", sources });
  expect(status).toBe(207);
  expect(body.saved.map(({ source }: { source: string }) => source)).toEqual([
    "markdown:9",
    "markdown:10",
    "markdown:11",
  ]);
  const error = expect.stringMatching(/content of a binary file.* upload the file itself/);
  expect(body.errors).toEqual(
    broken.concat(encoded).map((_, n) => ({ source: `markdown:${n}`, error, code: "unsupported" })),
  );
});

it("a namespace with the longest name can be listed and removed", async () => {
  const namespace = "漢".repeat(128);
  await service.ingest({ namespace, sources: ["A text."] });
  const address = `${service.baseUrl}/api/namespaces/${encodeURIComponent(namespace)}`;
  expect(await (await fetch(`${address}/documents`)).json()).toMatchObject({ documents: [{ source: "text:0" }] });
  expect((await fetch(address, { method: "DELETE" })).status).toBe(204);
});

it("a form whose namespace is not in UTF-8 is refused, since two such names would be one", async () => {
  const body = Buffer.from(
    '--B\r\nContent-Disposition: form-data; name="namespace"\r\n\r\ncaf\xe9\r\n--B--\r\n',
    "latin1",
  );
  const response = await fetch(`${service.baseUrl}/api/tools/ingest`, {
    method: "POST",
    headers: { "Content-Type": "multipart/form-data; boundary=B" },
    body,
  });
  expect([response.status, await response.json()]).toMatchObject([422, { errors: [{ detail: "is not UTF-8" }] }]);
});

it("a form whose file inputs hold no file is taken as browsers send it", async () => {
  const noFile = (name: string) =>
    `--B\r\nContent-Disposition: form-data; name="${name}"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n`;
  const sources = part('name="sources"', '["Beside a file input without a file."]');
  const { status, body } = await postJson(
    `${service.baseUrl}/api/tools/ingest`,
    `${noFile("files")}${noFile("file")}${part('name="files"', "")}${sources}--B--`,
    { "Content-Type": "multipart/form-data; boundary=B" },
  );
  expect([status, body.saved?.length, body.errors]).toEqual([200, 1, []]);
});

it.each([
  ["without a boundary", "multipart/form-data", "x"],
  ["that is none", "multipart/form-data; boundary=B", "garbage"],
  [
    "that ends early",
    "multipart/form-data; boundary=B",
    '--B\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\nab',
  ],
])("a form %s is a bad request", async (_what, type, body) => {
  const response = await fetch(`${service.baseUrl}/api/tools/ingest`, {
    method: "POST",
    body,
    headers: { "Content-Type": type },
  });
  expect({ status: response.status, problem: await response.json() }).toMatchObject({
    status: 400,
    problem: { status: 400 },
  });
});

describe("a form's part that says it is JSON", () => {
  const json = (name: string, content: string) =>
    `--B\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: application/json\r\n\r\n${content}\r\n`;
  const send = (...parts: string[]) =>
    postJson(`${service.baseUrl}/api/tools/ingest`, `${parts.join("")}--B--`, {
      "Content-Type": "multipart/form-data; boundary=B",
    });
  const many = `[${"1,".repeat(30_000)}1]`;

  it("is read as text, and parsed where its field is JSON", async () => {
    const { status, body } = await send(json("namespace", "typed"), json("sources", '["A typed part."]'));
    expect([status, body.saved]).toEqual([200, [expect.objectContaining({ namespace: "typed" })]]);
  });

  it("is refused with the name of its field if it isn't JSON", async () => {
    const { status, body } = await send(json("sources", "["));
    expect([status, body.errors]).toEqual([422, [{ pointer: "/sources", detail: "is not JSON" }]]);
  });

  it("is refused with the limit, when it holds more values than a request needs", async () => {
    const { status, body } = await send(json("sources", many));
    expect([status, body.detail]).toEqual([413, expect.stringMatching(/The field sources .* 25000 values/)]);
  });

  it("is dropped unread if its field is unknown", async () => {
    const unknown = [json("unknown", many), json("other", "{")];
    const { status } = await send(...unknown, json("sources", '["Beside unknown parts."]'));
    expect(status).toBe(200);
  });

  it("is one of a bounded number", async () => {
    const { status, body } = await send(json("unknown", "{").repeat(300), json("sources", '["x"]'));
    expect([status, body.detail]).toEqual([413, expect.stringContaining("more than 204 parts")]);
  });
});

const textOf10MiB = "x".repeat(10 * 1024 * 1024);
const file = part('name="files"; filename="a.txt"', "A text.");

it.each([
  ["JSON that goes wrong in a long text", "application/json", `{"sources":["\n${textOf10MiB}"]}`, 400],
  ["JSON of many values", "application/json", `{"sources":[${"{},".repeat(100_000)}{}]}`, 413],
  [
    "too many files",
    "multipart/form-data; boundary=B",
    `${file.repeat(101)}${part('name="x"', textOf10MiB)}--B--`,
    422,
  ],
  ["a long field", "multipart/form-data; boundary=B", `${part('name="sources"', `${textOf10MiB}!`)}--B--`, 413],
])("a connection is used again after %s was refused", async (_what, type, body, status) => {
  using agent = Object.assign(new Agent({ keepAlive: true, maxSockets: 1 }), {
    [Symbol.dispose]: () => agent.destroy(),
  });
  const send = (path: string, method: string, content = "", headers = {}) =>
    new Promise<number>((resolve, reject) => {
      const sent = request(service.baseUrl + path, { agent, method, headers }, (response) => {
        text(response).then(() => resolve(response.statusCode ?? 0), reject);
      });
      sent.on("error", reject).end(content);
    });
  expect(await send("/api/tools/ingest", "POST", body, { "Content-Type": type })).toBe(status);
  expect(await send("/health", "GET")).toBe(200);
});

it("a model that asks for forty searches at once gets three", async () => {
  await service.ingest({ namespace: "returns", sources: ["Refunds are paid within 30 days."] });
  const calls = Array.from({ length: 40 }, (_, n) => ({ name: "searchDocs", args: { query: `refunds paid ${n}` } }));
  provider.script([answer.toolCalls(calls), answer.text("Within 30 days [1].")]);
  const before = provider.embeddingRequests.length;
  const { body } = await postJson(`${service.baseUrl}/api/agents/knowledge/generate`, {
    namespace: "returns",
    messages: [{ role: "user", content: "When are refunds paid?" }],
  });
  expect(body).toMatchObject({ content: "Within 30 days [1]." });
  expect(provider.embeddingRequests.length - before).toBe(4);
});
