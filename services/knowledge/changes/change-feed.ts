import { createHash, randomUUID } from "node:crypto";
import { knowledgeLimits, problems } from "@agent-backends/contract";
import { waitForTurn } from "@agent-backends/kit/turns";
import type { ChangeLog } from "../store/change-log.ts";
import type { StoredDocument } from "../store/document.ts";
import type { Change } from "./change-state.ts";
import { ChangeState, toRecords } from "./change-state.ts";

/** Maximum number of records per read. Each record takes up to half a megabyte. */
const recordBatchSize = 16;
/** Maximum number of documents, over all namespaces, whose state is cached. The least recently used namespace is evicted first. */
const maxCachedDocuments = 250_000;
const fingerprintCharacters = 16;
/** Documents compared in one turn of the event loop, which takes a few milliseconds. */
const documentBatchSize = 5_000;

/** A position in a namespace's log. The client knows everything that happened up to it. */
export interface ChangeCursor {
  /** Empty while the namespace has no log. Everything is then new to the client. */
  log: string;
  number: number;
}

/** The cursor of a client that knows nothing yet. */
export const initialCursor: ChangeCursor = { log: "", number: 0 };

export interface ChangesSince {
  changes: ReturnType<ChangeState["since"]>;
  cursor: ChangeCursor;
}

interface Log {
  /** Undefined if no log has begun. */
  state: ChangeState | undefined;
  /** Number of the last record, or 0 if there are none. */
  end: number;
}

interface CachedState {
  state: ChangeState;
  /** Version of the namespace that the state was compared with. */
  version?: string;
}

/**
 * Lists what has changed in namespaces, in one order for all processes. When the feed is read, it compares the store with the
 * namespace's log and appends the differences as the log's next record. If several processes append at the same time, one wins; the
 * others read its record and compare again. The order therefore depends neither on writers nor on the clock. Changes between two reads
 * are merged into one.
 */
export class ChangeFeed {
  readonly #store: ChangeLog;
  readonly #keptDeletions: number;
  /** By namespace, least recently used first. */
  readonly #cachedStates = new Map<string, CachedState>();
  readonly #updates = new Map<string, { running: Promise<unknown>; next?: Promise<ChangeState | undefined> }>();

  /** @param keptDeletions how many of the latest deletions a log keeps when it is shortened */
  constructor(store: ChangeLog, keptDeletions: number = knowledgeLimits.keptDeletions) {
    this.#store = store;
    this.#keptDeletions = keptDeletions;
  }

  /** @throws ProblemError if the log doesn't contain the cursor, or no longer does */
  async read(namespace: string, since: ChangeCursor): Promise<ChangesSince> {
    let state = await this.#update(namespace);
    if (state?.log === since.log && since.number > state.number) {
      // Another process has appended in the meantime.
      this.#cachedStates.delete(namespace);
      state = await this.#update(namespace);
    }
    const isKnown = state?.log === since.log && since.number >= state.forgottenBefore && since.number <= state.number;
    if (since.log !== "" && !isKnown) throw problems.changesGone(namespace);
    if (!state) return { changes: [], cursor: initialCursor };
    return { changes: state.since(since.number), cursor: { log: state.log, number: state.number } };
  }

  /**
   * Brings a namespace's state up to date. Returns undefined for an unknown namespace. Calls that arrive during an update share the
   * next one.
   */
  #update(namespace: string): Promise<ChangeState | undefined> {
    const current = this.#updates.get(namespace);
    if (current) {
      current.next ??= current.running.then(() => this.#update(namespace));
      return current.next;
    }
    const result = this.#compare(namespace);
    const running = result
      .catch(() => undefined)
      .then(() => {
        this.#updates.delete(namespace);
      });
    this.#updates.set(namespace, { running });
    return result;
  }

  async #compare(namespace: string): Promise<ChangeState | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      // Read in this order, so that the compared documents are never older than the version or the log.
      const version = await this.#store.getVersion(namespace);
      const kept = this.#cachedStates.get(namespace);
      if (version !== undefined && kept?.version === version) return this.#cacheState(namespace, kept);
      const log = await this.#readLog(namespace, kept?.state);
      if (version === undefined) {
        this.#cachedStates.delete(namespace);
        // A process that died while it deleted the namespace left these records behind.
        if (log.end > 0) await this.#store.removeRecords(namespace, log.end + 1);
        return undefined;
      }
      const appended = await this.#append(namespace, log, await this.#findRecords(namespace, log.state));
      const isCurrent = appended !== undefined;
      const state = isCurrent ? await this.#compactLog(namespace, appended) : log.state;
      // After the last attempt, accept a state that is a moment old: other processes keep appending.
      if (state && (isCurrent || attempt === knowledgeLimits.commitAttempts))
        return this.#cacheState(namespace, { state, ...(isCurrent && { version }) });
    }
  }

  /** Reads the records that other processes have appended to a log, or the whole log. */
  async #readLog(namespace: string, known: ChangeState | undefined): Promise<Log> {
    let log: Log = { state: known, end: known?.number ?? 0 };
    for (let from = Math.max(1, log.end); ; from = log.end + 1) {
      const records = await this.#store.readRecords(namespace, { from, limit: recordBatchSize });
      if (known && log.end === from) {
        // Read the last known record again: if it is missing, the namespace has been deleted.
        const [last] = records.splice(0, 1);
        if (last?.number !== from || !known.hasRecord(last)) return this.#readLog(namespace, undefined);
      }
      for (const record of records) {
        log = { state: ChangeState.apply(log.state, record), end: record.number };
        await waitForTurn();
      }
      if (records.length < recordBatchSize - 1) return log.state?.isWhole ? log : { ...log, state: undefined };
    }
  }

  /** The records that bring a log up to date. */
  async #findRecords(namespace: string, state: ChangeState | undefined): Promise<Iterable<string>> {
    const missing = new Set(state?.documents.keys());
    const changed: Change[] = [];
    const found = await this.#store.mapDocuments(
      namespace,
      (document) => [document.hash, toFingerprint(document)] as const,
    );
    for (const [position, [hash, fingerprint]] of found.entries()) {
      if (position % documentBatchSize === documentBatchSize - 1) await waitForTurn();
      missing.delete(hash);
      if (state?.documents.get(hash)?.fingerprint !== fingerprint) changed.push([hash, fingerprint]);
    }
    const deleted = Array.from(missing, (hash): Change => [hash]);
    const changes = [...deleted, ...changed];
    return state ? toRecords(state.log, changes) : toRecords(randomUUID(), changes, { begins: true });
  }

  /** @returns the state after these records, or undefined if another process appended first */
  async #append(namespace: string, { state, end }: Log, texts: Iterable<string>): Promise<ChangeState | undefined> {
    let appended = state;
    let number = end;
    for (const text of texts) {
      number += 1;
      if (!(await this.#store.appendRecord(namespace, { number, text }))) return undefined;
      appended = ChangeState.apply(appended, { number, text });
    }
    return appended;
  }

  /** Replaces the records of a long log with a snapshot. */
  async #compactLog(namespace: string, state: ChangeState): Promise<ChangeState> {
    if (!state.isWorthSnapshot) return state;
    const end = state.number;
    const whole = await this.#append(namespace, { state, end }, state.toSnapshot(this.#keptDeletions));
    if (whole) await this.#store.removeRecords(namespace, end + 1);
    return whole ?? state;
  }

  #cacheState(namespace: string, kept: CachedState): ChangeState {
    this.#cachedStates.delete(namespace);
    this.#cachedStates.set(namespace, kept);
    let documents = [...this.#cachedStates.values()].reduce((sum, { state }) => sum + state.size + 1, 0);
    for (const [name, { state }] of this.#cachedStates) {
      if (documents <= maxCachedDocuments || name === namespace) break;
      documents -= state.size + 1;
      this.#cachedStates.delete(name);
    }
    return kept.state;
  }
}

/** Changes whenever something that clients see of a document changes. */
function toFingerprint({ source, title, contentType, url, filename, metadata, ingestedAt }: StoredDocument): string {
  const shown = JSON.stringify([source, title, contentType, url, filename, metadata, ingestedAt]);
  return createHash("sha256").update(shown).digest("base64url").slice(0, fingerprintCharacters);
}
