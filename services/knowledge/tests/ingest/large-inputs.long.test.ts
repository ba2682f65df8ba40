import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { ClientRequest, IncomingMessage } from "node:http";
import { createServer, get } from "node:http";
import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { respondWithLexicalEmbeddings } from "@agent-backends/llm/offline";
import { answer } from "@agent-backends/testing";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { beforeAll, describe, expect, it } from "vitest";
import { startUnderTest } from "../under-test.ts";

const inputCharacters = 20_000_000;
/** The text as a whole would take 40 MB, and each further copy of it as much. */
const memoryAtMostMb = 90;
const pages = 3;
/** A thread that reads takes memory of its own. There is one for each core but one. */
const memoryOfThreadMb = 30;
const otherReaders = Math.max(0, Math.min(pages, availableParallelism() - 1) - 1);
/** Far more than it takes, far less than reading or copying all of it in one go, also on a busy machine. */
const healthAtMostMs = 3_000;

const unreadAnswers = 40;
/** A sixth of what the answers would take as a whole. The engine, which tidies the new document up meanwhile, takes more with more threads. */
const unreadMemoryAtMostMb = 200 + memoryOfThreadMb * Math.max(0, availableParallelism() - 2);

const { provider, service } = await startUnderTest({ KNOWLEDGE_URL_ALLOW_PRIVATE: "true" });
/** A site whose one page is small on the wire and large when it is unpacked. */
const site = createServer((_request, response) => {
  response.writeHead(200, { "Content-Type": "text/plain", "Content-Encoding": "gzip" }).end(packed);
});
const origin = await listenOnLoopback(site);

beforeAll(async () => {
  const warm = new FormData();
  warm.append("files", new Blob(["A few words. ".repeat(20_000)]), "warm.txt");
  await send(warm);
  // What vectors take is another matter: they are made and stored a part at a time.
  provider.scriptEmbeddings(answer.error(400, "not now"));
});

async function send(body: FormData | string) {
  const headers = typeof body === "string" ? { "Content-Type": "application/json" } : undefined;
  const init = { method: "POST", body, ...(headers && { headers }) };
  const response = await fetch(`${service.baseUrl}/api/tools/ingest`, init);
  return (await response.json()) as { saved?: { document_id: string }[]; errors?: { code: string }[]; status?: number };
}

/** Read from the kernel: a process for each look would take more of a core than what is measured. */
async function memoryMb(): Promise<number> {
  const status = await readFile(`/proc/${service.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024;
}

/** How much memory the service takes in addition, and how long its health takes at most, until `work` is done. */
async function watch<Result>(work: Promise<Result>) {
  const before = await memoryMb();
  let memory = 0;
  let slowestHealthMs = 0;
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const asked = performance.now();
    await (await fetch(`${service.baseUrl}/health`)).text();
    slowestHealthMs = Math.max(slowestHealthMs, performance.now() - asked);
    memory = Math.max(memory, (await memoryMb()) - before);
    // Without a pause, the measurement itself takes a core.
    await delay(25);
  }
  return { result: await done, memory, slowestHealthMs };
}

const words = "Some words of a long text, wörds too.\n";
const text = words.repeat(inputCharacters / words.length);
const packed = gzipSync(text);

const pagesOfSite = (count: number) => {
  const sources = Array.from({ length: count }, (_, page) => `${origin}/${page}`);
  return JSON.stringify({ sources });
};

describe("an input of many megabytes", () => {
  it.each<[string, () => FormData | string, object]>([
    ["a file of text", () => buildForm("large.txt", text), { errors: [{ code: "provider_failed" }] }],
    ["a text in JSON", () => JSON.stringify({ sources: [text] }), { errors: [{ code: "provider_failed" }] }],
    ["small things in JSON", () => `{"sources":["x"],"other":[${"1,".repeat(inputCharacters / 2)}1]}`, { status: 413 }],
    [
      "small pages that unpack to it",
      () => pagesOfSite(pages),
      { errors: Array(pages).fill({ code: "provider_failed" }) },
    ],
    ["a file that can't be read", () => buildForm("large.pdf", text), { errors: [{ code: "damaged" }] }],
  ])("is never in memory as a whole and holds up nobody: %s", async (_what, body, expected) => {
    const { result, memory, slowestHealthMs } = await watch(send(body()));
    expect(result).toMatchObject(expected);
    expect(memory).toBeLessThan(memoryAtMostMb + otherReaders * memoryOfThreadMb);
    expect(slowestHealthMs).toBeLessThan(healthAtMostMs);
  });
});

it("a document that many clients ask for and none takes is in memory in small pieces", async () => {
  // The text alone matters: small vectors take a tenth of the time.
  provider.scriptEmbeddings({
    respond: (request, reply) =>
      respondWithLexicalEmbeddings({ ...request, body: { ...(request.body as object), dimensions: 16 } }, reply),
  });
  const numbered = Array.from({ length: 60_000 }, (_, line) => `Line ${line} of a text that nobody is going to read.`);
  const { saved: [document] = [] } = await send(buildForm("unread.txt", numbered.join("\n"), "unread"));
  const path = `/api/namespaces/unread/documents/${document?.document_id}`;
  const read = async () => ((await (await fetch(service.baseUrl + path)).json()) as { text: string }).text;
  expect((await read()) === numbered.join("\n")).toBe(true);
  const requests: ClientRequest[] = [];
  const answers = Promise.all(
    Array.from({ length: unreadAnswers }, async () => {
      const request = get(service.baseUrl + path, { agent: false }).on("error", () => undefined);
      requests.push(request);
      return (await once(request, "response"))[0] as IncomingMessage;
    }),
  );
  const { result, memory, slowestHealthMs } = await watch(
    answers.then(async (unread) => {
      await delay(2_000);
      return unread;
    }),
  );
  expect(result.map(({ statusCode }) => statusCode)).toEqual(Array(unreadAnswers).fill(200));
  expect(memory).toBeLessThan(unreadMemoryAtMostMb);
  expect(slowestHealthMs).toBeLessThan(healthAtMostMs);
  for (const request of requests) request.destroy();
}, 90_000);

function buildForm(name: string, content: string, namespace = "default"): FormData {
  const form = new FormData();
  form.append("namespace", namespace);
  form.append("files", new Blob([content]), name);
  return form;
}
