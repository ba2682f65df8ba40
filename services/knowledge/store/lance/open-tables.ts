import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Connection } from "@lancedb/lancedb";
import { connect, Session } from "@lancedb/lancedb";
import PQueue from "p-queue";
import type { Embedding } from "../document.ts";
import type { EmbeddingMismatchError } from "../errors.ts";
import { failAsUnreachable } from "../errors.ts";
import { getFolderIdentity, makeDurableFolders } from "../files.ts";
import type { KnownSources } from "../knowledge-store.ts";
import type { SmallDocument } from "./documents/add-documents.ts";
import { addDocuments } from "./documents/add-documents.ts";
import { readSources } from "./documents/sources.ts";
import { FolderLeases } from "./leases/folder-leases.ts";
import { LanceLeases } from "./leases/lance-leases.ts";
import type { Leases } from "./leases/leases.ts";
import { upkeepLeaseMs } from "./leases/leases.ts";
import { Batcher } from "./table/batcher.ts";
import { isMissing } from "./table/commit.ts";
import { getTableFolder, getTableName, readSchema } from "./table/schema.ts";
import { isNamespaceTable, listTables } from "./table/system-tables.ts";
import { deleteTableFolder, isRemnant, removeDeletedTables } from "./table/table-folder.ts";
import type { TableHandle } from "./table/table-handle.ts";
import { createTable, openTable } from "./table/table-handle.ts";

/** Maximum number of tables that stay open in this process. The least recently used one is closed. */
const maxOpenTables = 2_048;
/** Number of tables opened concurrently to read the names of their namespaces. */
const nameReadConcurrency = 16;
/** Memory for the engine's caches of indices and of file metadata, for all tables together. */
const indexCacheBytes = 512n * 1024n * 1024n;
const metadataCacheBytes = 128n * 1024n * 1024n;
/**
 * Number of rows that the engine reads at once, unless the environment overrides it. Its default of 8,192 suits narrow rows: compacting
 * 20,000 rows with vectors of 8 kB took 3.8 GB at its peak and 9 s of CPU, and with this value 0.8 GB and 5 s. Vectors of 1 kB cost the
 * same either way.
 */
const rowBatchSize = "512";
/**
 * Number of bytes that the engine reads ahead, unless the environment overrides it. With its default of 2 GB, a table that is read into
 * memory is read at once, which makes searches in the meantime wait for up to a second, and needs more memory.
 */
const readAheadBytes = String(32 * 1024 * 1024);

/** How long, and how often, a process waits for another one to create a namespace's table. */
const maxCreationWaitMs = 2 * upkeepLeaseMs;
const creationRetryDelayMs = 250;

/**
 * Number of retries of a request that an object store refuses or doesn't answer. The engine's default of 3 gives up after half a
 * second, while this value gives up after some 10 to 20 s: clients are told while they still wait.
 */
const maxStoreRetries = "10";

/** Maximum number of chunks of one commit when many documents are waiting. */
const maxCommitChunks = 4_096;
/** Maximum time to gather documents for a commit, which takes as long for one document as for many. */
const maxCommitGatherMs = 100;
/** Maximum number of hashes of one query when many are waiting. It takes as long as a query for one hash. */
const maxLookupHashes = 256;

/** An open table, with its batched work. */
export interface NamespaceTable extends TableHandle {
  /** Resolves with whether the document was stored, or why it can't be. */
  additions: Batcher<SmallDocument, boolean | EmbeddingMismatchError>;
  /** Resolves with the sources of a hash, or `undefined` if its content isn't stored. */
  lookups: Batcher<string, KnownSources | undefined>;
}

/** A local folder, or an object store. */
export type StoreLocation = { folder: string } | { address: string };

/** The store's connection and its open tables. Concurrent callers share one opening. */
export class OpenTables {
  /** Absent on an object store. */
  readonly folder: string | undefined;
  readonly leases: Leases;
  readonly #address: string;
  readonly #tables = new Map<string, Promise<NamespaceTable | undefined>>();
  readonly #writeQueues = new Map<string, PQueue>();
  readonly #creating = new Map<string, Promise<NamespaceTable>>();
  readonly #namespaceByTable = new Map<string, string>();
  #connection: Promise<Connection> | undefined;

  constructor(location: StoreLocation) {
    this.folder = "folder" in location ? location.folder : undefined;
    this.#address = "folder" in location ? location.folder : location.address;
    this.leases = this.folder ? new FolderLeases(join(this.folder, "leases")) : new LanceLeases(() => this.connect());
  }

  connect(): Promise<Connection> {
    this.#connection ??= this.#connect().catch((error) => {
      this.#connection = undefined;
      throw error;
    });
    return this.#connection;
  }

  async #connect(): Promise<Connection> {
    if (this.folder) await openFolder(this.folder);
    process.env.LANCE_DEFAULT_BATCH_SIZE ??= rowBatchSize;
    process.env.LANCE_DEFAULT_IO_BUFFER_SIZE ??= readAheadBytes;
    const session = new Session(indexCacheBytes, metadataCacheBytes);
    // 0, because other processes may write to the same store.
    const storageOptions = { client_max_retries: maxStoreRetries };
    return connect(this.#address, { readConsistencyInterval: 0, ...(!this.folder && { storageOptions }) }, session);
  }

  async open(namespace: string): Promise<NamespaceTable | undefined> {
    const known = this.#tables.get(namespace);
    const opened = known && (await this.#cacheTable(namespace, known));
    return opened ?? this.#cacheTable(namespace, this.#open(namespace));
  }

  async openOrCreate(namespace: string, embedding: Embedding): Promise<NamespaceTable> {
    const opened = await this.open(namespace);
    if (opened) return opened;
    const creating = this.#creating.get(namespace);
    if (creating) return creating;
    const created = this.#create(namespace, embedding).finally(() => this.#creating.delete(namespace));
    this.#creating.set(namespace, created);
    return this.#cacheTable(namespace, created);
  }

  /**
   * On an object store, only one process at a time creates a table, because the engine lets the later of two creators replace the
   * earlier one's table and its data.
   */
  async #create(namespace: string, embedding: Embedding): Promise<NamespaceTable> {
    const place = await this.#getPlace(namespace);
    const create = async () =>
      toNamespaceTable((await openTable(namespace, place)) ?? (await createTable(namespace, embedding, place)));
    if (place.folder !== undefined) return create();
    for (let attempt = 1; ; attempt += 1) {
      const created = await this.leases.run(`create-${getTableName(namespace)}`, create);
      const opened = created ?? (await this.#open(namespace));
      if (opened) return opened;
      if (attempt * creationRetryDelayMs > maxCreationWaitMs) {
        throw new Error(`Another process holds the lease of namespace "${namespace}" and doesn't create its table.`);
      }
      await setTimeout(creationRetryDelayMs);
    }
  }

  has(namespace: string): boolean {
    return this.#tables.has(namespace);
  }

  forget(namespace: string): void {
    this.#tables.delete(namespace);
  }

  /** Whether this is the current handle of its namespace, which may have been deleted and recreated in the meantime. */
  async isOpen(opened: NamespaceTable): Promise<boolean> {
    return (await this.#tables.get(opened.namespace)) === opened;
  }

  /** Whether a table was deleted since it was opened. Unknown on an object store, where it counts as not deleted. */
  async isDeleted({ folder, identity }: NamespaceTable): Promise<boolean> {
    return folder !== undefined && (await getFolderIdentity(folder)) !== identity;
  }

  /** Deletes a namespace's table durably. Resolves with false if there is none, for example because another process deleted it. */
  async drop(namespace: string): Promise<boolean> {
    const { connection, folder } = await this.#getPlace(namespace);
    try {
      if (folder) return await deleteTableFolder(folder);
      // On an object store, the engine drops a missing table without an error, so open it first.
      await connection.openTable(getTableName(namespace));
      await connection.dropTable(getTableName(namespace));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    } finally {
      this.forget(namespace);
    }
  }

  /** The namespaces that have a table, sorted. */
  async listNamespaces(): Promise<string[]> {
    const connection = await this.connect();
    // List the folders directly: the engine takes 15 ms to list 1,500 tables of a folder.
    const tables = this.folder ? await listTableFolders(this.folder) : await listTables(connection);
    const unknown = tables.filter((name) => !this.#namespaceByTable.has(name) && isNamespaceTable(name));
    for (let start = 0; start < unknown.length; start += nameReadConcurrency) {
      const read = async (name: string) => {
        const recorded = await readNamespace(connection, name);
        // A table's name is the hash of its namespace, so the name can be cached forever.
        if (recorded !== undefined) this.#namespaceByTable.set(name, recorded);
      };
      await Promise.all(unknown.slice(start, start + nameReadConcurrency).map(read));
    }
    return [...new Set(tables.flatMap((name) => this.#namespaceByTable.get(name) ?? []))].sort();
  }

  /** Resolves once no writes are running. */
  async close(): Promise<void> {
    const tables = await Promise.all([...this.#tables.values()].map((opening) => opening.catch(() => undefined)));
    await Promise.all(tables.map((opened) => opened?.writeQueue.onIdle()));
    await this.leases.close();
    (await this.#connection)?.close();
  }

  async #open(namespace: string): Promise<NamespaceTable | undefined> {
    const place = await this.#getPlace(namespace);
    const { folder } = place;
    const handle = await openTable(namespace, place);
    if (!handle) {
      // A store whose folder is gone, such as after an unmount, must not look empty.
      if (this.folder) await access(this.folder).catch(failAsUnreachable);
      return undefined;
    }
    if (folder && (await isRemnant(handle.table, folder))) {
      // Skip this if the namespace is being recreated just now.
      if ((await getFolderIdentity(folder)) === handle.identity) await deleteTableFolder(folder);
      return undefined;
    }
    return toNamespaceTable(handle);
  }

  /** Keeps a table open as the most recently used one, unless it doesn't exist or fails to open. */
  async #cacheTable<Opened extends NamespaceTable | undefined>(
    namespace: string,
    opening: Promise<Opened>,
  ): Promise<Opened> {
    this.#tables.delete(namespace);
    this.#tables.set(namespace, opening);
    const [leastRecentlyUsed] = this.#tables.keys();
    if (this.#tables.size > maxOpenTables && leastRecentlyUsed !== undefined) this.forget(leastRecentlyUsed);
    let opened: Opened | undefined;
    try {
      opened = await opening;
      return opened;
    } finally {
      if (!opened && this.#tables.get(namespace) === opening) this.forget(namespace);
    }
  }

  async #getPlace(namespace: string) {
    const folder = this.folder && getTableFolder(this.folder, namespace);
    return { connection: await this.connect(), folder, writeQueue: this.#getWriteQueue(namespace) };
  }

  /** The single queue of all writes to a namespace in this process, even if the namespace is deleted and recreated in the meantime. */
  #getWriteQueue(namespace: string): PQueue {
    const writes = this.#writeQueues.get(namespace) ?? new PQueue({ concurrency: 1 });
    this.#writeQueues.set(namespace, writes);
    if (this.#writeQueues.size > 2 * maxOpenTables) {
      for (const [name, { size, pending }] of this.#writeQueues) {
        if (size + pending === 0 && !this.#tables.has(name) && name !== namespace) this.#writeQueues.delete(name);
      }
    }
    return writes;
  }
}

async function listTableFolders(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(failAsUnreachable))
    .filter((name) => name.endsWith(".lance"))
    .map((name) => name.slice(0, -".lance".length));
}

async function readNamespace(connection: Connection, tableName: string): Promise<string | undefined> {
  try {
    const table = await connection.openTable(tableName);
    const { namespace } = readSchema(await table.schema());
    return getTableName(namespace) === tableName ? namespace : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function toNamespaceTable(handle: TableHandle): NamespaceTable {
  const additions = new Batcher({
    queue: handle.writeQueue,
    getWeight: ({ part }: SmallDocument) => part.chunks.length,
    maxWeight: maxCommitChunks,
    maxGatherMs: maxCommitGatherMs,
    work: (documents) => addDocuments(handle, documents),
  });
  const lookups = new Batcher({
    queue: new PQueue({ concurrency: 1 }),
    maxWeight: maxLookupHashes,
    work: (hashes: string[]) => readSources(handle, hashes),
  });
  return { ...handle, additions, lookups };
}

/** @throws StoreUnreachableError */
async function openFolder(folder: string): Promise<void> {
  await makeDurableFolders(folder).catch(failAsUnreachable);
  await removeDeletedTables(folder).catch(failAsUnreachable);
}
