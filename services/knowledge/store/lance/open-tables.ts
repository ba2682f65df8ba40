import { randomUUID } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Connection } from "@lancedb/lancedb";
import { connect, Session } from "@lancedb/lancedb";
import PQueue from "p-queue";
import type { Embedding } from "../document.ts";
import { flushPath, makeDurableFolder } from "./durable-files.ts";
import { folderIdentity } from "./folder-identity.ts";
import type { NamespaceTable } from "./namespace-table.ts";
import { createNamespaceTable, isMissing, openNamespaceTable } from "./namespace-table.ts";
import { draftPrefix, tableNameOf } from "./table-names.ts";
import { readSchema } from "./vector-columns.ts";

/** Tables that stay open in this process; the longest unused is let go. */
const openTablesAtMost = 2_048;
const tablesPerListing = 1_000;
/** How the folders of deleted tables begin. */
const removedPrefix = `${draftPrefix}removed-`;
/** What the engine may keep in memory of indices and of files' descriptions, for all tables together. */
const indexCacheBytes = 512n * 1024n * 1024n;
const metadataCacheBytes = 128n * 1024n * 1024n;

/** The store's connection and its open tables, which are opened once however many ask for them. */
export class OpenTables {
  /** Absent where the store is not a local folder. */
  readonly folder: string | undefined;
  readonly #location: string;
  readonly #tables = new Map<string, Promise<NamespaceTable | undefined>>();
  readonly #writes = new Map<string, PQueue>();
  readonly #creating = new Map<string, Promise<NamespaceTable>>();
  readonly #namespaceOfTable = new Map<string, string>();
  #connection: Promise<Connection> | undefined;

  constructor(location: string) {
    this.folder = /^\w[\w+.-]+:\/\//.test(location) ? undefined : resolve(location);
    this.#location = this.folder ?? location;
  }

  connect(): Promise<Connection> {
    this.#connection ??= (async () => {
      if (this.folder) {
        await makeDurableFolder(this.folder);
        await removeRest(this.folder);
      }
      const session = new Session(indexCacheBytes, metadataCacheBytes);
      return connect(this.#location, { readConsistencyInterval: 0 }, session);
    })().catch((error) => {
      this.#connection = undefined;
      throw error;
    });
    return this.#connection;
  }

  async open(namespace: string): Promise<NamespaceTable | undefined> {
    const known = this.#tables.get(namespace);
    const opened = known && (await this.#keep(namespace, known));
    if (opened) return opened;
    const folder = this.#folderOf(namespace);
    return this.#keep(
      namespace,
      this.connect().then(async (connection) => {
        const found = folder && (await folderIdentity(folder));
        const opened = await openNamespaceTable(connection, namespace, folder, this.#writesOf(namespace));
        if (!opened || !this.folder || !folder || !(await isRemnant(opened, folder))) return opened;
        // The namespace may be made anew just now.
        if ((await folderIdentity(folder)) === found) await removeAtOnce(this.folder, folder);
        return undefined;
      }),
    );
  }

  async openOrCreate(namespace: string, embedding: Embedding): Promise<NamespaceTable> {
    const opened = await this.open(namespace);
    if (opened) return opened;
    const creating = this.#creating.get(namespace);
    if (creating) return creating;
    const folder = this.#folderOf(namespace);
    const created = this.connect()
      .then((connection) =>
        createNamespaceTable(connection, { namespace, ...embedding }, folder, this.#writesOf(namespace)),
      )
      .finally(() => this.#creating.delete(namespace));
    this.#creating.set(namespace, created);
    return this.#keep(namespace, created);
  }

  forget(namespace: string): void {
    this.#tables.delete(namespace);
  }

  /** Whether this is still what is open of its namespace: it may have been deleted, and made anew, meanwhile. */
  async isOpen(opened: NamespaceTable): Promise<boolean> {
    return (await this.#tables.get(opened.namespace)) === opened;
  }

  /** Removes a namespace's table for good, if it is there. */
  async drop(namespace: string): Promise<void> {
    const connection = await this.connect();
    const folder = this.#folderOf(namespace);
    if (this.folder && folder) {
      await removeAtOnce(this.folder, folder);
    } else {
      await connection.dropTable(tableNameOf(namespace)).catch((error) => {
        if (!isMissing(error)) throw error;
      });
    }
    this.forget(namespace);
  }

  /** The namespaces that have a table, by name. */
  async namespaces(): Promise<string[]> {
    const connection = await this.connect();
    const tables: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await connection.listTables({ limit: tablesPerListing, ...(pageToken && { pageToken }) });
      tables.push(...page.tables);
      pageToken = page.pageToken;
    } while (pageToken);
    for (const name of tables) {
      if (this.#namespaceOfTable.has(name) || name.startsWith(draftPrefix)) continue;
      // A table's name is the hash of its namespace's, so what was read once stays true.
      const recorded = await recordedNamespace(connection, name);
      if (recorded !== undefined) this.#namespaceOfTable.set(name, recorded);
    }
    return [...new Set(tables.flatMap((name) => this.#namespaceOfTable.get(name) ?? []))].sort();
  }

  /** Resolves when no table is being written any more. */
  async close(): Promise<void> {
    const tables = await Promise.all([...this.#tables.values()].map((opening) => opening.catch(() => undefined)));
    await Promise.all(tables.map((opened) => opened?.writes.onIdle()));
    (await this.#connection)?.close();
  }

  /** Keeps a table open, as the one used last. What is not there, or could not be opened, is not kept. */
  async #keep<Opened extends NamespaceTable | undefined>(namespace: string, opening: Promise<Opened>): Promise<Opened> {
    this.#tables.delete(namespace);
    this.#tables.set(namespace, opening);
    const [longestUnused] = this.#tables.keys();
    if (this.#tables.size > openTablesAtMost && longestUnused !== undefined) this.forget(longestUnused);
    const forgetThis = () => {
      if (this.#tables.get(namespace) === opening) this.forget(namespace);
    };
    try {
      const opened = await opening;
      if (!opened) forgetThis();
      return opened;
    } catch (error) {
      forgetThis();
      throw error;
    }
  }

  /** One queue for all that writes to a namespace in this process, also where it was deleted and made anew meanwhile. */
  #writesOf(namespace: string): PQueue {
    const writes = this.#writes.get(namespace) ?? new PQueue({ concurrency: 1 });
    this.#writes.set(namespace, writes);
    if (this.#writes.size > 2 * openTablesAtMost) {
      for (const [name, { size, pending }] of this.#writes) {
        if (size + pending === 0 && !this.#tables.has(name) && name !== namespace) this.#writes.delete(name);
      }
    }
    return writes;
  }

  #folderOf(namespace: string): string | undefined {
    return this.folder && join(this.folder, `${tableNameOf(namespace)}.lance`);
  }
}

/**
 * Whether a table has no more than a commit that another process made of it while it was deleted, such as of an index that it was
 * building: rows, and no file that they are in.
 */
async function isRemnant({ table }: NamespaceTable, folder: string): Promise<boolean> {
  // Rows that are counted first have their files already, unless another commit has taken them away since.
  const version = await table.version();
  if ((await table.countRows()) === 0) return false;
  const files = await readdir(join(folder, "data")).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return files.length === 0 && (await table.version()) === version;
}

/**
 * Removes a table's folder in one step, and then what was in it: whoever opens the table meanwhile finds all of it or nothing,
 * and so does a process that starts after this one was killed.
 */
async function removeAtOnce(store: string, folder: string): Promise<void> {
  const removed = join(store, `${removedPrefix}${randomUUID()}.lance`);
  try {
    await rename(folder, removed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  await flushPath(store);
  await removeFolder(removed);
}

/** Removes what processes have left that died while they deleted a namespace. */
async function removeRest(store: string): Promise<void> {
  for (const name of await readdir(store)) {
    // Nobody sees it any more: what can't be removed now may be removed the next time.
    if (name.startsWith(removedPrefix)) await removeFolder(join(store, name)).catch(() => undefined);
  }
}

const removeFolder = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 });

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
