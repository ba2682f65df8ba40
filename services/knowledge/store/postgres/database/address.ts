import { findSimilarName } from "@agent-backends/kit";
import type { PoolConfig } from "pg";
import { parseIntoClientConfig } from "pg-connection-string";

const defaultSchema = "knowledge";

/** The supported parameters. The driver ignores unknown ones, and would then connect without TLS. */
const parameters = ["schema", "sslmode", "sslrootcert", "sslcert", "sslkey"];
const tlsModes = ["disable", "prefer", "require", "verify-ca", "verify-full"];

export interface PostgresAddress {
  connection: PoolConfig;
  /** The schema of the store's tables, from `?schema=` in the address. Several stores may share a database. */
  schema: string;
  /** Safe to log, because it has no user or password. */
  label: string;
}

/**
 * Parses `postgres://user:password@host:5432/database?sslmode=verify-full&schema=knowledge`. `sslmode` and the other parameters have
 * the same meaning as in PostgreSQL's own clients.
 *
 * @throws if a parameter is invalid or a certificate file can't be read
 */
export function parsePostgresAddress(location: string): PostgresAddress {
  const url = new URL(location);
  for (const name of url.searchParams.keys()) {
    const meant = parameters.includes(name) ? undefined : findSimilarName(name, parameters);
    if (meant !== undefined) throw new Error(`${name} is not a known parameter: did you mean ${meant}?`);
  }
  const schema = url.searchParams.get("schema") ?? defaultSchema;
  url.searchParams.delete("schema");
  const mode = url.searchParams.get("sslmode");
  // The driver treats an unknown mode as none.
  if (mode !== null && !tlsModes.includes(mode)) throw new Error(`sslmode must be one of ${tlsModes.join(", ")}`);
  if (mode !== null) url.searchParams.set("uselibpqcompat", "true");
  const { host, pathname } = url;
  return { connection: parseIntoClientConfig(url.href), schema, label: `postgres://${host}${pathname}` };
}
