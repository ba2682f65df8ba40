// Checks every GraphQL query that the listing service sends against a schema:
//   node scripts/validate-queries.ts path/to/schema.graphql
import { readFileSync } from "node:fs";
import { buildSchema, parse, validate } from "graphql";
import { graphqlQueries } from "../services/listing/upstream/posts-query.ts";

/** What is wrong with the service's queries under a schema (in the schema definition language): one line for each fault. */
export function faultsUnder(schemaText: string, queries: Readonly<Record<string, string>> = graphqlQueries): string[] {
  const schema = buildSchema(schemaText);
  return Object.entries(queries).flatMap(([name, query]) =>
    validate(schema, parse(query)).map(({ message }) => `${name}: ${message}`),
  );
}

if (import.meta.main) {
  const [path] = process.argv.slice(2);
  if (!path) {
    console.error("Name a schema file: node scripts/validate-queries.ts path/to/schema.graphql");
    process.exit(2);
  }
  const faults = faultsUnder(readFileSync(path, "utf8"));
  for (const fault of faults) console.error(fault);
  console.log(`${Object.keys(graphqlQueries).length} queries, ${faults.length} faults`);
  if (faults.length > 0) process.exitCode = 1;
}
