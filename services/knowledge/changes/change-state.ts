import type { ChangeRecord } from "../store/change-log.ts";

/** A document as recorded in the log. The numbers are record numbers. */
interface LoggedDocument {
  fingerprint: string;
  addedAt: number;
  changedAt: number;
}

/** A document's hash with its new fingerprint, or without one if the document was deleted. */
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

/** Content of a record's text, which is JSON. */
interface RecordContent {
  /** The id of the log. Records of other logs are left over from before the namespace was deleted. */
  log: string;
  /** Set in the first record of a log. */
  begins?: true;
  changes?: Change[];
  snapshot?: SnapshotPart;
}

/** Maximum number of entries in a record. Such a record takes half a megabyte, and some milliseconds to read. */
const maxEntriesPerRecord = 5_000;
/** A log gets a new snapshot once it has this many entries more than twice those of the snapshot. */
const minSavedEntries = 1_000;

/** The change of a document since a cursor. */
export interface DocumentChange {
  hash: string;
  type: "added" | "changed" | "deleted";
}

/** The state of a namespace's documents, built from its log. Only the last change of each document is kept. */
export class ChangeState {
  readonly log: string;
  /** Number of the last applied record. */
  number = 0;
  /** Changes before this record number are no longer available. */
  forgottenBefore = 0;
  /** By hash, in the order of the last change, oldest first. The same order applies to the deletions. */
  readonly documents = new Map<string, LoggedDocument>();
  readonly #deletions = new Map<string, number>();
  /** Number of entries in all records since the beginning or the last snapshot. */
  #entries = 0;
  #snapshot: { state: ChangeState; next: number } | undefined;

  /** @param isWhole false if a snapshot with the state follows */
  private constructor(
    log: string,
    readonly isWhole = false,
  ) {
    this.log = log;
  }

  /** Number of documents and deletions kept in memory. */
  get size(): number {
    return this.documents.size + this.#deletions.size;
  }

  get isWorthSnapshot(): boolean {
    return this.#entries > 2 * this.size + minSavedEntries;
  }

  /** Whether a record with the number of the last applied record is that record, or belongs to a later log. */
  hasRecord({ text }: ChangeRecord): boolean {
    return text.startsWith(JSON.stringify({ log: this.log }).slice(0, -1));
  }

  /** Changes after the record with this number. */
  since(number: number): DocumentChange[] {
    const changes: DocumentChange[] = [];
    // List deletions first: a document that replaces another one has the same source, and some clients know documents by their source.
    for (const [hash, deletedAt] of this.#deletions)
      if (deletedAt > number && number > 0) changes.push({ hash, type: "deleted" });
    for (const [hash, { addedAt, changedAt }] of this.documents)
      if (changedAt > number) changes.push({ hash, type: addedAt > number ? "added" : "changed" });
    return changes;
  }

  /** The state after one more record, or undefined before a log begins. */
  static apply(state: ChangeState | undefined, { number, text }: ChangeRecord): ChangeState | undefined {
    const { log, begins, changes = [], snapshot } = JSON.parse(text) as RecordContent;
    // A log whose first records were removed starts with a snapshot.
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
    // Another process appended before all parts of the snapshot were there, so the parts lack this record.
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

  /** The texts of the records that hold the whole state except the oldest deletions. Their numbers follow the state's number. */
  *toSnapshot(keptDeletions: number): Generator<string, void, undefined> {
    const allDeletions: DeletionEntry[] = [...this.#deletions];
    const forgotten = allDeletions.splice(0, Math.max(0, allDeletions.length - keptDeletions)).at(-1);
    const entries = [
      ...Array.from(
        this.documents,
        ([hash, one]): DocumentEntry => [hash, one.fingerprint, one.addedAt, one.changedAt],
      ),
      ...allDeletions,
    ];
    const { log } = this;
    const forgottenBefore = forgotten?.[1] ?? this.forgottenBefore;
    const parts = Math.max(1, Math.ceil(entries.length / maxEntriesPerRecord));
    for (let part = 0; part < parts; part += 1) {
      const taken = entries.slice(part * maxEntriesPerRecord, (part + 1) * maxEntriesPerRecord);
      const documents = taken.filter((entry) => entry.length === 4);
      const deletions = taken.filter((entry) => entry.length === 2);
      const snapshot: SnapshotPart = { part, parts, forgottenBefore, documents, deletions };
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

/** The texts of the records that store these changes, either in an existing log or at the start of a new one. */
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
