import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { knowledgeLimits } from "@agent-backends/contract";
import { pdf } from "@agent-backends/testing";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { expect, test } from "vitest";
import { readAnswer } from "../knowledge-process.ts";
import { startUnderTest } from "../under-test.ts";

interface OcrRequest {
  model: string;
  pages: number[];
  document: { type: string; document_url: string };
}
type Respond = (request: OcrRequest, response: ServerResponse) => unknown;

const toPages = (pages: number[]) => pages.map((index) => ({ index, markdown: `# Seen on ${index + 1}\n\nA stamp.` }));
const recognise: Respond = ({ pages }, response) => response.end(JSON.stringify({ pages: toPages(pages), model: "m" }));

let respond = recognise;
const received: { body: OcrRequest; headers: IncomingHttpHeaders; response: ServerResponse }[] = [];
const server = createServer(async (request, response) => {
  const body = (await json(request)) as OcrRequest;
  received.push({ body, headers: request.headers, response });
  respond(body, response);
});

const { service } = await startUnderTest({
  KNOWLEDGE_OCR_URL: `${await listenOnLoopback(server)}/v1/ocr`,
  KNOWLEDGE_OCR_API_KEY: "ocr-secret",
  KNOWLEDGE_OCR_MODEL: "ocr-test",
  KNOWLEDGE_OCR_TIMEOUT_MS: "4000",
});

async function ingest(bytes: Uint8Array, signal?: AbortSignal) {
  const form = new FormData();
  form.append("files", new Blob([bytes as Uint8Array<ArrayBuffer>]), "letter.pdf");
  const response = await fetch(`${service.baseUrl}/api/tools/ingest`, { method: "POST", body: form, signal });
  return (await readAnswer(response)).body;
}
const get = async (path: string) => (await fetch(`${service.baseUrl}/api/namespaces/default/documents/${path}`)).json();

test("the text of scanned pages is recognised, and stands between that of the others", async () => {
  const bytes = pdf([["Dear Ada,"], [], ["Yours, Bob"], []]);
  const { saved } = await ingest(bytes);
  expect(received).toHaveLength(1);
  const [{ body, headers }] = received as [(typeof received)[number]];
  expect(headers).toMatchObject({ authorization: "Bearer ocr-secret", "content-type": "application/json" });
  expect(body).toMatchObject({ model: "ocr-test", pages: [1, 3], document: { type: "document_url" } });
  const [scheme, base64 = ""] = body.document.document_url.split(",");
  expect(scheme).toBe("data:application/pdf;base64");
  expect(Buffer.from(base64, "base64").equals(bytes)).toBe(true);

  const id = saved[0].document_id;
  const { text } = (await get(id)) as { text: string };
  expect(text).toBe("Dear Ada,\n\n# Seen on 2\n\nA stamp.\n\nYours, Bob\n\n# Seen on 4\n\nA stamp.");
  const { chunks } = (await get(`${id}/chunks`)) as { chunks: { start: number; end: number; page: number }[] };
  expect(chunks.map(({ start, end, page }) => [page, text.slice(start, end)])).toEqual([
    [1, "Dear Ada,"],
    [2, "# Seen on 2\n\nA stamp."],
    [3, "Yours, Bob"],
    [4, "# Seen on 4\n\nA stamp."],
  ]);
});

test("a PDF with text on each page goes nowhere", async () => {
  received.length = 0;
  expect((await ingest(pdf([["All of it"], ["is text."]]))).saved).toHaveLength(1);
  expect(received).toHaveLength(0);
});

const send =
  (body: unknown, status = 200): Respond =>
  (_request, response) =>
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
test.each<[what: string, respond: Respond, code: string]>([
  ["only blank text", send({ pages: [0, 1].map((index) => ({ index, markdown: " \n" })) }), "no_text"],
  ["too few pages", send({ pages: toPages([0]) }), "recognition_failed"],
  ["a page twice", send({ pages: toPages([0, 1, 1]) }), "recognition_failed"],
  ["another shape", send({ text: "ocr-secret" }), "recognition_failed"],
  ["no JSON", send("ocr-secret"), "recognition_failed"],
  ["a refusal", send("wrong key ocr-secret", 401), "recognition_failed"],
  ["a huge answer", send({ pages: toPages([0, 1]), more: "x".repeat(9_000_000) }), "recognition_failed"],
  ["silence", () => undefined, "timed_out"],
])("after %s the item is an error", async (_what, misbehave, code) => {
  respond = misbehave;
  const { saved, errors } = await ingest(pdf([[], []]));
  expect(saved).toEqual([]);
  expect(errors).toEqual([
    { source: "file:letter.pdf", title: "letter.pdf", code, error: expect.stringMatching(/recogni/) },
  ]);
});

test("a PDF over the limits is refused before it is sent", async () => {
  received.length = 0;
  const many = pdf(Array.from({ length: knowledgeLimits.recognisedPages + 1 }, () => []));
  const large = Buffer.concat([pdf([[]]), Buffer.alloc(knowledgeLimits.recognisedBytes)]);
  for (const bytes of [many, large]) expect((await ingest(bytes)).errors).toMatchObject([{ code: "too_large" }]);
  expect(received).toHaveLength(0);
});

test("a client that leaves ends the recognition", async () => {
  received.length = 0;
  respond = () => undefined;
  const leaving = new AbortController();
  const ingesting = ingest(pdf([[]]), leaving.signal).catch(() => undefined);
  await expect.poll(() => received.length).toBe(1);
  const closed = once(received[0]?.response as ServerResponse, "close");
  leaving.abort();
  await Promise.all([closed, ingesting]);
  expect(JSON.stringify(service.log)).toContain("the text of each page");
  expect(JSON.stringify(service.log)).not.toContain("ocr-secret");
});
