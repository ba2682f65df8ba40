import { join } from "node:path";
import { createFolderMeter } from "../files.ts";
import { JobFolder } from "../jobs/job-folder.ts";
import type { OpenedStore } from "../knowledge-store.ts";
import { LanceJobs } from "./jobs/lance-jobs.ts";
import type { LanceStoreOptions } from "./lance-store.ts";
import { LanceStore } from "./lance-store.ts";
import type { StoreLocation } from "./open-tables.ts";
import { getMaxSearchBytes } from "./search/table-states.ts";

/** Opens a store in a folder, or at the address of an object store. Object stores report their size themselves, so they aren't measured. */
export function openLance(
  place: StoreLocation,
  { workers, ...options }: LanceStoreOptions & { workers: number },
): OpenedStore {
  const store = new LanceStore(place, { ...options, maxMemoryBytes: getMaxSearchBytes(workers) });
  return "folder" in place
    ? { store, jobs: new JobFolder(join(place.folder, "jobs")), measure: createFolderMeter(place.folder) }
    : { store, jobs: new LanceJobs(() => store.connect(), store.leases) };
}
