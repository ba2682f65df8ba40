import type { SearchFilter } from "@agent-backends/contract";

type FilterValue = string | number | boolean;

/** Text in the engine's SQL. A quote is doubled, and nothing else has a meaning inside of quotes. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const columns = new Set(["source", "content_type", "title"]);

/**
 * The condition of a filter in the engine's SQL; `undefined` when it asks for nothing. Each field is one term, however many
 * values it names: the engine takes seconds to plan a thousand alternatives.
 */
export function conditionOf(filter: SearchFilter = {}): string | undefined {
  const conditions = Object.entries(filter).map(([name, wanted]) => {
    const values = typeof wanted === "object" ? wanted : [wanted];
    const [first] = values;
    if (columns.has(name)) return isAnyOf(name, values.map(String));
    if (values.length === 1 && first !== undefined) return hasField(name, first);
    return isAnyOf(
      fieldOf(name),
      values.map((value) => JSON.stringify(value)),
    );
  });
  return conditions.length === 0 ? undefined : conditions.join(" AND ");
}

const isAnyOf = (expression: string, values: readonly string[]): string =>
  values.length === 0 ? "false" : `${expression} IN (${values.map(quote).join(",")})`;

/**
 * A client's fields are stored as `JSON.stringify` writes a flat object. A field stands there after `{` or `,` and
 * before `,` or `}`, and nowhere else: inside of a name or a text its quotes would have backslashes.
 */
function hasField(name: string, value: FilterValue): string {
  const field = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  const places = ["{", ","].flatMap((before) => [",", "}"].map((after) => `${before}${field}${after}`));
  return `(${places.map((place) => `contains(metadata_json, ${quote(place)})`).join(" OR ")})`;
}

/** The JSON of a field's value, or all metadata, which is no value, where there is no such field. */
function fieldOf(name: string): string {
  const literalName = JSON.stringify(name).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const pattern = String.raw`^.*?[{,]${literalName}:("(?:[^"\\]|\\.)*"|[^,}]*).*$`;
  return `regexp_replace(metadata_json, ${quote(pattern)}, '$1')`;
}
