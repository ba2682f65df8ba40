import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Job, JobEvent } from "@agent-backends/contract";
import { jobAcceptedSchema, jobEventSchema, jobSchema } from "@agent-backends/contract";
import { knowledgeOperations } from "@agent-backends/contract/openapi";
import { respondWithLexicalEmbeddings } from "@agent-backends/llm/offline";
import { answer, parseSseEvents, startScriptedProvider } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { validateResponses } from "@agent-backends/testing/openapi";
import { afterAll, describe, expect, it } from "vitest";
import { ignoreMissing } from "../../store/files.ts";
import type { KnowledgeProcess } from "../knowledge-process.ts";
import { findTemporaryFolder, listTemporaryFiles, postFiles, postJson, startKnowledge } from "../knowledge-process.ts";

const folder = await createTemporaryFolder();
/** The process that uploads were cut in. */
let uploader: KnowledgeProcess | undefined;

const start = () =>
  startKnowledge({
    LLM_BASE_URL: provider.baseUrl,
    KNOWLEDGE_STORE: join(folder, "store"),
    KNOWLEDGE_MAX_FILE_BYTES: "2000",
  });

const provider = await startScriptedProvider();
let service = await start();
await validateResponses(knowledgeOperations, service.baseUrl);

afterAll(async () => {
  await service.end("SIGKILL");
  await provider.close();
});

const lexical = { respond: respondWithLexicalEmbeddings };
const startJob = (body: unknown) => postJson(`${service.baseUrl}/api/tools/ingest?async=true`, body);

async function jobAt(location: string): Promise<Job> {
  return jobSchema.parse(await (await fetch(new URL(location, service.baseUrl))).json());
}

async function readEvents(location: string): Promise<JobEvent[]> {
  const response = await fetch(new URL(`${location}/events`, service.baseUrl));
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  return parseSseEvents<JobEvent>(await response.text()).map((event) => jobEventSchema.parse(event));
}

/** An upload that never comes to its end. */
async function cutUpload(query: string): Promise<unknown> {
  const start = '--B\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nSome text';
  const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(start)) });
  const headers = { "Content-Type": "multipart/form-data; boundary=B" };
  const init = { method: "POST", body, headers, duplex: "half" } as RequestInit;
  return fetch(`${service.baseUrl}/api/tools/ingest${query}`, init).catch((error) => error);
}

/** What uploads have left that did not become a job or an answer. */
async function leftOvers(): Promise<string[]> {
  if (uploader === undefined) return [];
  const jobs = join(folder, "store", "jobs");
  const mark = `.${uploader.process.pid}.`;
  const ofJobs = (await readdir(jobs)).filter((name) => name.includes(mark)).map((name) => join(jobs, name));
  return [...(await listTemporaryFiles(uploader)), ...ofJobs];
}

/** What of the store, its jobs and uploads another user of the machine could read or write. */
async function othersMayRead(): Promise<string[]> {
  const store = join(folder, "store");
  const below = await readdir(store, { recursive: true });
  const paths = [store, ...below.map((name) => join(store, name)), ...(await leftOvers())];
  // The engine's temporary files may be gone again.
  const found = await Promise.all(
    paths.map(async (path) => ({ path, mode: (await stat(path).catch(ignoreMissing))?.mode })),
  );
  return found.filter(({ mode = 0 }) => (mode & 0o077) !== 0).map(({ path }) => path);
}

describe("an ingest in the background", { shuffle: false }, () => {
  it("is accepted at once and tells what becomes of each item, step by step", async () => {
    const form = new FormData();
    form.append("namespace", "jobs");
    form.append("sources", JSON.stringify(["One text.", { type: "url", value: "ftp://x.example/" }, "One text."]));
    form.append("files", new Blob(["From a file."]), "notes.txt");
    form.append("files", new Blob(["x".repeat(2001)]), "large.txt");
    const accepted = await fetch(`${service.baseUrl}/api/tools/ingest?async=true`, { method: "POST", body: form });
    expect(accepted.status).toBe(202);
    const body = jobAcceptedSchema.parse(await accepted.json());
    const location = accepted.headers.get("location") ?? "";
    expect(body).toMatchObject({ namespace: "jobs", status: "queued", items: 5 });
    expect(location).toBe(`/api/jobs/${body.job_id}`);

    const events = await readEvents(location);
    const listStages = (item: number) =>
      events.flatMap((event) => (event.type === "item" && event.item === item ? event.stage : []));
    expect(listStages(0)).toEqual(["waiting", "extracting", "chunking", "waiting", "embedding", "storing", "saved"]);
    expect(listStages(1)).toEqual(["waiting", "fetching", "error"]);
    expect(listStages(2)).toEqual(["waiting", "extracting", "chunking", "waiting", "skipped"]);
    expect(listStages(3).at(-1)).toBe("saved");
    const last = events.at(-1);
    expect(last).toMatchObject({ type: "job", status: "done", saved: 2, skipped: 1, errors: 2 });

    const job = await jobAt(location);
    expect(job).toEqual(jobSchema.parse(last));
    expect(job.items).toMatchObject([
      { source: "text:0", stage: "saved", chunks: 1, namespace: "jobs" },
      { source: "url:ftp://x.example/", stage: "error", code: "invalid_url" },
      { source: "text:2", stage: "skipped", reason: "duplicate-content" },
      { source: "file:notes.txt", stage: "saved" },
      { source: "file:large.txt", stage: "error", code: "too_large" },
    ]);
    expect(await readEvents(location)).toHaveLength(6);
    expect(await readdir(join(folder, "store", "jobs", body.job_id))).toEqual(["state.json"]);
  });

  it("of which nothing could be stored has failed", async () => {
    const { headers, body } = await startJob({ sources: [{ type: "spell", value: "abra" }] });
    const location = headers.get("location") ?? "";
    await readEvents(location);
    expect(await jobAt(location)).toMatchObject({ job_id: body.job_id, status: "failed", errors: 1 });
  });

  it("takes long texts as JSON", async () => {
    const sources = [
      "One text. ".repeat(20_000),
      "Short.",
      { type: "markdown", value: `# A\n\n${"Two. ".repeat(20_000)}` },
    ];
    const { headers } = await startJob({ namespace: "long", sources });
    const events = await readEvents(headers.get("location") ?? "");
    expect(events.at(-1)).toMatchObject({ type: "job", status: "done", saved: 3, errors: 0 });
  });

  it("is refused like any other, and leaves nothing behind then", async () => {
    const before = await readdir(join(folder, "store", "jobs"));
    expect((await startJob({ sources: [] })).status).toBe(422);
    expect((await startJob("{")).status).toBe(400);
    expect((await startJob({ namespace: "..", sources: ["x"] })).status).toBe(422);
    expect((await postJson(`${service.baseUrl}/api/tools/ingest?async=maybe`, { sources: ["x"] })).status).toBe(422);
    expect(await readdir(join(folder, "store", "jobs"))).toEqual(before);
    for (const path of ["", "/events"]) {
      const unknown = `${service.baseUrl}/api/jobs/00000000-0000-4000-8000-000000000000${path}`;
      expect((await fetch(unknown)).status).toBe(404);
      expect((await fetch(`${service.baseUrl}/api/jobs/x${path}`)).status).toBe(422);
    }
  });

  it("can be cancelled: what is stored stays, what runs is aborted and what waits never begins", async () => {
    provider.scriptEmbeddings((request) => (JSON.stringify(request.body).includes("SLOW") ? answer.hang() : lexical));
    const cancel = async (path: string) => {
      const response = await fetch(new URL(path, service.baseUrl), { method: "DELETE" });
      expect(response.status).toBe(200);
      return jobSchema.parse(await response.json());
    };
    const startIn = async (namespace: string, sources: string[]) =>
      (await startJob({ namespace, sources })).headers.get("location") ?? "";
    const running = await startIn("cancelled", ["A quick text.", "A SLOW text."]);
    const [other, waiting] = [await startIn("cancelled", ["A SLOW one."]), await startIn("cancelled", ["Another."])];
    await expect
      .poll(async () => (await jobAt(running)).items.map(({ stage }) => stage))
      .toEqual(["saved", "embedding"]);
    const hanging = provider.embeddingRequests.find(({ body }) => JSON.stringify(body).includes("A SLOW text."));

    const cancelled = { stage: "error", code: "cancelled" };
    expect(await cancel(waiting)).toMatchObject({ status: "cancelled", saved: 0, errors: 1, items: [cancelled] });
    const ended = await cancel(running);
    expect(ended).toMatchObject({ status: "cancelled", saved: 1, errors: 1, items: [{ stage: "saved" }, cancelled] });
    await hanging?.closed;
    expect(await cancel(running)).toEqual(ended);
    expect((await readEvents(running)).at(-1)).toMatchObject({ type: "job", ...ended });
    expect(await cancel(other)).toMatchObject({ status: "cancelled", items: [cancelled] });
    provider.scriptEmbeddings(lexical);
    const listed = await fetch(`${service.baseUrl}/api/namespaces/cancelled/documents`);
    expect(((await listed.json()) as { documents: unknown[] }).documents).toHaveLength(1);
    const unknown = `${service.baseUrl}/api/jobs/00000000-0000-4000-8000-000000000000`;
    expect((await fetch(unknown, { method: "DELETE" })).status).toBe(404);
  });

  it("ends with its namespace, which stays deleted, as requests end that fill it", async () => {
    provider.scriptEmbeddings((request) => (JSON.stringify(request.body).includes("SLOW") ? answer.hang() : lexical));
    const sources = (end: string) => ["A quick text.", `A SLOW text ${end}.`];
    const job = (await startJob({ namespace: "leaving", sources: sources("of a job") })).headers.get("location") ?? "";
    const waiting = service.ingest({ namespace: "leaving", sources: sources("here") });
    const asked = () =>
      provider.embeddingRequests.filter(({ body }) => /SLOW text (of|here)/.test(JSON.stringify(body)));
    await expect.poll(() => asked().length).toBe(2);
    const deleted = await fetch(`${service.baseUrl}/api/namespaces/leaving`, { method: "DELETE" });
    expect([deleted.status, (await waiting).status]).toEqual([204, 409]);
    expect(await jobAt(job)).toMatchObject({ status: "cancelled" });
    provider.scriptEmbeddings(lexical);
    const again = await fetch(`${service.baseUrl}/api/namespaces/leaving`, { method: "DELETE" });
    expect(again.status).toBe(404);
  });

  it("goes on after the process was killed, and after it was stopped, with what was uploaded", async () => {
    provider.scriptEmbeddings((request) => (JSON.stringify(request.body).includes("SLOW") ? answer.hang() : lexical));
    const fields = { namespace: "resumed", sources: JSON.stringify(["Quick text."]) };
    const url = `${service.baseUrl}/api/tools/ingest?async=true`;
    const accepted = await postFiles(url, fields, [["slow.txt", "A SLOW file."]]);
    const location = accepted.headers.get("location") ?? "";
    const stages = async () => (await jobAt(location)).items.map(({ stage }) => stage);
    await expect.poll(stages).toEqual(["saved", "embedding"]);
    uploader = service;
    const uploads = [cutUpload("?async=true"), cutUpload("")];
    await expect.poll(async () => (await leftOvers()).length).toBe(2);
    expect(await othersMayRead()).toEqual([]);
    await service.end("SIGKILL");
    await Promise.all(uploads);
    service = await start();
    await expect.poll(leftOvers).toEqual([]);
    await expect.poll(() => findTemporaryFolder(uploader as KnowledgeProcess)).toEqual([]);
    await expect.poll(stages).toEqual(["saved", "embedding"]);
    expect(await service.end("SIGTERM")).toBe(0);
    expect(await findTemporaryFolder(service)).toEqual([]);
    provider.scriptEmbeddings(lexical);
    service = await start();
    const events = await readEvents(location);
    expect(events.at(-1)).toMatchObject({ type: "job", status: "done", saved: 2, skipped: 0, errors: 0 });
  });
});
