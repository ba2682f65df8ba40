import type { Citation } from "@agent-backends/contract";
import type { AssistantMessage, NumberedCitation } from "../chat/messages.ts";
import { markedNumbers } from "../markdown/marks.ts";

/** A passage as a search gave it to the model. */
export interface FoundPassage {
  n: number;
  title?: string;
  content?: string;
}

/**
 * Gives each citation the number by which the answer refers to it: the one it carries, else that of the passage found which
 * holds its quote, else its place among the numbers that the answer names (citations come in the order of their numbers).
 */
export function numberCitations(answer: AssistantMessage, citations: readonly Citation[]): NumberedCitation[] {
  const found = answer.toolCalls.flatMap((call) => foundPassages(call.result));
  const marked = markedNumbers(answer.text);
  const taken = new Set<number>();
  return citations.map((citation, index) => {
    const own = (citation as { n?: unknown }).n;
    const passage = found.find(
      ({ n, title, content }) => !taken.has(n) && title === citation.title && content?.includes(citation.quote),
    );
    const fallback = citations.length === marked.length ? marked[index] : undefined;
    const n = typeof own === "number" ? own : (passage?.n ?? fallback ?? index + 1);
    taken.add(n);
    return { ...citation, n };
  });
}

/** The passages in a search's result. */
export function foundPassages(result: unknown): FoundPassage[] {
  const { results } = (result ?? {}) as { results?: unknown };
  if (!Array.isArray(results)) return [];
  return results.filter((passage): passage is FoundPassage => typeof passage?.n === "number");
}
