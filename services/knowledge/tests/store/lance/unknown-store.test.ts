import { createHash } from "node:crypto";
import { createLogger } from "@agent-backends/kit";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { connect } from "@lancedb/lancedb";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { toKnowledgeProblem } from "../../../http/knowledge-problem.ts";
import { UnknownStoreError } from "../../../store/errors.ts";
import { LanceStore } from "../../../store/lance/lance-store.ts";
import { buildDocument, findNearest, toLetterVector } from "../documents.ts";

let folder: string;
let store: LanceStore;
beforeEach(async () => {
  folder = await createTemporaryFolder(onTestFinished);
  store = new LanceStore({ folder }, { logger: createLogger("test", "silent") });
});
afterEach(async () => {
  await store.close();
});

const name = createHash("sha256").update("zoo").digest("hex");
const query = { model: "letters", vector: toLetterVector("zebra") };

describe("a store that another version of the service made", () => {
  it.each([
    ["has tables of another kind", async () => (await connect(folder)).createTable(name, [{ id: 1, text: "Zebra" }])],
    [
      "lacks a column",
      async () => {
        await store.add("zoo", buildDocument("Zebra"));
        const table = await (await connect(folder)).openTable(name);
        await table.dropColumns(["document_text"]);
        await store.close();
        store = new LanceStore({ folder }, { logger: createLogger("test", "silent") });
      },
    ],
  ])("says what to do when it %s, and changes nothing", async (_what, make) => {
    await make();
    const version = await (await (await connect(folder)).openTable(name)).version();
    for (const attempt of [
      () => store.check(),
      () => findNearest(store, "zoo", query, { limit: 1 }),
      () => store.add("zoo", buildDocument("Another")),
      () => store.listDocuments("zoo", { limit: 1 }),
    ]) {
      await expect(attempt()).rejects.toThrow(UnknownStoreError);
    }
    expect(await (await (await connect(folder)).openTable(name)).version()).toBe(version);
    const problem = toKnowledgeProblem(new UnknownStoreError());
    expect([problem.status, problem.message]).toEqual([
      503,
      expect.stringContaining("set KNOWLEDGE_STORE to a new place"),
    ]);
  });
});
