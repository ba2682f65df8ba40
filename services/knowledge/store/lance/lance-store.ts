import { access, constants } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { knowledgeLimits } from "@agent-backends/contract";
import type { Logger } from "@agent-backends/kit";
import { FairQueue } from "@agent-backends/kit";
import type { Connection, Table } from "@lancedb/lancedb";
import type { ChangeRecord } from "../change-log.ts";
import type {
  Embedding,
  ExportedDocument,
  FoundChunk,
  NewDocument,
  ReadDocument,
  StoredDocument,
} from "../document.ts";
import { isDocumentId } from "../document.ts";
import { toEmbedding } from "../embeddings.ts";
import { EmbeddingMismatchError, NamespaceGoneError } from "../errors.ts";
import type {
  ChangedDocument,
  ChosenChunk,
  DocumentPage,
  KnowledgeStore,
  KnownSources,
  NamespaceSummary,
  Question,
  RankedChunk,
  Rankings,
  Reembedder,
  SearchScope,
  SourcesChange,
} from "../knowledge-store.ts";
import { PartReader } from "../part-reader.ts";
import { ChangeRecords } from "./change-records.ts";
import { addInParts } from "./documents/add-in-parts.ts";
import { exportDocuments } from "./documents/export-documents.ts";
import { deleteDocuments, listHeads, mapDocuments, queryHeads } from "./documents/list-documents.ts";
import { readChunks, readHead, readPieces, toIdCondition } from "./documents/read-document.ts";
import { changeSources, toSourceCondition } from "./documents/sources.ts";
import type { Leases } from "./leases/leases.ts";
import { NamespaceSummaries } from "./namespace-summaries.ts";
import type { NamespaceTable, StoreLocation } from "./open-tables.ts";
import { OpenTables } from "./open-tables.ts";
import { quote } from "./search/filter.ts";
import { searchTable } from "./search/search-table.ts";
import { TableStates } from "./search/table-states.ts";
import { isMissing } from "./table/commit.ts";
import { toStoredDocument } from "./table/rows.ts";
import type { Row, VectorColumn } from "./table/schema.ts";
import { readSchema } from "./table/schema.ts";
import { isNamespaceTable } from "./table/system-tables.ts";
import type { TableHandle } from "./table/table-handle.ts";
import { readVersion } from "./table/table-handle.ts";
import { Maintenance } from "./upkeep/maintenance.ts";
import { Purge } from "./upkeep/purge.ts";
import { reembedTable } from "./upkeep/reembed.ts";
import type { MaintenanceTimes } from "./upkeep/schedule.ts";

/** At least 2, even on one core, because a search makes two rankings concurrently. */
const rankingsPerClient = Math.max(2, knowledgeLimits.rankingsPerCore * availableParallelism());

export interface LanceStoreOptions {
  logger: Logger;
  maintenance?: Partial<MaintenanceTimes>;
  /** Maximum time that deleted, replaced and failed text may stay on the disk. By default, it stays until `purge` is called. */
  purgeAfterMs?: number;
  /** Maximum memory for searching small tables in memory. With 0, the engine does all searches. */
  maxMemoryBytes?: number;
}

/** Maximum number of attempts at an operation whose namespace is deleted and recreated, or gets other vectors, in the meantime. */
const maxAttempts = 4;

/**
 * A knowledge store in LanceDB, with one table per namespace, in a folder or at `s3://`, `gs://` or `az://`.
 *
 * The key of a table is the content's hash, which all rows of a document have. A document is stored by one merge that inserts the rows
 * whose key isn't in the table. It is one commit, so the document is stored as a whole or not at all. If two writers store the same
 * content, the engine makes the later one start again. It then finds the rows of the first one, and inserts nothing.
 */
export class LanceStore implements KnowledgeStore {
  readonly #tables: OpenTables;
  readonly #records: ChangeRecords;
  readonly #maintenance: Maintenance;
  readonly #purge: Purge;
  readonly #states: TableStates;
  readonly #summaries: NamespaceSummaries;
  readonly #rankingQueue = new FairQueue({
    concurrency: rankingsPerClient + knowledgeLimits.rankingsForOthers,
    concurrencyPerClient: rankingsPerClient,
  });

  constructor(
    location: StoreLocation,
    { logger, maintenance, purgeAfterMs = Number.POSITIVE_INFINITY, maxMemoryBytes }: LanceStoreOptions,
  ) {
    this.#tables = new OpenTables(location);
    this.#records = new ChangeRecords(this.#tables);
    this.#maintenance = new Maintenance(logger, this.#tables.leases, maintenance);
    this.#purge = new Purge({ tables: this.#tables, maintenance: this.#maintenance, logger, purgeAfterMs });
    if (Number.isFinite(purgeAfterMs)) this.#purge.start();
    this.#summaries = new NamespaceSummaries(this.#tables.folder);
    const onNewState = (handle: TableHandle) => this.#maintenance.noteVersion(handle);
    this.#states = new TableStates(onNewState, maxMemoryBytes);
  }

  get leases(): Leases {
    return this.#tables.leases;
  }

  /** The connection, for other data in the same location. It is closed with the store. */
  connect(): Promise<Connection> {
    return this.#tables.connect();
  }

  async check(): Promise<void> {
    const connection = await this.#tables.connect();
    if (this.#tables.folder) await access(this.#tables.folder, constants.R_OK | constants.W_OK);
    // Checking one table is enough: all tables of a store were created by the same version of the service.
    const [name] = (await connection.listTables({ limit: 1 })).tables;
    if (name === undefined || !isNamespaceTable(name)) return;
    try {
      const { namespace } = readSchema(await (await connection.openTable(name)).schema());
      await this.#tables.open(namespace);
    } catch (error) {
      // The table may have been deleted in between.
      if (!isMissing(error)) throw error;
    }
  }

  async close(): Promise<void> {
    await this.#purge.close();
    await this.#maintenance.close();
    await this.#records.close();
    await this.#tables.close();
  }

  async add(namespace: string, document: NewDocument, mayCreate = () => true): Promise<boolean> {
    let parts = new PartReader(document);
    const open = async () => {
      // A further attempt reads all parts again.
      await parts.close();
      parts = new PartReader(document);
      if (!mayCreate()) return this.#openExisting(namespace);
      return this.#tables.openOrCreate(namespace, toEmbedding(document, await parts.first()));
    };
    try {
      const added = await this.#use(namespace, open, async (opened) => {
        const part = await parts.first();
        const isWhole = part.chunks.length === document.chunkCount;
        const result = await (isWhole ? opened.additions.add({ document, part }) : addInParts(opened, document, parts));
        if (result instanceof EmbeddingMismatchError) throw result;
        await this.#finishWrite(opened, document.chunkCount);
        return result;
      });
      return added ?? false;
    } finally {
      await parts.close();
    }
  }

  async listDocuments(namespace: string, page: DocumentPage): Promise<StoredDocument[]> {
    const found = await this.#read(namespace, ({ table }) => listHeads(table, page));
    return (found ?? []).map(toStoredDocument);
  }

  async readDocument(namespace: string, id: string): Promise<ReadDocument | undefined> {
    const head = await this.#read(namespace, ({ table }) => readHead(table, id));
    if (head === undefined) return undefined;
    return { ...toStoredDocument(head), pieces: readPieces(id, head, (work) => this.#read(namespace, work)) };
  }

  async readChunks(
    namespace: string,
    id: string,
    page: { from: number; limit: number },
  ): Promise<FoundChunk[] | undefined> {
    return this.#read(namespace, ({ table }) => readChunks(table, id, page));
  }

  exportDocuments(namespace: string, embedding: Embedding): AsyncGenerator<ExportedDocument, void, undefined> {
    return exportDocuments(embedding, (work) => this.#read(namespace, work));
  }

  async deleteDocument(namespace: string, id: string): Promise<boolean> {
    if (!isDocumentId(id)) return false;
    const deleted = await this.#change(namespace, ({ table }) => deleteDocuments(table, toIdCondition(id)));
    return deleted !== undefined && deleted > 0;
  }

  async deleteDocuments(namespace: string, hashes: readonly string[]): Promise<number> {
    if (hashes.length === 0) return 0;
    const isWanted = `hash IN (${hashes.map(quote).join(", ")})`;
    return (await this.#change(namespace, ({ table }) => deleteDocuments(table, isWanted))) ?? 0;
  }

  async getSources(namespace: string, hash: string): Promise<KnownSources | undefined> {
    return this.#read(namespace, async (opened) => {
      const sources = await opened.lookups.add(hash);
      // Another writer, or this one before it died, may have committed the content without making it durable.
      if (sources) await opened.files?.flush();
      return sources;
    });
  }

  async changeSources(
    namespace: string,
    document: { hash: string } | { id: string },
    change: SourcesChange,
  ): Promise<ChangedDocument | "deleted" | undefined> {
    const changed = await this.#change(
      namespace,
      (opened) => changeSources(opened, document, change),
      ({ rewritten }) => rewritten,
    );
    return changed?.result;
  }

  async findBySource(namespace: string, source: string): Promise<StoredDocument[]> {
    const found = await this.#read(namespace, async ({ table }) => {
      return (await queryHeads(table, toSourceCondition(source)).toArray()) as Row[];
    });
    const documents = (found ?? []).map(toStoredDocument);
    return documents.sort((one, other) => (one.ingestedAt < other.ingestedAt ? -1 : 1));
  }

  async search<Chosen extends RankedChunk>(
    namespace: string,
    question: Question,
    scope: SearchScope,
    choose: (rankings: Rankings) => Chosen[],
  ): Promise<ChosenChunk<Chosen>[]> {
    const { client = "", signal } = scope.caller ?? {};
    const inTurn = <Result>(rank: () => Promise<Result>) => this.#rankingQueue.add(client, rank, signal);
    const found = await this.#read(namespace, (opened) =>
      searchTable(opened, this.#states, { question, scope, choose, inTurn }),
    );
    return found ?? [];
  }

  listNamespaces(): Promise<string[]> {
    return this.#tables.listNamespaces();
  }

  describeNamespace(namespace: string): Promise<NamespaceSummary | undefined> {
    return this.#summaries.get(namespace, () =>
      this.#read(namespace, async ({ table }): Promise<NamespaceSummary> => {
        const heads = table.query().where("chunk = 0").select(["chunks"]);
        const [counts, { model }] = await Promise.all([heads.toArrow(), readActiveColumn(table)]);
        const chunks = ([...(counts.getChild("chunks") ?? [])] as number[]).reduce((sum, count) => sum + count, 0);
        return { namespace, documents: counts.numRows, chunks, embeddingModel: model };
      }),
    );
  }

  async getEmbedding(namespace: string): Promise<Embedding | undefined> {
    const active = await this.#read(namespace, ({ table }) => readActiveColumn(table));
    return active && { model: active.model, dimension: active.dimension };
  }

  async reembed(namespace: string, embedder: Reembedder): Promise<boolean> {
    const isDone = await this.#read(namespace, async (opened) => {
      await reembedTable(opened, embedder);
      return true;
    });
    return isDone ?? false;
  }

  async deleteNamespace(namespace: string): Promise<boolean> {
    // Opening fails if another request deletes the table in the meantime.
    const opened = await this.#read(namespace, async (table) => table);
    if (!opened) return false;
    this.#maintenance.forget(namespace);
    await this.#maintenance.waitUntilIdle(namespace);
    return opened.writeQueue.add(async () => {
      // If another deletion was first, documents stored since then must stay.
      if (!(await this.#tables.isOpen(opened))) return false;
      const isDropped = await this.#tables.drop(namespace);
      await this.#records.remove(namespace, Number.MAX_SAFE_INTEGER);
      this.#states.forget(namespace);
      return isDropped;
    });
  }

  async getVersion(namespace: string): Promise<string | undefined> {
    return (await this.#read(namespace, readVersion))?.id;
  }

  async mapDocuments<Result>(namespace: string, map: (document: StoredDocument) => Result): Promise<Result[]> {
    return (await this.#read(namespace, ({ table }) => mapDocuments(table, map))) ?? [];
  }

  readRecords(namespace: string, page: { from: number; limit: number }): Promise<ChangeRecord[]> {
    return this.#records.read(namespace, page);
  }

  appendRecord(namespace: string, record: ChangeRecord): Promise<boolean> {
    return this.#records.append(namespace, record);
  }

  removeRecords(namespace: string, before: number): Promise<void> {
    return this.#records.remove(namespace, before);
  }

  async purge(namespace: string): Promise<void> {
    await this.#read(namespace, (opened) => this.#purge.purge(opened));
  }

  /** @throws NamespaceGoneError */
  async #openExisting(namespace: string): Promise<NamespaceTable> {
    const opened = await this.#tables.open(namespace);
    if (!opened) throw new NamespaceGoneError();
    return opened;
  }

  /**
   * Reads from a namespace's table, or resolves with `undefined` if there is none. A table that is deleted during each attempt counts
   * as missing, because it was missing at some point. A damaged table fails.
   */
  async #read<T>(namespace: string, read: (opened: NamespaceTable) => Promise<T>): Promise<T | undefined> {
    let last: NamespaceTable | undefined;
    const open = async () => {
      last = await this.#tables.open(namespace);
      return last;
    };
    try {
      return await this.#use(namespace, open, read);
    } catch (error) {
      if (last && isMissing(error) && (await this.#tables.isDeleted(last))) return undefined;
      throw error;
    }
  }

  /** Changes a namespace's table durably, as the only writer of this process. Resolves with `undefined` if there is no table. */
  #change<T>(
    namespace: string,
    change: (opened: NamespaceTable) => Promise<T>,
    countWritten: (result: T) => number = () => 0,
  ): Promise<T | undefined> {
    return this.#read(namespace, async (opened) => {
      const result = await opened.writeQueue.add(() => change(opened));
      await this.#finishWrite(opened, countWritten(result));
      return result;
    });
  }

  async #use<T>(
    namespace: string,
    open: () => Promise<NamespaceTable | undefined>,
    work: (opened: NamespaceTable) => Promise<T>,
  ): Promise<T | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      let opened: NamespaceTable | undefined;
      try {
        opened = await open();
        return opened && (await work(opened));
      } catch (error) {
        if (attempt === maxAttempts || !isMissing(error)) throw error;
        if (opened && (await this.#tables.isOpen(opened))) this.#tables.forget(namespace);
      }
    }
  }

  async #finishWrite(opened: NamespaceTable, rows: number): Promise<void> {
    await opened.files?.flush();
    this.#maintenance.noteWrite(opened, rows);
    this.#purge.noteWrite(opened.namespace);
  }
}

const readActiveColumn = async (table: Table): Promise<VectorColumn> => readSchema(await table.schema()).active;
