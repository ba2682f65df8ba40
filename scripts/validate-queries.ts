// Checks every GraphQL query that the listing service sends against a schema:
//   node scripts/validate-queries.ts path/to/schema.graphql
import { readFileSync } from "node:fs";
import { buildSchema, parse, validate } from "graphql";
import { graphqlQueries } from "../services/listing/upstream/posts-query.ts";

/** Validates the service's queries against a schema in the schema definition language. Returns one line per error. */
export function findQueryErrors(
  schemaText: string,
  queries: Readonly<Record<string, string>> = graphqlQueries,
): string[] {
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
  const errors = findQueryErrors(readFileSync(path, "utf8"));
  for (const error of errors) console.error(error);
  console.log(`${Object.keys(graphqlQueries).length} queries, ${errors.length} errors`);
  if (errors.length > 0) process.exitCode = 1;
}
