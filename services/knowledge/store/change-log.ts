import type { StoredDocument } from "./document.ts";

/** A record of the change feed (`changes/change-state.ts`). It is written once. Its text means nothing to the store and holds no content. */
export interface ChangeRecord {
  /** From 1 on. A namespace has each number at most once. */
  number: number;
  text: string;
}

/**
 * What the change feed needs of a store: what a namespace holds now, whether that may have changed, and records that all processes
 * share. Deleting a namespace removes its records.
 */
export interface ChangeLog {
  /**
   * Differs from an earlier answer whenever `mapDocuments` may give something else than it did then. It may also differ without a reason.
   * `undefined` for an unknown namespace.
   */
  getVersion(namespace: string): Promise<string | undefined>;

  /** All documents of a namespace as of one moment, in any order. Each is mapped as it is read, so that they are never in memory together. */
  mapDocuments<Result>(namespace: string, map: (document: StoredDocument) => Result): Promise<Result[]>;

  /** The records with this number or a higher one, in order, up to `limit`. */
  readRecords(namespace: string, page: { from: number; limit: number }): Promise<ChangeRecord[]>;

  /**
   * Stores a record durably, unless the namespace has one with its number. Of several processes that append the same number at the same
   * time, one succeeds.
   *
   * @returns whether it was stored
   */
  appendRecord(namespace: string, record: ChangeRecord): Promise<boolean>;

  removeRecords(namespace: string, before: number): Promise<void>;
}
