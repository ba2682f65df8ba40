import { ConfigurationError } from "@agent-backends/kit";
import type { OpenedStore } from "../knowledge-store.ts";
import type { PostgresAddress } from "./database/address.ts";
import { parsePostgresAddress } from "./database/address.ts";
import { Database } from "./database/database.ts";
import { PostgresJobs } from "./postgres-jobs.ts";
import type { PostgresStoreOptions } from "./postgres-store.ts";
import { PostgresStore } from "./postgres-store.ts";

/** @throws ConfigurationError if the address is invalid */
export function openPostgres(
  location: string,
  { connections, ...options }: PostgresStoreOptions & { connections: number | undefined },
): OpenedStore {
  const database = new Database(readAddress(location), { logger: options.logger, connections });
  const store = new PostgresStore(database, options);
  return { store, jobs: new PostgresJobs(database), measure: () => store.measure() };
}

function readAddress(location: string): PostgresAddress {
  try {
    return parsePostgresAddress(location);
  } catch (error) {
    // The message about an unreadable file names the file. No message contains the password.
    throw new ConfigurationError([`KNOWLEDGE_STORE is not a valid address of PostgreSQL: ${(error as Error).message}`]);
  }
}
