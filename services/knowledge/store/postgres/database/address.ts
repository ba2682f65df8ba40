import { findSimilarName } from "@agent-backends/kit";
import type { PoolConfig } from "pg";
import { parseIntoClientConfig } from "pg-connection-string";

/** Where the store's tables are by default. */
const defaultSchema = "knowledge";

/** The parameters that this service documents. The driver ignores one that it doesn't know, and would connect without TLS. */
const parameters = ["schema", "sslmode", "sslrootcert", "sslcert", "sslkey"];
const tlsModes = ["disable", "prefer", "require", "verify-ca", "verify-full"];

export interface PostgresAddress {
  connection: PoolConfig;
  /** The schema of the store's tables: `?schema=` of the address. Several stores may share a database. */
  schema: string;
  /** Safe to log: without user and password. */
  label: string;
}

/**
 * Parses `postgres://user:password@host:5432/database?sslmode=verify-full&schema=knowledge`. `sslmode` and the other parameters mean
 * what they mean to PostgreSQL's own clients.
 *
 * @throws when a parameter is invalid or a certificate's file can't be read
 */
export function parsePostgresAddress(location: string): PostgresAddress {
  const url = new URL(location);
  for (const name of url.searchParams.keys()) {
    const meant = parameters.includes(name) ? undefined : findSimilarName(name, parameters);
    if (meant !== undefined) throw new Error(`${name} is read by nobody: did you mean ${meant}?`);
  }
  const schema = url.searchParams.get("schema") ?? defaultSchema;
  url.searchParams.delete("schema");
  const mode = url.searchParams.get("sslmode");
  // The driver takes a mode that it doesn't know for none.
  if (mode !== null && !tlsModes.includes(mode)) throw new Error(`sslmode must be one of ${tlsModes.join(", ")}`);
  if (mode !== null) url.searchParams.set("uselibpqcompat", "true");
  const { host, pathname } = url;
  return { connection: parseIntoClientConfig(url.href), schema, label: `postgres://${host}${pathname}` };
}
