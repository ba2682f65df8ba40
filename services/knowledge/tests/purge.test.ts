import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Job } from "@agent-backends/contract";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { expect, it } from "vitest";
import { listFiles } from "../store/files.ts";
import { postJson } from "./knowledge-process.ts";
import { startUnderTest } from "./under-test.ts";

const folder = await createTemporaryFolder();
const { service } = await startUnderTest({ KNOWLEDGE_STORE: folder });

/** A word that no compression shortens, so that it can be found in the files that hold it. */
const makeWord = () => `q${randomBytes(12).toString("hex")}`;
const isOnDisk = async (word: string) => {
  const contents = await Promise.all((await listFiles(folder)).map((path) => readFile(path).catch(() => Buffer.of())));
  return contents.some((content) => content.includes(word));
};
const remove = (path: string) => fetch(`${service.baseUrl}/api/namespaces/shop${path}`, { method: "DELETE" });

it("a document that is deleted with purge=true is off the disk when the answer comes, and a namespace always", async () => {
  const words = Array.from({ length: 30 }, makeWord);
  const { body } = await service.ingest({
    namespace: "shop",
    sources: words.map((word) => ({ type: "text", value: `The code of this customer is ${word}.` })),
  });
  const [deleted = "", kept = ""] = words;
  expect(await isOnDisk(deleted)).toBe(true);
  expect((await remove(`/documents/${body.saved[0].document_id}?purge=perhaps`)).status).toBe(422);
  expect((await remove(`/documents/${body.saved[0].document_id}?purge=true`)).status).toBe(204);
  expect(await isOnDisk(deleted)).toBe(false);
  expect(await isOnDisk(kept)).toBe(true);
  expect((await remove("")).status).toBe(204);
  expect(await isOnDisk(kept)).toBe(false);
});

it("a job that stored documents has none of their words once they are deleted, and shows their titles until then", async () => {
  const words = Array.from({ length: 6 }, makeWord);
  const [one = "", ofFilter = "", replaced = "", ofNamespace = "", failed = ""] = words;
  const sources = [
    { type: "text", value: `${one} is a diagnosis.` },
    { type: "markdown", value: `# ${ofFilter}\n\nA diagnosis.`, metadata: { group: "old" } },
    { type: "text", value: `${replaced} is a diagnosis.`, id: "note" },
    `${ofNamespace} is a diagnosis.`,
    // As a title of its own, and of an item that is an error.
    { type: "scroll", value: "A diagnosis.", title: failed },
    // The same content as the first one.
    { type: "text", value: `${one} is a diagnosis.`, title: "Another title" },
  ];
  const ingest = async (body: object): Promise<Job> => {
    const { headers } = await postJson(`${service.baseUrl}/api/tools/ingest?async=true`, {
      namespace: "shop",
      ...body,
    });
    const read = async () =>
      (await fetch(new URL(headers.get("location") ?? "", service.baseUrl))).json() as Promise<Job>;
    await expect.poll(async () => (await read()).status).toBe("done");
    return read();
  };
  const { job_id: id, items } = await ingest({ sources });
  const job = async () => {
    const read = async (path: string) => (await fetch(`${service.baseUrl}/api/jobs/${id}${path}`)).text();
    return (await read("")) + (await read("/events"));
  };
  const titles = items.map((item) => ("title" in item ? item.title : undefined));
  const first = `${one} is a diagnosis.`;
  expect(titles).toEqual([first, ofFilter, `${replaced} is a diagnosis.`, sources[3], undefined, first]);
  const expectGone = async (word: string) => {
    expect(await job()).not.toContain(word);
    expect(await isOnDisk(word)).toBe(false);
  };
  await expectGone(failed);
  expect(await job()).toContain(one);
  const [saved] = items;
  const documentId = saved?.stage === "saved" ? saved.document_id : "";
  expect((await remove(`/documents/${documentId}?purge=true`)).status).toBe(204);
  await expectGone(one);
  expect((await remove(`/documents?filter=${encodeURIComponent('{"group":"old"}')}&purge=true`)).status).toBe(200);
  await expectGone(ofFilter);
  await ingest({ sources: [{ type: "text", value: "Nothing is known.", id: "note" }], on_conflict: "replace" });
  expect(await job()).not.toContain(replaced);
  expect(await job()).toContain(ofNamespace);
  expect((await remove("?purge=true")).status).toBe(204);
  for (const word of [replaced, ofNamespace]) await expectGone(word);
  expect(await job()).toContain('"title":"text:3"');
});
