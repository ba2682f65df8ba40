import type { JobStore } from "./jobs/job-store.ts";
import type { KnowledgeStore } from "./knowledge-store.ts";

/** A store's parts that a service needs. */
export interface OpenedStore {
  store: KnowledgeStore;
  jobs: JobStore;
  /** Measures the store in bytes; absent on an object store, which tells its size itself. */
  measure?: () => Promise<number>;
}
