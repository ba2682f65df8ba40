import type { ChangeRecord } from "../store/change-log.ts";

/** A document as the log knows it. Numbers are those of records. */
interface LoggedDocument {
  fingerprint: string;
  addedAt: number;
  changedAt: number;
}

/** A document by its hash with its new fingerprint, or without one when it was deleted. */
export type Change = [hash: string, fingerprint?: string];

type DocumentEntry = [hash: string, fingerprint: string, addedAt: number, changedAt: number];
type DeletionEntry = [hash: string, deletedAt: number];

/** One of several records that hold the whole state, so that earlier records can be removed. */
interface SnapshotPart {
  part: number;
  parts: number;
  forgottenBefore: number;
  documents: DocumentEntry[];
  deletions: DeletionEntry[];
}

/** What the text of a record holds, as JSON. */
interface RecordContent {
  /** The id of the log. Records of other logs are left over from before the namespace was deleted. */
  log: string;
  /** In the first record of a log. */
  begins?: true;
  changes?: Change[];
  snapshot?: SnapshotPart;
}

/** Entries of one record. A record of this many takes half a megabyte, and some milliseconds to read. */
const maxEntriesPerRecord = 5_000;
/** A log is worth a snapshot once it has this many more entries than twice those of the snapshot. */
const minSavedEntries = 1_000;

/** What happened to a document since a cursor. */
export interface DocumentChange {
  hash: string;
  type: "added" | "changed" | "deleted";
}

/** The state of a namespace's documents as its log tells it. Each document is known by its last change only. */
export class ChangeState {
  readonly log: string;
  /** Of the last record that was applied. */
  number = 0;
  /** Changes before this number can't be told any more. */
  forgottenBefore = 0;
  /** By hash; the one that changed last is last, likewise below. */
  readonly documents = new Map<string, LoggedDocument>();
  readonly #deletions = new Map<string, number>();
  /** Entries of all records since the beginning or the last snapshot. */
  #entries = 0;
  #snapshot: { state: ChangeState; next: number } | undefined;

  /** @param isWhole false if a snapshot follows that holds the state */
  private constructor(
    log: string,
    readonly isWhole = false,
  ) {
    this.log = log;
  }

  /** Documents and deletions that are kept in memory. */
  get size(): number {
    return this.documents.size + this.#deletions.size;
  }

  get isWorthSnapshot(): boolean {
    return this.#entries > 2 * this.size + minSavedEntries;
  }

  /** Whether a record that has the number of the last one that was applied is that one, or one of a later log. */
  hasRecord({ text }: ChangeRecord): boolean {
    return text.startsWith(JSON.stringify({ log: this.log }).slice(0, -1));
  }

  /** What happened after the record with this number. */
  since(number: number): DocumentChange[] {
    const changes: DocumentChange[] = [];
    // A document that replaces another one has its source: clients that know documents by their source must delete first.
    for (const [hash, deletedAt] of this.#deletions)
      if (deletedAt > number && number > 0) changes.push({ hash, type: "deleted" });
    for (const [hash, { addedAt, changedAt }] of this.documents)
      if (changedAt > number) changes.push({ hash, type: addedAt > number ? "added" : "changed" });
    return changes;
  }

  /** The state after one more record; undefined before a log begins. */
  static apply(state: ChangeState | undefined, { number, text }: ChangeRecord): ChangeState | undefined {
    const { log, begins, changes = [], snapshot } = JSON.parse(text) as RecordContent;
    // A log from which records were removed starts with a snapshot.
    const isStart = begins || (!state && snapshot?.part === 0);
    const current = isStart ? new ChangeState(log, begins) : state;
    if (!current) return undefined;
    current.number = number;
    if (log !== current.log) return current;
    if (snapshot) return current.#applySnapshot(number, snapshot);
    current.#applyChanges(number, changes);
    return current;
  }

  #applyChanges(number: number, changes: readonly Change[]): void {
    // Another process has appended before all parts were there: they don't hold this record.
    this.#snapshot = undefined;
    this.#entries += changes.length;
    for (const [hash, fingerprint] of changes) {
      const known = this.documents.get(hash);
      this.documents.delete(hash);
      if (fingerprint === undefined) {
        this.#deletions.set(hash, number);
      } else {
        this.#deletions.delete(hash);
        this.documents.set(hash, { fingerprint, addedAt: known?.addedAt ?? number, changedAt: number });
      }
    }
  }

  /** The texts of the records that hold all of this state, without the oldest deletions. Their numbers follow the state's. */
  *toSnapshot(keptDeletions: number): Generator<string, void, undefined> {
    const allDeletions: DeletionEntry[] = [...this.#deletions];
    const forgotten = allDeletions.splice(0, Math.max(0, allDeletions.length - keptDeletions)).at(-1);
    const documents = Array.from(
      this.documents,
      ([hash, one]): DocumentEntry => [hash, one.fingerprint, one.addedAt, one.changedAt],
    );
    const { log } = this;
    const forgottenBefore = forgotten?.[1] ?? this.forgottenBefore;
    const count = documents.length + allDeletions.length;
    const parts = Math.max(1, Math.ceil(count / maxEntriesPerRecord));
    for (let part = 0; part < parts; part += 1) {
      const from = part * maxEntriesPerRecord;
      const taken = documents.slice(from, from + maxEntriesPerRecord);
      const deletionsFrom = Math.max(0, from - documents.length);
      const deletionsUntil = Math.max(0, from + maxEntriesPerRecord - documents.length);
      const deletions = allDeletions.slice(deletionsFrom, deletionsUntil);
      const snapshot: SnapshotPart = { part, parts, forgottenBefore, documents: taken, deletions };
      yield JSON.stringify({ log, snapshot } satisfies RecordContent);
    }
  }

  #applySnapshot(number: number, { part, parts, forgottenBefore, documents, deletions }: SnapshotPart): ChangeState {
    if (part === 0) this.#snapshot = { state: new ChangeState(this.log, true), next: 0 };
    if (this.#snapshot?.next !== part) return this;
    const { state } = this.#snapshot;
    for (const [hash, fingerprint, addedAt, changedAt] of documents)
      state.documents.set(hash, { fingerprint, addedAt, changedAt });
    for (const [hash, deletedAt] of deletions) state.#deletions.set(hash, deletedAt);
    state.#entries += documents.length + deletions.length;
    Object.assign(state, { number, forgottenBefore });
    this.#snapshot.next += 1;
    return part === parts - 1 ? state : this;
  }
}

/** The texts of the records that tell these changes, in a log or at its beginning. */
export function* toRecords(
  log: string,
  changes: readonly Change[],
  options?: { begins: true },
): Generator<string, void, undefined> {
  for (let from = 0; from < changes.length || (options?.begins && from === 0); from += maxEntriesPerRecord) {
    const taken = changes.slice(from, from + maxEntriesPerRecord);
    yield JSON.stringify({ log, ...(from === 0 && options), changes: taken } satisfies RecordContent);
  }
}
