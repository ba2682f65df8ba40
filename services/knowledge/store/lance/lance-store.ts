import { access, constants } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { knowledgeLimits } from "@agent-backends/contract";
import type { Logger } from "@agent-backends/kit";
import { FairQueue } from "@agent-backends/kit";
import type { Table } from "@lancedb/lancedb";
import type {
  DocumentCursor,
  DocumentSource,
  Embedding,
  FoundChunk,
  NewDocument,
  ReadDocument,
  StoredDocument,
} from "../document.ts";
import { EmbeddingMismatchError } from "../errors.ts";
import type {
  KnowledgeStore,
  KnownSources,
  NamespaceSummary,
  Question,
  RankedChunk,
  Rankings,
  Reembedder,
  SearchScope,
} from "../knowledge-store.ts";
import { embeddingOf } from "./add-documents.ts";
import { commit } from "./commit.ts";
import { behindHashesOf, headOf } from "./document-head.ts";
import { addInParts, PartReader } from "./document-parts.ts";
import { documentPieces } from "./document-pieces.ts";
import { addSource, isFrom, removeSource } from "./document-sources.ts";
import { quote } from "./filter.ts";
import { Maintenance } from "./maintenance.ts";
import type { NamespaceTable } from "./namespace-table.ts";
import { isMissing } from "./namespace-table.ts";
import { OpenTables } from "./open-tables.ts";
import { reembedTable } from "./reembed.ts";
import type { Row } from "./rows.ts";
import { chunkOf, headerColumns, headerOf } from "./rows.ts";
import { searchTable } from "./search-table.ts";
import { draftPrefix } from "./table-names.ts";
import { TableStates } from "./table-states.ts";
import type { MaintenanceTimes } from "./upkeep.ts";
import type { VectorColumn } from "./vector-columns.ts";
import { readSchema } from "./vector-columns.ts";

/** A search makes two at the same time, also where there is one core. */
const rankingsPerClient = Math.max(2, knowledgeLimits.rankingsPerCore * availableParallelism());

/**
 * A knowledge store in LanceDB: one table for each namespace, in a folder or at `s3://`, `gs://` or `az://`.
 *
 * The key of a table is the content's hash, and all rows of a document carry it. A document is part of one merge of rows
 * whose key is not there yet: one commit, so that it is there whole or not at all; and of two writers of the same content
 * the engine makes the later one start over, see the first one's rows, and insert nothing.
 */
export class LanceStore implements KnowledgeStore {
  readonly #tables: OpenTables;
  readonly #maintenance: Maintenance;
  readonly #states: TableStates;
  readonly #rankings = new FairQueue({
    concurrency: rankingsPerClient + knowledgeLimits.rankingsForOthers,
    concurrencyPerClient: rankingsPerClient,
  });

  constructor(options: { location: string; logger: Logger; maintenance?: Partial<MaintenanceTimes> }) {
    this.#tables = new OpenTables(options.location);
    this.#maintenance = new Maintenance(options.logger, options.maintenance);
    this.#states = new TableStates(this.#tables.folder, (opened) => this.#maintenance.noteState(opened));
  }

  async check(): Promise<void> {
    const connection = await this.#tables.connect();
    if (this.#tables.folder) await access(this.#tables.folder, constants.R_OK | constants.W_OK);
    // One stands for all: a store is made by one version of the service.
    const [name] = (await connection.listTables({ limit: 1 })).tables;
    if (name === undefined || name.startsWith(draftPrefix)) return;
    try {
      const { namespace } = readSchema(await (await connection.openTable(name)).schema());
      await this.#tables.open(namespace);
    } catch (error) {
      // Deleted in between.
      if (!isMissing(error)) throw error;
    }
  }

  async sourcesOf(namespace: string, hash: string): Promise<KnownSources | undefined> {
    return this.#read(namespace, async (opened) => {
      const sources = await opened.lookups.add(hash);
      // Another writer, or this one before it died, may have committed it and not yet made it durable.
      if (sources) await opened.files?.flush();
      return sources;
    });
  }

  async addSource(namespace: string, hash: string, source: DocumentSource): Promise<boolean> {
    const isThere = await this.#change(namespace, (opened) => addSource(opened, hash, source));
    return isThere ?? false;
  }

  async removeSource(namespace: string, id: string, source: string): Promise<boolean> {
    const result = await this.#change(
      namespace,
      (opened) => removeSource(opened, id, source),
      ({ rewritten }) => rewritten,
    );
    return result?.isDeleted ?? false;
  }

  async add(namespace: string, document: NewDocument): Promise<boolean> {
    let parts = new PartReader(document);
    const open = async () => {
      // A further attempt reads all parts again.
      await parts.close();
      parts = new PartReader(document);
      return this.#tables.openOrCreate(namespace, embeddingOf(document, await parts.first()));
    };
    const added = await this.#use(namespace, open, async (opened) => {
      const part = await parts.first();
      const isWhole = part.chunks.length === document.chunkCount;
      const result = isWhole
        ? await opened.additions.add({ document, part })
        : await addInParts(opened, document, parts);
      if (result instanceof EmbeddingMismatchError) throw result;
      await this.#wrote(opened, document.chunkCount);
      return result;
    }).finally(() => parts.close());
    return added ?? false;
  }

  async embeddingOf(namespace: string): Promise<Embedding | undefined> {
    const active = await this.#read(namespace, ({ table }) => activeColumn(table));
    return active && { model: active.model, dimension: active.dimension };
  }

  async search<Chosen extends RankedChunk>(
    namespace: string,
    question: Question,
    scope: SearchScope,
    choose: (rankings: Rankings) => Chosen[],
  ): Promise<{ chosen: Chosen; chunk: FoundChunk }[]> {
    const { client = "", signal } = scope.caller ?? {};
    const inTurn = <Result>(rank: () => Promise<Result>) => this.#rankings.add(client, rank, signal);
    const found = await this.#read(namespace, (opened) =>
      searchTable(opened, this.#states, { question, scope, choose, inTurn }),
    );
    return (found ?? []).map(({ chosen, row }) => ({ chosen, chunk: chunkOf(row) }));
  }

  async listDocuments(
    namespace: string,
    { limit, after }: { limit: number; after?: DocumentCursor },
  ): Promise<StoredDocument[]> {
    const later = after
      ? ` AND (ingested_at > ${quote(after.ingestedAt)} OR (ingested_at = ${quote(after.ingestedAt)} AND hash >= ${quote(behindHashesOf(after.id))}))`
      : "";
    const found = await this.#read(namespace, async ({ table }) => {
      const query = table
        .query()
        .where(`chunk = 0${later}`)
        .select([...headerColumns, "chunks"]);
      const ordered = query.orderBy([
        { columnName: "ingested_at", ascending: true },
        { columnName: "hash", ascending: true },
      ]);
      return (await ordered.limit(limit).toArray()) as Row[];
    });
    return (found ?? []).map(storedDocumentOf);
  }

  async findBySource(namespace: string, source: string): Promise<StoredDocument[]> {
    const found = await this.#read(namespace, async ({ table }) => {
      const query = table.query().where(`chunk = 0 AND (${isFrom(source)})`);
      return (await query.select([...headerColumns, "chunks"]).toArray()) as Row[];
    });
    const documents = (found ?? []).map(storedDocumentOf);
    return documents.sort((one, other) => (one.ingestedAt < other.ingestedAt ? -1 : 1));
  }

  async readDocument(namespace: string, id: string): Promise<ReadDocument | undefined> {
    const head = await this.#read(namespace, ({ table }) => headOf(table, id));
    if (head === undefined) return undefined;
    return { ...storedDocumentOf(head), pieces: documentPieces(id, head, (work) => this.#read(namespace, work)) };
  }

  async deleteDocument(namespace: string, id: string): Promise<boolean> {
    const deleted = await this.#change(namespace, async ({ table }) => {
      const head = await headOf(table, id);
      return head && commit(() => table.delete(`document_id = ${quote(String(head.document_id))}`));
    });
    return deleted !== undefined && deleted.numDeletedRows > 0;
  }

  namespaces(): Promise<string[]> {
    return this.#tables.namespaces();
  }

  describeNamespace(namespace: string): Promise<NamespaceSummary | undefined> {
    return this.#read(namespace, async ({ table }): Promise<NamespaceSummary> => {
      const heads = table.query().where("chunk = 0").select(["chunks"]);
      const [counts, { model }] = await Promise.all([heads.toArrow(), activeColumn(table)]);
      const chunks = ([...(counts.getChild("chunks") ?? [])] as number[]).reduce((sum, count) => sum + count, 0);
      return { namespace, documents: counts.numRows, chunks, embeddingModel: model };
    });
  }

  async reembed(namespace: string, embedder: Reembedder): Promise<boolean> {
    const done = await this.#read(namespace, async (opened) => {
      await reembedTable(opened, embedder);
      return true;
    });
    return done ?? false;
  }

  async deleteNamespace(namespace: string): Promise<boolean> {
    const opened = await this.#tables.open(namespace);
    if (!opened) return false;
    this.#maintenance.forget(namespace);
    await this.#maintenance.idle(namespace);
    const deleted = await opened.writes.add(async () => {
      // Another deletion came first; what was written since is none of this one's.
      if (!(await this.#tables.isOpen(opened))) return false;
      await this.#tables.drop(namespace);
      this.#states.forget(namespace);
      return true;
    });
    return deleted ?? false;
  }

  async close(): Promise<void> {
    await this.#maintenance.close();
    await this.#tables.close();
  }

  /** Reads from a namespace; `undefined` when there is none. */
  #read<T>(namespace: string, read: (opened: NamespaceTable) => Promise<T>): Promise<T | undefined> {
    return this.#use(namespace, () => this.#tables.open(namespace), read);
  }

  /** Changes what is in a namespace, as the only writer of this process; `undefined` when there is none. */
  #change<T>(
    namespace: string,
    change: (opened: NamespaceTable) => Promise<T>,
    chunksWritten: (result: T) => number = () => 0,
  ): Promise<T | undefined> {
    return this.#read(namespace, async (opened) => {
      const result = await opened.writes.add(() => change(opened));
      await this.#wrote(opened, chunksWritten(result));
      return result;
    });
  }

  async #use<T>(
    namespace: string,
    open: () => Promise<NamespaceTable | undefined>,
    work: (opened: NamespaceTable) => Promise<T>,
  ): Promise<T | undefined> {
    // The namespace may have been deleted and made anew since it was opened here, or searches other vectors now.
    for (const isLast of [false, false, false, true]) {
      let opened: NamespaceTable | undefined;
      try {
        opened = await open();
        return opened && (await work(opened));
      } catch (error) {
        if (isLast || !isMissing(error)) throw error;
        if (opened && (await this.#tables.isOpen(opened))) this.#tables.forget(namespace);
      }
    }
    return undefined;
  }

  async #wrote(opened: NamespaceTable, chunks = 0): Promise<void> {
    await opened.files?.flush();
    this.#maintenance.noteWrite(opened, chunks);
  }
}

const activeColumn = async (table: Table): Promise<VectorColumn> => readSchema(await table.schema()).active;

const storedDocumentOf = (row: Row): StoredDocument => ({ ...headerOf(row), chunks: Number(row.chunks) });
