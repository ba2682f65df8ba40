import type { StoredDocument } from "./document.ts";

/**
 * A record of the change feed (`changes/change-state.ts`). It is written once. The store doesn't interpret its text, which contains no
 * document content.
 */
export interface ChangeRecord {
  /** Starts at 1 and is unique within a namespace. */
  number: number;
  text: string;
}

/**
 * What the change feed needs from a store: the current documents of a namespace, a version that shows whether they may have changed,
 * and records shared by all processes. Deleting a namespace removes its records.
 */
export interface ChangeLog {
  /**
   * A version that changes whenever the result of `mapDocuments` may have changed. It may also change without a reason. `undefined` for
   * an unknown namespace.
   */
  getVersion(namespace: string): Promise<string | undefined>;

  /**
   * Maps all documents of a namespace as of one moment, in any order. Each document is mapped as it is read, so that they are never all
   * in memory.
   */
  mapDocuments<Result>(namespace: string, map: (document: StoredDocument) => Result): Promise<Result[]>;

  /** The records from this number on, in order, up to `limit`. */
  readRecords(namespace: string, page: { from: number; limit: number }): Promise<ChangeRecord[]>;

  /**
   * Stores a record durably, unless the namespace already has one with its number. If several processes append the same number at the
   * same time, exactly one succeeds.
   *
   * @returns whether the record was stored
   */
  appendRecord(namespace: string, record: ChangeRecord): Promise<boolean>;

  removeRecords(namespace: string, before: number): Promise<void>;
}
