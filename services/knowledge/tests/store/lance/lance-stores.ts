import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@agent-backends/kit";
import { connect } from "@lancedb/lancedb";
import { afterEach, beforeEach } from "vitest";
import { LanceStore } from "../../../store/lance/lance-store.ts";
import type { MaintenanceTimes } from "../../../store/lance/upkeep/schedule.ts";

export const logger = createLogger("test", "silent");
/** The folder of the current test's stores. */
export let folder: string;
let stores: LanceStore[];

/** Opens the store in the folder, as a new instance for each call. All are closed after the test. */
export function open(maintenance?: Partial<MaintenanceTimes>, purgeAfterMs?: number): LanceStore {
  const store = new LanceStore(
    { folder },
    { logger, ...(maintenance && { maintenance }), ...(purgeAfterMs !== undefined && { purgeAfterMs }) },
  );
  stores.push(store);
  return store;
}

/** Like `open`, without searches in memory, so that the engine does them. */
export function openEngine(maintenance?: Partial<MaintenanceTimes>): LanceStore {
  const store = new LanceStore({ folder }, { logger, ...(maintenance && { maintenance }), maxMemoryBytes: 0 });
  stores.push(store);
  return store;
}

/** Gives each test of a file its own folder. Every test file must call it, because files share loaded modules. */
export function useStores(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "knowledge-store-"));
    stores = [];
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await rm(folder, { recursive: true, maxRetries: 5 });
  });
}

/** The table of the only namespace. */
export async function onlyTable() {
  const connection = await connect(folder, { readConsistencyInterval: 0 });
  const [name = ""] = (await connection.listTables()).tables;
  return connection.openTable(name);
}
