import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Logger } from "@agent-backends/kit";
import { ConfigurationError } from "@agent-backends/kit";
import { probeConditionalWrites } from "./conditional-writes.ts";
import { folderMeter } from "./files.ts";
import { JobFolder } from "./jobs/job-folder.ts";
import type { JobStore } from "./jobs/job-store.ts";
import type { KnowledgeStore } from "./knowledge-store.ts";
import { LanceJobs } from "./lance/jobs/lance-jobs.ts";
import { LanceStore } from "./lance/lance-store.ts";
import { getMaxSearchBytes } from "./lance/search/table-states.ts";
import type { PostgresAddress } from "./postgres/address.ts";
import { parsePostgresAddress } from "./postgres/address.ts";
import { Database } from "./postgres/database.ts";
import { PostgresJobs } from "./postgres/postgres-jobs.ts";
import { PostgresStore } from "./postgres/postgres-store.ts";

export interface OpenedStore {
  store: KnowledgeStore;
  jobs: JobStore;
  /** Measures the store in bytes; absent on an object store, which tells its size itself. */
  measure?: () => Promise<number>;
}

interface StoreOptions {
  logger: Logger;
  environment: Readonly<Record<string, string | undefined>>;
  fetch: typeof fetch;
  /** The longest time that deleted text may stay in the store. Without it this process doesn't remove it. */
  purgeAfterMs?: number;
  /** Processes that share the machine's memory. */
  workers?: number;
  /** Connections to a database. */
  connections?: number;
}

/**
 * Opens the store at a location: a folder, the address of an object store (`s3://…`, `gs://…`, `az://…`), or that of a database
 * (`postgres://…`).
 *
 * @throws ConfigurationError when processes would overwrite each other's documents there, the folder is a file, or the address is not valid
 */
export async function openStore(
  location: string,
  { logger, environment, fetch, purgeAfterMs, workers = 1, connections }: StoreOptions,
): Promise<OpenedStore> {
  const options = {
    logger,
    maxMemoryBytes: getMaxSearchBytes(workers),
    ...(purgeAfterMs !== undefined && { purgeAfterMs }),
  };
  if (!/^\w[\w+.-]+:\/\//.test(location)) {
    const folder = resolve(location);
    // A folder that can't be opened may be a volume that comes back; `check` tells that.
    if ((await stat(folder).catch(() => undefined))?.isFile())
      throw new ConfigurationError([
        `KNOWLEDGE_STORE ${location} is a file: set it to a folder, such as ./data/knowledge`,
      ]);
    const store = new LanceStore({ folder }, options);
    return { store, jobs: new JobFolder(join(folder, "jobs")), measure: folderMeter(folder) };
  }
  if (/^postgres(?:ql)?:/.test(location)) {
    const database = new Database(readAddress(location), { logger, connections });
    const store = new PostgresStore(database, options);
    return { store, jobs: new PostgresJobs(database), measure: () => store.measure() };
  }
  const writes = await probeConditionalWrites(location, environment, fetch);
  if (writes === "ignored") {
    throw new ConfigurationError([
      "KNOWLEDGE_STORE is on an object store that ignores `If-None-Match: *`, so that processes would overwrite each other's documents: use one that honours it, or a folder",
    ]);
  }
  if (typeof writes === "object")
    logger.warn(`whether the object store honours If-None-Match is not known: ${writes.unknown}`);
  const store = new LanceStore({ address: location }, options);
  return { store, jobs: new LanceJobs(() => store.connect(), store.leases) };
}

function readAddress(location: string): PostgresAddress {
  try {
    return parsePostgresAddress(location);
  } catch (error) {
    // The message of a file that can't be read names the file. None has the password.
    throw new ConfigurationError([`KNOWLEDGE_STORE is not a valid address of PostgreSQL: ${(error as Error).message}`]);
  }
}
