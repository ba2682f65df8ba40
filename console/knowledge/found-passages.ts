/** A passage as a search gave it to the model. */
export interface FoundPassage {
  n: number;
  title?: string;
  content?: string;
}

/** The passages in a search's result. */
export function foundPassages(result: unknown): FoundPassage[] {
  const { results } = (result ?? {}) as { results?: unknown };
  if (!Array.isArray(results)) return [];
  return results.filter((passage): passage is FoundPassage => typeof passage?.n === "number");
}
