/** The value of a JSON text, or undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object in a JSON text, or undefined if the text contains anything else. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** JSON with line breaks. Text that isn't (yet) JSON stays unchanged. */
export function prettyJson(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
