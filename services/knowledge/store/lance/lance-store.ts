import { access, constants } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Logger } from "@agent-backends/kit";
import type { Connection, Table } from "@lancedb/lancedb";
import { connect, MatchQuery, tokenize } from "@lancedb/lancedb";
import type {
  DocumentCursor,
  KnowledgeStore,
  NamespaceSummary,
  NewDocument,
  Passage,
  StoredDocument,
} from "../knowledge-store.ts";
import { EmbeddingMismatchError } from "../knowledge-store.ts";
import { flushPath, makeDurableFolder } from "./durable-files.ts";
import { Maintenance } from "./maintenance.ts";
import type { NamespaceTable } from "./namespace-table.ts";
import { analyser, createNamespaceTable, isMissing, openNamespaceTable, tableNameOf } from "./namespace-table.ts";
import type { Row } from "./rows.ts";
import { headerColumns, headerOf, passageColumns, passageOf, readSchema, rowsOf } from "./rows.ts";

/** Tables that stay open in this process; each holds caches. */
const openTablesAtMost = 512;
const tablesPerListing = 1_000;

/**
 * A knowledge store in LanceDB: one table for each namespace, in a folder or at `s3://`, `gs://` or `az://`.
 *
 * The key of a table is the content's hash, and all rows of a document carry it. A document is one merge of rows whose
 * key is not there yet: one commit, so that it is there whole or not at all; and of two writers of the same content the
 * engine makes the later one start over, see the first one's rows, and insert nothing.
 */
export class LanceStore implements KnowledgeStore {
  readonly #location: string;
  readonly #folder: string | undefined;
  readonly #maintenance: Maintenance;
  readonly #tables = new Map<string, Promise<NamespaceTable | undefined>>();
  readonly #creating = new Map<string, Promise<NamespaceTable>>();
  readonly #namespaceOfTable = new Map<string, string>();
  #connection: Promise<Connection> | undefined;

  constructor(options: { location: string; logger: Logger }) {
    this.#folder = /^\w[\w+.-]+:\/\//.test(options.location) ? undefined : resolve(options.location);
    this.#location = this.#folder ?? options.location;
    this.#maintenance = new Maintenance(options.logger);
  }

  async check(): Promise<void> {
    const connection = await this.#connect();
    if (this.#folder) await access(this.#folder, constants.R_OK | constants.W_OK);
    await connection.listTables({ limit: 1 });
  }

  async has(namespace: string, hash: string): Promise<boolean> {
    const found = await this.#read(namespace, async ({ table, files }) => {
      if ((await table.countRows(`hash = ${quote(hash)} AND chunk = 0`)) === 0) return false;
      // Another writer, or this one before it died, may have committed it and not yet made it durable.
      await files?.flush();
      return true;
    });
    return found ?? false;
  }

  async add(namespace: string, document: NewDocument): Promise<boolean> {
    const embedding = { model: document.embeddingModel, dimension: document.chunks[0]?.vector.length ?? 0 };
    const rows = rowsOf(document, embedding.dimension);
    const added = await this.#write(
      namespace,
      () => this.#openOrCreate(namespace, embedding),
      async ({ table }) => {
        await refuseOtherEmbeddings(namespace, table, embedding);
        // No index: with one on the key, writers in two processes store the same content twice.
        return table.mergeInsert("hash").useIndex(false).whenNotMatchedInsertAll().execute(rows);
      },
    );
    return added !== undefined && added.numInsertedRows > 0;
  }

  async exists(namespace: string): Promise<boolean> {
    return (await this.#read(namespace, ({ table }) => table.version())) !== undefined;
  }

  async nearest(
    namespace: string,
    { model, vector }: { model: string; vector: Float32Array },
    limit: number,
  ): Promise<{ passage: Passage; similarity: number }[]> {
    const found = await this.#read(namespace, async ({ table }) => {
      await refuseOtherEmbeddings(namespace, table, { model, dimension: vector.length });
      const query = table.query().nearestTo(vector).distanceType("cosine");
      return (await query
        .select([...passageColumns, "_distance"])
        .limit(limit)
        .toArray()) as (Row & { _distance: number })[];
    });
    return (found ?? []).map((row) => ({ passage: passageOf(row), similarity: 1 - row._distance }));
  }

  async matching(namespace: string, query: string, limit: number): Promise<Passage[]> {
    const found = await this.#read(namespace, async ({ table }) => {
      const match = table.query().fullTextSearch(new MatchQuery(query, "search_text"));
      return (await match
        .select([...passageColumns, "_score"])
        .limit(limit)
        .toArray()) as Row[];
    });
    return (found ?? []).map(passageOf);
  }

  async terms(text: string): Promise<Set<string>> {
    return new Set((await tokenize(text, analyser)).map((token) => token.text));
  }

  async listDocuments(
    namespace: string,
    { limit, after }: { limit: number; after?: DocumentCursor },
  ): Promise<StoredDocument[]> {
    const later = after
      ? ` AND (ingested_at > ${quote(after.ingestedAt)} OR (ingested_at = ${quote(after.ingestedAt)} AND document_id > ${quote(after.id)}))`
      : "";
    const found = await this.#read(namespace, async ({ table }) => {
      const query = table
        .query()
        .where(`chunk = 0${later}`)
        .select([...headerColumns, "chunks"]);
      const ordered = query.orderBy([
        { columnName: "ingested_at", ascending: true },
        { columnName: "document_id", ascending: true },
      ]);
      return (await ordered.limit(limit).toArray()) as Row[];
    });
    return (found ?? []).map(storedDocumentOf);
  }

  async findBySource(namespace: string, source: string): Promise<StoredDocument[]> {
    const found = await this.#read(namespace, async ({ table }) => {
      const query = table.query().where(`source = ${quote(source)} AND chunk = 0`);
      return (await query.select([...headerColumns, "chunks"]).toArray()) as Row[];
    });
    const documents = (found ?? []).map(storedDocumentOf);
    return documents.sort((one, other) => (one.ingestedAt < other.ingestedAt ? -1 : 1));
  }

  async readDocument(namespace: string, id: string): Promise<(StoredDocument & { text: string }) | undefined> {
    const found = await this.#read(namespace, async ({ table }) => {
      const query = table.query().where(`document_id = ${quote(id)} AND chunk = 0`);
      return (await query
        .select([...headerColumns, "chunks", "document_text"])
        .limit(1)
        .toArray()) as Row[];
    });
    const row = found?.[0];
    return row && { ...storedDocumentOf(row), text: String(row.document_text) };
  }

  async deleteDocument(namespace: string, id: string): Promise<boolean> {
    const deleted = await this.#write(
      namespace,
      () => this.#open(namespace),
      ({ table }) => table.delete(`document_id = ${quote(id)}`),
    );
    return deleted !== undefined && deleted.numDeletedRows > 0;
  }

  async listNamespaces({ limit, after }: { limit: number; after?: string }): Promise<NamespaceSummary[]> {
    const names = [...(await this.#namespaceNames())].sort();
    const summaries: NamespaceSummary[] = [];
    for (const namespace of names) {
      if (after !== undefined && namespace <= after) continue;
      if (summaries.length === limit) break;
      const summary = await this.#read(namespace, async ({ table }): Promise<NamespaceSummary> => {
        const [chunks, documents, schema] = await Promise.all([
          table.countRows(),
          table.countRows("chunk = 0"),
          table.schema(),
        ]);
        return { namespace, documents, chunks, embeddingModel: readSchema(schema).model };
      });
      if (summary && summary.documents > 0) summaries.push(summary);
    }
    return summaries;
  }

  async deleteNamespace(namespace: string): Promise<boolean> {
    const opened = await this.#open(namespace);
    if (!opened) return false;
    const connection = await this.#connect();
    await opened.writes.add(async () => {
      this.#maintenance.forget(opened);
      await connection.dropTable(tableNameOf(namespace)).catch((error) => {
        if (!isMissing(error)) throw error;
      });
      this.#tables.delete(namespace);
    });
    if (this.#folder) await flushPath(this.#folder);
    return true;
  }

  async close(): Promise<void> {
    await this.#maintenance.close();
    const tables = await Promise.all([...this.#tables.values()].map((opening) => opening.catch(() => undefined)));
    await Promise.all(tables.map((opened) => opened?.writes.onIdle()));
    (await this.#connection)?.close();
  }

  /** Reads from a namespace; `undefined` when there is none. */
  #read<T>(namespace: string, read: (opened: NamespaceTable) => Promise<T>): Promise<T | undefined> {
    return this.#use(namespace, () => this.#open(namespace), read);
  }

  /** Commits to a namespace and makes it durable; `undefined` when there is none. */
  #write<T>(
    namespace: string,
    open: () => Promise<NamespaceTable | undefined>,
    commit: (opened: NamespaceTable) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#use(namespace, open, async (opened) => {
      const result = await opened.writes.add(() => commit(opened));
      await opened.files?.flush();
      this.#maintenance.noteWrite(opened);
      return result;
    });
  }

  async #use<T>(
    namespace: string,
    open: () => Promise<NamespaceTable | undefined>,
    work: (opened: NamespaceTable) => Promise<T>,
  ): Promise<T | undefined> {
    // The namespace may have been deleted since it was opened here, and may have been made anew.
    for (const isLast of [false, true]) {
      const opened = await open();
      if (!opened) return undefined;
      try {
        return await work(opened);
      } catch (error) {
        if (isLast || !isMissing(error)) throw error;
        this.#tables.delete(namespace);
      }
    }
    return undefined;
  }

  async #open(namespace: string): Promise<NamespaceTable | undefined> {
    const known = this.#tables.get(namespace);
    const opened = known && (await this.#keep(namespace, known));
    if (opened) return opened;
    const folder = this.#folderOf(namespace);
    return this.#keep(
      namespace,
      this.#connect().then((connection) => openNamespaceTable(connection, namespace, folder)),
    );
  }

  async #openOrCreate(namespace: string, embedding: { model: string; dimension: number }): Promise<NamespaceTable> {
    const opened = await this.#open(namespace);
    if (opened) return opened;
    const creating = this.#creating.get(namespace);
    if (creating) return creating;
    const folder = this.#folderOf(namespace);
    const created = this.#connect()
      .then((connection) => createNamespaceTable(connection, { namespace, ...embedding }, folder))
      .finally(() => this.#creating.delete(namespace));
    this.#creating.set(namespace, created);
    return this.#keep(namespace, created);
  }

  /** Keeps a table open, as the one used last. What is not there, or could not be opened, is not kept. */
  async #keep<Opened extends NamespaceTable | undefined>(namespace: string, opening: Promise<Opened>): Promise<Opened> {
    this.#tables.delete(namespace);
    this.#tables.set(namespace, opening);
    const [longestUnused] = this.#tables.keys();
    if (this.#tables.size > openTablesAtMost && longestUnused !== undefined) this.#tables.delete(longestUnused);
    const forget = () => {
      if (this.#tables.get(namespace) === opening) this.#tables.delete(namespace);
    };
    try {
      const opened = await opening;
      if (!opened) forget();
      return opened;
    } catch (error) {
      forget();
      throw error;
    }
  }

  #folderOf(namespace: string): string | undefined {
    return this.#folder && join(this.#folder, `${tableNameOf(namespace)}.lance`);
  }

  #connect(): Promise<Connection> {
    this.#connection ??= (async () => {
      if (this.#folder) await makeDurableFolder(this.#folder);
      return connect(this.#location, { readConsistencyInterval: 0 });
    })().catch((error) => {
      this.#connection = undefined;
      throw error;
    });
    return this.#connection;
  }

  async #namespaceNames(): Promise<Set<string>> {
    const connection = await this.#connect();
    const tables: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await connection.listTables({ limit: tablesPerListing, ...(pageToken && { pageToken }) });
      tables.push(...page.tables);
      pageToken = page.pageToken;
    } while (pageToken);
    for (const name of tables) {
      if (this.#namespaceOfTable.has(name)) continue;
      // A table's name is the hash of its namespace's, so what was read once stays true.
      const recorded = await recordedNamespace(connection, name);
      if (recorded !== undefined) this.#namespaceOfTable.set(name, recorded);
    }
    return new Set(tables.flatMap((name) => this.#namespaceOfTable.get(name) ?? []));
  }
}

async function recordedNamespace(connection: Connection, tableName: string): Promise<string | undefined> {
  try {
    const table = await connection.openTable(tableName);
    const { namespace } = readSchema(await table.schema());
    return tableNameOf(namespace) === tableName ? namespace : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function refuseOtherEmbeddings(
  namespace: string,
  table: Table,
  given: { model: string; dimension: number },
): Promise<void> {
  const stored = readSchema(await table.schema());
  if (stored.model !== given.model || stored.dimension !== given.dimension) {
    throw new EmbeddingMismatchError(namespace, stored, given);
  }
}

const storedDocumentOf = (row: Row): StoredDocument => ({ ...headerOf(row), chunks: Number(row.chunks) });

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
