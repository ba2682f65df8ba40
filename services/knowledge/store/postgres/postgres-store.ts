import type { Logger } from "@agent-backends/kit";
import { FairQueue } from "@agent-backends/kit";
import type { ChangeRecord } from "../change-log.ts";
import type {
  Embedding,
  ExportedDocument,
  FoundChunk,
  NewDocument,
  ReadDocument,
  StoredDocument,
} from "../document.ts";
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
import { addDocument } from "./add-document.ts";
import * as changes from "./changes.ts";
import { toStoredDocument } from "./chunk-rows.ts";
import type { Database } from "./database/database.ts";
import * as documents from "./documents.ts";
import { exportDocuments } from "./export-documents.ts";
import type { StoredNamespace } from "./namespaces.ts";
import { hideNamespace, readNamespace, removeHidden } from "./namespaces.ts";
import { reembedNamespace } from "./reembed.ts";
import { searchNamespace } from "./search.ts";
import * as sources from "./sources.ts";
import { Upkeep } from "./upkeep.ts";

export interface PostgresStoreOptions {
  logger: Logger;
  /** Maximum time that deleted and replaced text may stay in the tables. By default, it stays until `purge` is called. */
  purgeAfterMs?: number;
}

/**
 * A knowledge store in PostgreSQL with pgvector. All namespaces share the same tables, and each document is stored by one transaction.
 * Any number of processes may use it, even behind PgBouncer in transaction mode. An acknowledged document is as durable as a commit
 * with the server's settings.
 */
export class PostgresStore implements KnowledgeStore {
  readonly #database: Database;
  readonly #upkeep: Upkeep;
  readonly #searchQueue: FairQueue;

  /** @param database closed with the store */
  constructor(database: Database, { logger, purgeAfterMs = Number.POSITIVE_INFINITY }: PostgresStoreOptions) {
    this.#database = database;
    this.#upkeep = new Upkeep({ database: this.#database, logger, purgeAfterMs });
    // Limit one client's searches, so that connections are left for others.
    this.#searchQueue = new FairQueue({
      concurrency: database.connections,
      concurrencyPerClient: Math.max(1, Math.floor(database.connections / 2)),
    });
  }

  async check(): Promise<void> {
    await this.#database.check();
  }

  /** The size of all tables and indexes in bytes. */
  async measure(): Promise<number> {
    const { rows } = await this.#database.query<{ bytes: string }>(
      `SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class
       WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relkind = 'r'`,
    );
    return Number(rows[0]?.bytes);
  }

  async close(): Promise<void> {
    await this.#upkeep.close();
    await this.#database.close();
  }

  async add(namespace: string, document: NewDocument, mayCreate = () => true): Promise<boolean> {
    const isAdded = await addDocument(this.#database, namespace, { document, mayCreate });
    if (isAdded) this.#upkeep.noteWrite(namespace);
    return isAdded;
  }

  async listDocuments(namespace: string, page: DocumentPage): Promise<StoredDocument[]> {
    const rows = await this.#use(namespace, ({ id }) => documents.listDocuments(this.#database.query, id, page));
    return (rows ?? []).map(toStoredDocument);
  }

  readDocument(namespace: string, id: string): Promise<ReadDocument | undefined> {
    return this.#use(namespace, (stored) => documents.readDocument(this.#database, stored.id, id));
  }

  readChunks(namespace: string, id: string, page: { from: number; limit: number }): Promise<FoundChunk[] | undefined> {
    return this.#use(namespace, (stored) => documents.readChunks(this.#database, stored.id, id, page));
  }

  exportDocuments(namespace: string, embedding: Embedding): AsyncGenerator<ExportedDocument, void, undefined> {
    return exportDocuments(this.#database, namespace, embedding);
  }

  async deleteDocument(namespace: string, id: string): Promise<boolean> {
    const { query } = this.#database;
    return (await this.#use(namespace, (stored) => documents.deleteDocument(query, stored.id, id))) ?? false;
  }

  async deleteDocuments(namespace: string, hashes: readonly string[]): Promise<number> {
    const { query } = this.#database;
    return (await this.#use(namespace, ({ id }) => documents.deleteDocuments(query, id, hashes))) ?? 0;
  }

  getSources(namespace: string, hash: string): Promise<KnownSources | undefined> {
    return this.#use(namespace, ({ id }) => sources.getSources(this.#database.query, id, hash));
  }

  changeSources(
    namespace: string,
    document: { hash: string } | { id: string },
    change: SourcesChange,
  ): Promise<ChangedDocument | "deleted" | undefined> {
    return this.#use(namespace, ({ id }) => sources.changeSources(this.#database, id, document, change));
  }

  async findBySource(namespace: string, source: string): Promise<StoredDocument[]> {
    const { query } = this.#database;
    return (await this.#use(namespace, ({ id }) => documents.findBySource(query, id, source))) ?? [];
  }

  search<Chosen extends RankedChunk>(
    namespace: string,
    question: Question,
    scope: SearchScope,
    choose: (rankings: Rankings) => Chosen[],
  ): Promise<ChosenChunk<Chosen>[]> {
    const { client = "", signal } = scope.caller ?? {};
    const inTurn = <Result>(work: () => Promise<Result>) => this.#searchQueue.add(client, work, signal);
    return searchNamespace(this.#database, namespace, { question, scope, choose, inTurn });
  }

  async listNamespaces(): Promise<string[]> {
    const { rows } = await this.#database.query<{ name: string }>("SELECT name FROM namespaces WHERE name IS NOT NULL");
    return rows.map(({ name }) => name).sort();
  }

  describeNamespace(namespace: string): Promise<NamespaceSummary | undefined> {
    return this.#use(namespace, async ({ id, embedding }): Promise<NamespaceSummary> => {
      const { rows } = await this.#database.query<{ documents: string; chunks: string }>(
        "SELECT count(*) AS documents, coalesce(sum(chunks), 0) AS chunks FROM documents WHERE namespace_id = $1 AND is_whole",
        [id],
      );
      const { documents = 0, chunks = 0 } = rows[0] ?? {};
      return { namespace, documents: Number(documents), chunks: Number(chunks), embeddingModel: embedding.model };
    });
  }

  getEmbedding(namespace: string): Promise<Embedding | undefined> {
    return this.#use(namespace, async ({ embedding: { model, dimension } }) => ({ model, dimension }));
  }

  reembed(namespace: string, embedder: Reembedder): Promise<boolean> {
    return reembedNamespace(this.#database, namespace, embedder);
  }

  getVersion(namespace: string): Promise<string | undefined> {
    return this.#use(namespace, ({ id }) => changes.getVersion(this.#database.query, id));
  }

  async mapDocuments<Result>(namespace: string, map: (document: StoredDocument) => Result): Promise<Result[]> {
    return (await this.#use(namespace, ({ id }) => changes.mapDocuments(this.#database, id, map))) ?? [];
  }

  async readRecords(namespace: string, page: { from: number; limit: number }): Promise<ChangeRecord[]> {
    return (await this.#use(namespace, ({ id }) => changes.readRecords(this.#database.query, id, page))) ?? [];
  }

  async appendRecord(namespace: string, record: ChangeRecord): Promise<boolean> {
    return (await this.#use(namespace, ({ id }) => changes.appendRecord(this.#database.query, id, record))) ?? false;
  }

  async removeRecords(namespace: string, before: number): Promise<void> {
    await this.#use(namespace, ({ id }) => changes.removeRecords(this.#database.query, id, before));
  }

  purge(_namespace: string): Promise<void> {
    return this.#upkeep.purge();
  }

  async deleteNamespace(namespace: string): Promise<boolean> {
    const id = await hideNamespace(this.#database, namespace);
    if (id === undefined) return false;
    await removeHidden(this.#database);
    return true;
  }

  /** Uses a namespace. Resolves with undefined for an unknown one. */
  async #use<Result>(
    namespace: string,
    work: (stored: StoredNamespace) => Promise<Result>,
  ): Promise<Result | undefined> {
    const stored = await readNamespace(this.#database.query, namespace);
    return stored && work(stored);
  }
}
