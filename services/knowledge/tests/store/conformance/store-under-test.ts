import type { KnowledgeStore } from "../../../store/knowledge-store.ts";

/** A store that the suite tests. Each test has an empty one. */
export interface StoreUnderTest {
  /** Opens the store of the running test once more, as another process does. The caller closes it after the test. */
  open(): KnowledgeStore;
  /** Counts all stored chunks, also those of documents that are not whole yet, which nobody sees. */
  countChunks(): Promise<number>;
}
