import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { listFiles } from "../store/files.ts";
import { postJson } from "./knowledge-process.ts";
import { startUnderTest } from "./under-test.ts";

const folder = await mkdtemp(join(tmpdir(), "knowledge-purge-"));
const { service } = await startUnderTest({ KNOWLEDGE_STORE: folder });
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A word that no compression shortens, so that it can be found in the files that hold it. */
const makeWord = () => `q${randomBytes(12).toString("hex")}`;
const isOnDisk = async (word: string) => {
  const contents = await Promise.all((await listFiles(folder)).map((path) => readFile(path).catch(() => Buffer.of())));
  return contents.some((content) => content.includes(word));
};

it("a document that is deleted with purge=true is off the disk when the answer comes, and a namespace always", async () => {
  const words = Array.from({ length: 30 }, makeWord);
  const { body } = await postJson(`${service.baseUrl}/api/tools/ingest`, {
    namespace: "shop",
    sources: words.map((word) => ({ type: "text", value: `The code of this customer is ${word}.` })),
  });
  const [deleted = "", kept = ""] = words;
  expect(await isOnDisk(deleted)).toBe(true);
  const remove = (path: string) => fetch(`${service.baseUrl}/api/namespaces/shop${path}`, { method: "DELETE" });
  expect((await remove(`/documents/${body.saved[0].document_id}?purge=perhaps`)).status).toBe(422);
  expect((await remove(`/documents/${body.saved[0].document_id}?purge=true`)).status).toBe(204);
  expect(await isOnDisk(deleted)).toBe(false);
  expect(await isOnDisk(kept)).toBe(true);
  expect((await remove("")).status).toBe(204);
  expect(await isOnDisk(kept)).toBe(false);
});
