import { connect, Index } from "@lancedb/lancedb";
import { expect, it } from "vitest";
import { getTableName, readSchema } from "../../../store/lance/table/schema.ts";
import { buildDocument, findMatching } from "../documents.ts";
import { folder, open, useStores } from "./lance-stores.ts";

useStores();

const never = { quietMs: 600_000, maxDelayMs: 600_000, settleMs: 600_000, oldVersionMs: 600_000 };
const soon = { ...never, quietMs: 1, maxDelayMs: 1, settleMs: 1 };
const sentences = ["Die Gebühren gelten für alle Verträge.", "The fees are paid with the policies."];
const pieces = Array.from({ length: 2_500 }, (_, number) => `${sentences[number % 2]} Nummer ${number}`);

const openTable = async () => (await connect(folder)).openTable(getTableName("zoo"));
const isMigrated = async () => {
  const table = await openTable();
  const columns = (await table.listIndices()).flatMap((index) => index.columns);
  return readSchema(await table.schema()).termsAreComplete && !columns.includes("search_text");
};

/** A namespace as versions made it whose engine analysed the text. */
async function makeEarlierNamespace(chunks: number): Promise<void> {
  const store = open(never);
  await store.add("zoo", buildDocument("", { pieces: pieces.slice(0, chunks) }));
  await store.close();
  const table = await openTable();
  await table.dropColumns(["terms"]);
  const config = Index.fts({ baseTokenizer: "icu", language: "English", stem: true, withPosition: false });
  await table.createIndex("search_text", { config });
}

it("a namespace of an earlier version can be searched and written at once, and gets its terms meanwhile", async () => {
  await makeEarlierNamespace(200);
  const idle = open(never);
  const texts = async (words: string) => (await findMatching(idle, "zoo", words, { limit: 1 })).map(({ text }) => text);
  expect(await texts("policy 77")).toEqual([pieces[77]]);
  await idle.add("zoo", buildDocument("Zebrafinken gegen Gebühr"));
  expect(await texts("Zebrafinken")).toEqual(["Zebrafinken gegen Gebühr"]);
  expect(await isMigrated()).toBe(false);

  // Two processes do the same work at the same time.
  const [one, other] = [open(soon), open(soon)];
  await Promise.all([one, other].map((store) => findMatching(store, "zoo", "policy", { limit: 1 })));
  await expect.poll(isMigrated, { timeout: 30_000 }).toBe(true);
  expect(await texts("Vertrag 78")).toEqual([pieces[78]]);
  expect(await texts("policy 77")).toEqual([pieces[77]]);
  expect(await texts("Zebrafink")).toEqual(["Zebrafinken gegen Gebühr"]);
});

it("a migration that was interrupted continues", async () => {
  await makeEarlierNamespace(pieces.length);
  const interrupted = open(soon);
  await findMatching(interrupted, "zoo", "policy", { limit: 1 });
  const filled = async () => (await openTable()).countRows("terms IS NOT NULL").catch(() => 0);
  await expect.poll(filled, { timeout: 20_000 }).toBeGreaterThan(0);
  await interrupted.close();
  const next = open(soon);
  expect(await findMatching(next, "zoo", "policies", { limit: 1 })).toHaveLength(1);
  await expect.poll(isMigrated, { timeout: 30_000 }).toBe(true);
  expect(await (await openTable()).countRows("terms IS NULL")).toBe(0);
  expect((await findMatching(next, "zoo", "Gebühr 2498", { limit: 1 })).map(({ text }) => text)).toEqual([
    pieces[2498],
  ]);
});
