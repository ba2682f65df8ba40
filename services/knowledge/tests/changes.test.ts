import { join } from "node:path";
import type { ChangeEvent } from "@agent-backends/client";
import { KnowledgeClient } from "@agent-backends/client";
import { startScriptedProvider } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, beforeEach, expect, it } from "vitest";
import type { KnowledgeProcess } from "./knowledge-process.ts";
import { startKnowledge } from "./knowledge-process.ts";

const folder = await createTemporaryFolder();
const provider = await startScriptedProvider();
const startHere = () => startKnowledge({ LLM_BASE_URL: provider.baseUrl, KNOWLEDGE_STORE: join(folder, "store") });
let service: KnowledgeProcess = await startHere();
let client = new KnowledgeClient({ baseUrl: service.baseUrl });
afterAll(async () => {
  await service.end("SIGKILL");
  await provider.close();
});

let namespace: string;
let count = 0;
beforeEach(() => {
  namespace = `namespace ${count++}`;
});

const put = (name: string, content: string) =>
  client.ingest({ namespace, files: [{ name, content }], on_conflict: "replace" });

/** Reads the changes since a cursor: a line for each, and the next cursor. */
async function read(since?: string) {
  const lines: string[] = [];
  let cursor = "";
  for await (const event of client.changes(namespace, { since })) {
    if (event.type === "cursor") cursor = event.cursor;
    else lines.push(toLine(event));
  }
  return { lines: lines.sort(), cursor };
}

const names = new Map<string, string>();
function toLine(event: ChangeEvent): string {
  if (event.type === "deleted") return `deleted ${names.get(event.document_id)}`;
  if (event.type === "cursor" || event.type === "error") return event.type;
  names.set(event.document_id, event.source);
  return `${event.type} ${event.title} (${event.source}) ${JSON.stringify(event.metadata)}`;
}

it("a mirror of a namespace hears of all that is added, replaced, renamed, retitled and deleted", async () => {
  const nothing = await read();
  expect(nothing.lines).toEqual([]);
  await put("a.txt", "Text of a.");
  await put("b.txt", "Text of b.");
  const meta = (filename: string) => JSON.stringify({ filename, content_type: "text/plain" });
  const whole = [`added a.txt (file:a.txt) ${meta("a.txt")}`, `added b.txt (file:b.txt) ${meta("b.txt")}`];
  const first = await read();
  expect(first.lines).toEqual(whole);
  expect((await read(nothing.cursor)).lines).toEqual(whole);
  expect(await read(first.cursor)).toEqual({ lines: [], cursor: first.cursor });

  await put("a.txt", "Another text of a.");
  const replaced = await read(first.cursor);
  expect(replaced.lines).toEqual([`added a.txt (file:a.txt) ${meta("a.txt")}`, "deleted file:a.txt"]);

  // A rename, as `agents sync` makes it: the same text under another name, and then without the old one.
  await put("c.txt", "Text of b.");
  await client.deleteDocuments(namespace, { source: "file:b.txt" });
  const renamed = await read(replaced.cursor);
  expect(renamed.lines).toEqual([`changed c.txt (file:c.txt) ${meta("c.txt")}`]);

  const [document] = (await client.documentsPage(namespace, { source: "file:c.txt" })).documents;
  await client.updateDocument(namespace, document?.document_id ?? "", { title: "C", metadata: { team: "legal" } });
  const retitled = await read(renamed.cursor);
  expect(retitled.lines).toMatchObject([expect.stringMatching(/^changed C .*"team":"legal"/)]);

  await client.deleteDocument(namespace, document?.document_id ?? "");
  expect((await read(retitled.cursor)).lines).toEqual(["deleted file:c.txt"]);
  // A client that was away all the time hears only of the result.
  const result = [`added a.txt (file:a.txt) ${meta("a.txt")}`, "deleted file:a.txt", "deleted file:c.txt"];
  expect((await read(first.cursor)).lines).toEqual(result);
});

it("a client that waits hears of a change at once, and of nothing once it stops", async () => {
  await put("a.txt", "Text of a.");
  const stop = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    for await (const event of client.changes(namespace, {}, { follow: true, signal: stop.signal })) {
      seen.push(event.type);
      if (event.type === "cursor" && seen.length === 2) await put("b.txt", "Text of b.");
      if (seen.length === 4) stop.abort();
    }
  })();
  await expect(following).rejects.toThrow();
  expect(seen).toEqual(["added", "cursor", "added", "cursor"]);
});

it("a cursor is good after the process was killed, and not for another namespace", async () => {
  await put("a.txt", "Text of a.");
  const { cursor } = await read();
  await service.end("SIGKILL");
  service = await startHere();
  client = new KnowledgeClient({ baseUrl: service.baseUrl });
  await put("b.txt", "Text of b.");
  expect((await read(cursor)).lines).toMatchObject([expect.stringContaining("added b.txt")]);
  namespace = "namespace 0";
  const refused = read(cursor);
  await expect(refused).rejects.toMatchObject({ status: 410, code: "gone" });
  await expect(refused).rejects.toThrow(/leave out `since`/);
  await expect(read("no cursor")).rejects.toMatchObject({ status: 422, errors: [{ pointer: "/since" }] });
});
