import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@agent-backends/kit";
import { connect } from "@lancedb/lancedb";
import { afterEach, beforeEach } from "vitest";
import { LanceStore } from "../../../store/lance/lance-store.ts";
import type { MaintenanceTimes } from "../../../store/lance/upkeep/schedule.ts";

export const logger = createLogger("test", "silent");
/** A new one for each test. */
export let folder: string;
let stores: LanceStore[];

/** Opens the store that lies in the folder, once more for each call; all are closed after the test. */
export function open(maintenance?: Partial<MaintenanceTimes>, purgeAfterMs?: number): LanceStore {
  const store = new LanceStore(
    { folder },
    { logger, ...(maintenance && { maintenance }), ...(purgeAfterMs !== undefined && { purgeAfterMs }) },
  );
  stores.push(store);
  return store;
}

/** The same, of a store that keeps nothing in memory to search it there. */
export function openEngine(maintenance?: Partial<MaintenanceTimes>): LanceStore {
  const store = new LanceStore({ folder }, { logger, ...(maintenance && { maintenance }), maxMemoryBytes: 0 });
  stores.push(store);
  return store;
}

/** Gives each test of a file a folder of its own. Called by each file, since test files share the modules that they load. */
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
