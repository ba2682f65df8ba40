import type { Job } from "@agent-backends/contract";
import { jobSchema } from "@agent-backends/contract";
import { respondWithLexicalEmbeddings } from "@agent-backends/llm/offline";
import { answer } from "@agent-backends/testing";
import { afterEach, describe, expect, it } from "vitest";
import { listTemporaryFiles, postFiles } from "../knowledge-process.ts";
import { startUnderTest } from "../under-test.ts";

const { service, provider } = await startUnderTest();

const lexical = { respond: respondWithLexicalEmbeddings };
/** Texts with this word get no vectors. */
const held = "withheld";
const isHeld = ({ body }: { body: unknown }) => JSON.stringify(body).includes(held);
const holdEmbeddings = () => provider.scriptEmbeddings((request) => (isHeld(request) ? answer.hang() : lexical));

/** Text of several parts, so that it stays on disk. No two lines are alike. */
const largeText = (name: string, words: string) =>
  Array.from({ length: 30_000 }, (_, line) => `Line ${line} of ${name} says that geese fly ${words}.\n`).join("\n");
const file = (name: string, text: string): [string, Blob] => [name, new Blob([text])];

async function startJob(namespace: string, files: [string, Blob][]): Promise<string> {
  const accepted = await postFiles(`${service.baseUrl}/api/tools/ingest?async=true`, { namespace }, files);
  expect(accepted.status).toBe(202);
  return `${service.baseUrl}${accepted.headers.get("location")}`;
}

const getJob = async (url: string): Promise<Job> => jobSchema.parse(await (await fetch(url)).json());
const getStages = async (url: string) => (await getJob(url)).items.map(({ stage }) => stage);
const started: string[] = [];

async function cancel(url: string): Promise<Job> {
  return jobSchema.parse(await (await fetch(url, { method: "DELETE" })).json());
}
afterEach(async () => {
  for (const url of started.splice(0)) await cancel(url);
});

const start = async (namespace: string, files: [string, Blob][]) => {
  const url = await startJob(namespace, files);
  started.push(url);
  return url;
};

describe("an item's stage", () => {
  it("is embedding only while the provider has its chunks; items beyond the limit of calls wait", async () => {
    holdEmbeddings();
    const files = Array.from({ length: 40 }, (_, number) => file(`${number}.txt`, `The ${held} text ${number}.`));
    const url = await start("held", files);
    await expect.poll(() => provider.embeddingRequests.filter(isHeld).length).toBe(32);
    const { items } = await getJob(url);
    const embedding = items.filter(({ stage }) => stage === "embedding");
    expect(embedding).toHaveLength(32);
    for (const item of embedding) expect(item).toMatchObject({ progress: { done: 0, total: 1 } });
    expect(items.filter(({ stage }) => stage === "waiting")).toHaveLength(8);
  });

  it("says how many of a large document's chunks have their vectors", async () => {
    provider.scriptEmbeddings((request) =>
      JSON.stringify(request.body).includes("Line 20000 ") ? answer.hang() : lexical,
    );
    const url = await start("progress", [file("large.txt", largeText("a", "south"))]);
    const getProgress = async () => {
      const [item] = (await getJob(url)).items;
      return item?.stage === "embedding" ? item.progress : undefined;
    };
    await expect.poll(async () => (await getProgress())?.done ?? 0, { timeout: 20_000 }).toBeGreaterThanOrEqual(512);
    const { done = 0, total = 0 } = (await getProgress()) ?? {};
    expect(done).toBeLessThan(total);
    provider.scriptEmbeddings(lexical);
    await cancel(url);
  });
});

describe("small items", () => {
  it("don't wait for large ones of the same request, and the answer keeps the request's order", async () => {
    provider.scriptEmbeddings((request) => (JSON.stringify(request.body).includes(" north") ? answer.hang() : lexical));
    const files = [
      ...["a", "b", "c", "d", "e"].map((name) => file(`large ${name}.txt`, largeText(name, "north"))),
      file("middle.txt", largeText("f", "east").slice(0, 100_000)),
      file("small.txt", "Ducks swim."),
    ];
    const url = await start("order", files);
    const getSaved = async () =>
      (await getJob(url)).items.flatMap(({ stage }, index) => (stage === "saved" ? [index] : []));
    await expect.poll(getSaved, { timeout: 20_000 }).toEqual([5, 6]);
    expect((await getJob(url)).items.map(({ source }) => source)).toEqual(files.map(([name]) => `file:${name}`));
    await cancel(url);
  }, 60_000);

  it("are saved while large ones of other jobs of the same client are embedded", async () => {
    holdEmbeddings();
    const large: string[] = [];
    for (const name of ["a", "b", "c"]) large.push(await start("jobs", [file(`${name}.txt`, largeText(name, held))]));
    await expect.poll(() => getStages(large[1] ?? ""), { timeout: 20_000 }).toEqual(["embedding"]);
    const small = await start("jobs", [file("small.txt", "Ducks swim in ponds.")]);
    await expect.poll(() => getStages(small)).toEqual(["saved"]);
    expect(await getStages(large[2] ?? "")).toEqual(["waiting"]);
  }, 60_000);
});

describe("a cancelled job", () => {
  async function expectNothingLeft(namespace: string, url: string): Promise<void> {
    await expect.poll(() => listTemporaryFiles(service)).toEqual([]);
    const documents = await fetch(`${service.baseUrl}/api/namespaces/${namespace}/documents`);
    expect(await documents.json()).toMatchObject({ documents: [] });
    const found = await fetch(`${service.baseUrl}/api/tools/searchDocs`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ namespace, query: "geese" }),
    });
    expect(await found.json()).toMatchObject({ results: [] });
    expect(await getJob(url)).toMatchObject({ status: "cancelled", errors: 1, items: [{ code: "cancelled" }] });
  }

  it("ends its thread while a document is read", async () => {
    const page = `<p>${"<b>Geese</b> fly <i>far</i>. ".repeat(200_000)}</p>`;
    const url = await start("cancelled-reading", [file("large.html", page)]);
    await expect.poll(() => getStages(url)).toEqual(["extracting"]);
    expect(await cancel(url)).toMatchObject({ status: "cancelled" });
    await expectNothingLeft("cancelled-reading", url);
  });

  it("ends its request to the provider, and removes the parts that were stored", async () => {
    provider.scriptEmbeddings((request) =>
      JSON.stringify(request.body).includes("Line 20000 ") ? answer.hang() : lexical,
    );
    const url = await start("cancelled-embedding", [file("large.txt", largeText("a", "west"))]);
    const isHanging = ({ body }: { body: unknown }) => JSON.stringify(body).includes("Line 20000 ");
    await expect
      .poll(() => provider.embeddingRequests.filter(isHanging).length, { timeout: 20_000 })
      .toBeGreaterThan(0);
    const hanging = provider.embeddingRequests.findLast(isHanging);
    expect(await cancel(url)).toMatchObject({ status: "cancelled" });
    await hanging?.closed;
    await expectNothingLeft("cancelled-embedding", url);
  }, 60_000);
});
