import type { SearchFilter } from "@agent-backends/contract";

type FilterValue = string | number | boolean;

/** Text in the engine's SQL. A quote is doubled, and nothing else has a meaning inside of quotes. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const columns = new Set(["source", "content_type", "title"]);

/** The condition of a filter in the engine's SQL; `undefined` when it asks for nothing. */
export function conditionOf(filter: SearchFilter = {}): string | undefined {
  const conditions = Object.entries(filter).map(([name, wanted]) => {
    const values = typeof wanted === "object" ? wanted : [wanted];
    const anyOf = values.map((value) => (columns.has(name) ? equals(name, value) : hasField(name, value)));
    return anyOf.length === 0 ? "false" : `(${anyOf.join(" OR ")})`;
  });
  return conditions.length === 0 ? undefined : conditions.join(" AND ");
}

const equals = (column: string, value: FilterValue): string => `${column} = ${quote(String(value))}`;

/**
 * A client's fields are stored as `JSON.stringify` writes a flat object. A field stands there after `{` or `,` and
 * before `,` or `}`, and nowhere else: inside of a name or a text its quotes would have backslashes.
 */
function hasField(name: string, value: FilterValue): string {
  const field = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  const places = ["{", ","].flatMap((before) => [",", "}"].map((after) => `${before}${field}${after}`));
  return places.map((place) => `contains(metadata_json, ${quote(place)})`).join(" OR ");
}
