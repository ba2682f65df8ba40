import { KnowledgeClient } from "@agent-backends/client";
import { jobSchema } from "@agent-backends/contract";
import { respondWithLexicalEmbeddings } from "@agent-backends/llm/offline";
import { answer, startObjectStore, startScriptedProvider } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, expect, it } from "vitest";
import type { KnowledgeProcess } from "../knowledge-process.ts";
import { postFiles, readAnswer, startKnowledge } from "../knowledge-process.ts";

/** Each replica is as on a machine of its own. */
const folders = [await createTemporaryFolder(), await createTemporaryFolder()];
const [objectStore, provider] = await Promise.all([startObjectStore(), startScriptedProvider()]);
const replicas = await Promise.all(
  folders.map((TMPDIR) =>
    startKnowledge({
      ...objectStore.variables,
      KNOWLEDGE_STORE: objectStore.location,
      LLM_BASE_URL: provider.baseUrl,
      TMPDIR,
    }),
  ),
);

afterAll(async () => {
  for (const service of replicas) await service.end("SIGKILL");
  await provider.close();
  await objectStore.close();
});

const lexical = { respond: respondWithLexicalEmbeddings };

it("first writers of a namespace at the same time lose nothing, and each replica finds what the other was told is saved", async () => {
  const clients = replicas.map((service) => new KnowledgeClient(service));
  const [first, second] = clients as [KnowledgeClient, KnowledgeClient];
  for (let round = 0; round < 3; round += 1) {
    const namespace = `race ${round}`;
    const sent = clients.map((client, writer) =>
      client.ingest({ namespace, sources: [`Writer ${writer} likes zebras.`] }),
    );
    for (const { saved } of await Promise.all(sent)) expect(saved).toHaveLength(1);
    for (const client of clients) {
      const { results } = await client.search({ namespace, query: "Who likes zebras?" });
      expect(results.map(({ content }) => content).sort()).toEqual([
        "Writer 0 likes zebras.",
        "Writer 1 likes zebras.",
      ]);
    }
  }
  for (let round = 0; round < 3; round += 1) {
    const text = `Fact number ${round} is about okapis.`;
    await first.ingest({ namespace: "fresh", sources: [text] });
    const { results } = await second.search({ namespace: "fresh", query: text });
    expect(results[0]?.content).toBe(text);
  }
  // Deleted and made anew by another replica, with as many commits.
  await first.deleteNamespace("fresh");
  for (let round = 0; round < 3; round += 1) {
    const text = `Number ${round} is about quolls.`;
    await first.ingest({ namespace: "fresh", sources: [text] });
    const { results } = await second.search({ namespace: "fresh", query: text });
    expect(results[0]?.content).toBe(text);
    expect(results).toHaveLength(round + 1);
  }
});

it("a namespace that one replica deletes is not brought back by another one that fills it", async () => {
  const [filling, deleting] = replicas as [KnowledgeProcess, KnowledgeProcess];
  const path = "/api/namespaces/leaving";
  const embedding = Promise.withResolvers<void>();
  await filling.ingest({ namespace: "leaving", sources: ["A first text.", "A second one."] });
  const lines = (await (await fetch(`${filling.baseUrl}${path}/export`)).text()).split(/(?=\{"type":"document")/);
  expect(await deleteIt()).toBe(204);
  provider.scriptEmbeddings(() => ({
    respond: (...exchange) => embedding.promise.then(() => respondWithLexicalEmbeddings(...exchange)),
  }));
  let rest: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      rest = controller;
      controller.enqueue(Buffer.from(lines.slice(0, 2).join("")));
    },
  });
  const headers = { "Content-Type": "application/x-ndjson" };
  const imported = fetch(`${filling.baseUrl}${path}/import`, { method: "POST", headers, body, duplex: "half" });
  const documentsUrl = `${deleting.baseUrl}${path}/documents`;
  await expect.poll(async () => (await readAnswer(await fetch(documentsUrl))).body.documents.length).toBeGreaterThan(0);
  const ingested = filling.ingest({ namespace: "leaving", sources: ["A LATE text."] });
  await expect.poll(() => JSON.stringify(provider.embeddingRequests.at(-1)?.body)).toContain("LATE");
  expect(await deleteIt()).toBe(204);
  embedding.resolve();
  rest?.enqueue(Buffer.from(lines.slice(2).join("")));
  rest?.close();
  expect([(await ingested).status, (await imported).status]).toEqual([409, 409]);
  expect(await deleteIt()).toBe(404);

  async function deleteIt(): Promise<number> {
    return (await fetch(`${deleting.baseUrl}${path}`, { method: "DELETE" })).status;
  }
});

it("a job of a replica that is killed is continued by another one, with its files: nothing is lost, nothing is there twice", async () => {
  provider.scriptEmbeddings((request) => (JSON.stringify(request.body).includes("SLOW") ? answer.hang() : lexical));
  const [owner, other] = replicas as [KnowledgeProcess, KnowledgeProcess];
  const fields = { namespace: "jobs", sources: JSON.stringify(["Quick text."]) };
  const accepted = await postFiles(`${owner.baseUrl}/api/tools/ingest?async=true`, fields, [["a.txt", "A SLOW file."]]);
  expect(accepted.status).toBe(202);
  const url = `${other.baseUrl}/api/jobs/${accepted.body.job_id}`;
  const getJob = async () => jobSchema.parse(await (await fetch(url)).json());
  await expect
    .poll(async () => (await getJob()).items.map(({ stage }) => stage), { timeout: 10_000 })
    .toEqual(["saved", "embedding"]);
  await owner.end("SIGKILL");
  provider.scriptEmbeddings(lexical);
  await expect.poll(async () => (await getJob()).status, { timeout: 20_000 }).toBe("done");
  expect(await getJob()).toMatchObject({ saved: 2, skipped: 0, errors: 0 });
  const client = new KnowledgeClient(other);
  const { namespaces } = await client.namespacesPage();
  expect(namespaces.find(({ namespace }) => namespace === "jobs")).toMatchObject({ documents: 2, chunks: 2 });
  const { results } = await client.search({ namespace: "jobs", query: "SLOW file" });
  expect(results[0]?.content).toBe("A SLOW file.");
});
