import type { KnowledgeStore } from "../../../store/knowledge-store.ts";

/** A store that the suite tests. Each test has an empty store. */
export interface StoreUnderTest {
  /** Opens another instance of the running test's store, like another process. The caller closes it after the test. */
  open(): KnowledgeStore;
  /**
   * Counts all stored chunks, including the invisible ones of incomplete documents. Left out for a store that stores nothing of a document
   * before it has all parts.
   */
  countChunks?(): Promise<number>;
}
