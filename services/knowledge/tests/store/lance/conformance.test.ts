import { expect, it } from "vitest";
import { testConformance } from "../conformance/conformance.ts";
import { findTraces, largeDocument, pausedDocument } from "../conformance/large-documents.ts";
import { readWhole } from "../documents.ts";
import { onlyTable, open, useStores } from "./lance-stores.ts";

useStores();

const countChunks = async () => (await onlyTable()).countRows();

testConformance("in LanceDB", { open, countChunks });

it("a large document whose process dies is never seen", async () => {
  const { id, text } = largeDocument();
  const store = open({ quietMs: 1 });
  const { document, reached, fail } = pausedDocument("2026-01-01T00:00:00.000Z");
  const lost = open().add("zoo", document);
  await reached;
  await expect.poll(countChunks).toBeGreaterThan(4);
  expect(await findTraces(store)).toEqual([]);
  expect(await store.add("zoo", largeDocument(undefined, new Date().toISOString()))).toBe(true);
  expect(await readWhole(store, "zoo", id)).toMatchObject({ text });
  fail(new Error("It never went on."));
  await expect(lost).rejects.toThrow();
  expect(await readWhole(store, "zoo", id)).toMatchObject({ text });
});
