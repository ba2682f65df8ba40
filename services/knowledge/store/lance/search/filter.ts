import type { SearchFilter } from "@agent-backends/contract";

/** A text literal in the engine's SQL. Only quotes have a meaning inside; they are doubled. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const columns = new Set(["source", "content_type", "title"]);

/**
 * A filter as a condition in the engine's SQL; `undefined` for an empty filter. Each field is one term, however many values it
 * names: the engine takes seconds to plan a thousand alternatives.
 */
export function toCondition(filter: SearchFilter = {}): string | undefined {
  const conditions = Object.entries(filter).map(([name, wanted]) => {
    const values = typeof wanted === "object" ? wanted : [wanted];
    if (columns.has(name)) return isAnyOf(name, values.map(String));
    const literals = values.map((value) => JSON.stringify(value));
    return isAnyOf(
      fieldToken(name),
      literals.flatMap((literal) => [beforeNextField(literal), beforeNextField(`${literal}}`)]),
    );
  });
  return conditions.length === 0 ? undefined : conditions.join(" AND ");
}

const isAnyOf = (expression: string, values: readonly string[]): string =>
  values.length === 0 ? "false" : `${expression} IN (${[...new Set(values)].map(quote).join(",")})`;

/**
 * The JSON of a field's value up to the next field, or up to the end of the object for the last field; empty without such a field.
 * Clients' fields are stored as `JSON.stringify` writes a flat object, so an unescaped quote after a comma starts a field. Splitting
 * costs a quarter of what a regular expression does.
 */
function fieldToken(name: string): string {
  const fields = "concat(',', substr(metadata_json, 2))";
  return `split_part(split_part(${fields}, ${quote(`,${JSON.stringify(name)}:`)}, 2), ${quote(fieldSeparator)}, 1)`;
}

const fieldSeparator = ',"';

/** Cuts a literal where `fieldToken` cuts it. A text may lose its end by that, but no other text has the same beginning. */
const beforeNextField = (literal: string): string => literal.split(fieldSeparator, 1)[0] ?? "";
