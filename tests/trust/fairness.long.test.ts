import { join, resolve } from "node:path";
import { knowledgeLimits, limits } from "@agent-backends/contract";
import { docx, endlessDocx, serviceMains, startScriptedProvider, startService } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, expect, test } from "vitest";
import { writeKeys } from "./key-file.ts";

const hostileKeys = ["hostile-1", "hostile-2", "hostile-3", "hostile-4"];
const hostileNamespaces = Array.from(
  { length: knowledgeLimits.namespacesPerSearch },
  (_, at) => `hostile namespace ${at}`,
);

const folder = await createTemporaryFolder();

const provider = await startScriptedProvider();
const keysFile = join(folder, "keys.json");
await writeKeys(
  keysFile,
  [...hostileKeys, "small"].map((key) => ({
    name: key,
    key,
    namespaces: [key, ...(key === "small" ? [] : hostileNamespaces)],
  })),
);
const service = await startService(resolve(serviceMains.knowledge), {
  LLM_BASE_URL: provider.baseUrl,
  KNOWLEDGE_STORE: join(folder, "store"),
  AUTH_KEYS_FILE: keysFile,
});
afterAll(async () => {
  await service.end("SIGKILL");
  await provider.close();
});

const endless = endlessDocx();

async function ingest(key: string, files: readonly Uint8Array[], query = "") {
  const form = new FormData();
  form.append("namespace", key);
  for (const [index, file] of files.entries())
    form.append("files", new Blob([file as Uint8Array<ArrayBuffer>]), `${index}.docx`);
  const headers = { "X-API-Key": key };
  const response = await fetch(`${service.baseUrl}/api/tools/ingest${query}`, { method: "POST", headers, body: form });
  return { status: response.status, body: (await response.json()) as { job_id: string } };
}

async function job(key: string, id: string, method = "GET") {
  const response = await fetch(`${service.baseUrl}/api/jobs/${id}`, { method, headers: { "X-API-Key": key } });
  return (await response.json()) as { status: string; items: { stage: string }[] };
}

async function post(key: string, path: string, body: object) {
  const headers = { "X-API-Key": key, "Content-Type": "application/json" };
  const response = await fetch(service.baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
}

test("while most of a client's costly searches wait, another one's are answered", async () => {
  const [hostile = ""] = hostileKeys;
  const words = (count: number) => Array.from({ length: count }, (_, at) => `refund${at}`);
  const sources = words(20).map((word) => `Refunds of ${word}.`);
  for (const namespace of hostileNamespaces) {
    expect(await post(hostile, "/api/tools/ingest", { namespace, sources })).toBe(200);
  }
  expect(await post("small", "/api/tools/ingest", { namespace: "small", sources })).toBe(200);
  const costly = { namespaces: hostileNamespaces, query: words(128).join(" "), max_results: 50 };
  let answered = 0;
  const searches = Array.from({ length: limits.searchesPerKey }, async () => {
    const status = await post(hostile, "/api/tools/searchDocs", costly);
    answered += 1;
    return status;
  });
  expect(await post("small", "/api/tools/searchDocs", { namespace: "small", query: "refunds" })).toBe(200);
  expect(answered).toBeLessThan(searches.length / 2);
  expect(new Set(await Promise.all(searches))).toEqual(new Set([200]));
}, 60_000);

test("beside four clients whose files take for ever, another one's small files are stored", async () => {
  const hostile: { key: string; id: string }[] = [];
  for (const key of hostileKeys) {
    for (let count = 0; count < 3; count++) {
      const { body } = await ingest(key, Array(20).fill(endless), "?async=true");
      hostile.push({ key, id: body.job_id });
    }
  }
  const stages = async () =>
    (await Promise.all(hostile.map(({ key, id }) => job(key, id)))).flatMap(({ items }) => items);
  await expect
    .poll(async () => (await stages()).filter(({ stage }) => stage === "extracting").length)
    .toBeGreaterThan(1);

  for (const words of ["One small file.", "Another one."]) {
    expect(await ingest("small", [docx([{ paragraph: words }])])).toMatchObject({ status: 200 });
  }
  const { body } = await ingest("small", [docx([{ paragraph: "One in the background." }])], "?async=true");
  await expect.poll(async () => (await job("small", body.job_id)).status).toBe("done");

  // If the small files had waited for the slow ones, none of these would still be running.
  const left = (await stages()).filter(({ stage }) => stage === "waiting" || stage === "extracting");
  expect(left.length).toBeGreaterThan(hostile.length * 10);
  for (const { key, id } of hostile) expect(await job(key, id, "DELETE")).toMatchObject({ status: "cancelled" });
  // The small files wait until the first endless ones reach their limit of time, which is longer on a busy machine.
}, 150_000);
