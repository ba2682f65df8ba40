import type { SearchFilter } from "@agent-backends/contract";

/** A text literal in the engine's SQL. Only quotes have a special meaning in it, and are doubled. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const columns = new Set(["source", "content_type", "title"]);

/**
 * A filter as a condition in the engine's SQL, or `undefined` for an empty filter. Each field is one term, however many values it
 * names, because the engine takes seconds to plan a thousand alternatives.
 */
export function toCondition(filter: SearchFilter = {}): string | undefined {
  const conditions = Object.entries(filter).map(([name, wanted]) => {
    const values = typeof wanted === "object" ? wanted : [wanted];
    if (columns.has(name)) return toInCondition(name, values.map(String));
    const fieldName = JSON.stringify(name).slice(1);
    return toArrayCondition(
      listFields(name),
      values.map((value) => beforeNextField(`${fieldName}:${JSON.stringify(value)}`)),
    );
  });
  return conditions.length === 0 ? undefined : conditions.join(" AND ");
}

const toInCondition = (expression: string, values: readonly string[]): string =>
  values.length === 0 ? "false" : `${expression} IN (${toLiterals(values)})`;

const toArrayCondition = (list: string, values: readonly string[]): string =>
  values.length === 0 ? "false" : `array_has_any(${list}, make_array(${toLiterals(values)}))`;

const toLiterals = (values: readonly string[]): string => [...new Set(values)].map(quote).join(",");

const fieldSeparator = ',"';
/**
 * The end of a field name that ends with a comma, and its replacement, which has no field separator. JSON.stringify never writes the
 * replacement.
 */
const [commaName, escapedCommaName] = [',":', '\\u002c":'];

/**
 * The client's fields of a row, as a list of texts such as `team":"legal"`. `metadata_json` is a flat object written by JSON.stringify,
 * so an unescaped quote after a comma starts a field, and only the object ends with a brace. Splitting costs a quarter of a regular
 * expression.
 */
function listFields(name: string): string {
  const fields = "concat(',', rtrim(substr(metadata_json, 2), '}'))";
  const unambiguous = name.endsWith(",")
    ? `replace(${fields}, ${quote(commaName)}, ${quote(escapedCommaName)})`
    : fields;
  return `string_to_array(${unambiguous}, ${quote(fieldSeparator)})`;
}

/** Cuts a field where `listFields` cuts it. This may cut off the end of a text, but no other text has the same beginning. */
const beforeNextField = (field: string): string =>
  field.replace(commaName, escapedCommaName).split(fieldSeparator, 1)[0] ?? "";
