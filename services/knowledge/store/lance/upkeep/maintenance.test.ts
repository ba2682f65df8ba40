import { tmpdir } from "node:os";
import { setTimeout } from "node:timers/promises";
import { createLogger } from "@agent-backends/kit";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { buildDocument } from "../../../tests/store/documents.ts";
import { FolderLeases } from "../leases/folder-leases.ts";
import type { TableHandle } from "../table/table-handle.ts";

// Other files of tests may have loaded the store already, with the real one.
vi.resetModules();
vi.doMock("./vector-index.ts", { spy: true });
const { LanceStore } = await import("../lance-store.ts");
const { Maintenance } = await import("./maintenance.ts");
const { ensureVectorIndex, getVectorIndexState } = await import("./vector-index.ts");

afterAll(() => {
  vi.doUnmock("./vector-index.ts");
  vi.resetModules();
});

const logger = createLogger("test", "silent");
const times = { quietMs: 1 };

it("a namespace is deleted after the index that is being built, not before it", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  const store = new LanceStore({ folder }, { logger, maintenance: times });
  const building = Promise.withResolvers<void>();
  const built = Promise.withResolvers<void>();
  vi.mocked(getVectorIndexState).mockReturnValue("outdated");
  vi.mocked(ensureVectorIndex).mockImplementationOnce(() => {
    building.resolve();
    return built.promise;
  });
  await store.add("zoo", buildDocument("", { pieces: Array.from({ length: 40 }, (_, number) => `Animal ${number}`) }));
  await building.promise;
  const deleted = store.deleteNamespace("zoo");
  // Without waiting it would be done by then.
  await setTimeout(200);
  expect(await store.getEmbedding("zoo")).toBeDefined();
  built.resolve();
  vi.mocked(getVectorIndexState).mockRestore();
  expect(await deleted).toBe(true);
  expect(await store.getEmbedding("zoo")).toBeUndefined();
  await store.close();
});

it("writes count for their namespace, through however many handles they come", async () => {
  const maintenance = new Maintenance(logger, new FolderLeases(tmpdir()), times);
  const tidied = Promise.withResolvers<number>();
  for (let handle = 1; handle <= 16; handle += 1) {
    const schema = () => {
      tidied.resolve(handle);
      return Promise.reject(new Error("That is enough."));
    };
    const table = { schema, countRows: () => Promise.resolve(0), listIndices: () => Promise.resolve([]) };
    maintenance.noteWrite({ namespace: "zoo", table } as unknown as TableHandle, 1);
  }
  expect(await tidied.promise).toBe(16);
  await maintenance.close();
});
