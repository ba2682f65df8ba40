import type { Language } from "@agent-backends/language";
import { analyzeQuestion } from "@agent-backends/language";
import type { TableDescription } from "../table/schema.ts";

/** Only the first terms of a question are searched for: each costs reading a list of chunks. */
const maxQuestionTerms = 128;

/** What a question is searched for, as a full-text query of one column. */
export interface QuestionWords {
  column: "terms" | "search_text";
  words: string;
}

/** The terms of a question, each once: the engine would count a repeated one each time. */
export const toQuestionTerms = (question: string, languages: readonly Language[]): string[] =>
  takeFirst(analyzeQuestion(question, languages));

/** What a question is searched for in a table by the engine. */
export function toQuestionWords(
  question: string,
  { languages, termsAreComplete }: Pick<TableDescription, "languages" | "termsAreComplete">,
): QuestionWords {
  // The index of an earlier version analyses the question itself.
  return termsAreComplete
    ? { column: "terms", words: toQuestionTerms(question, languages).join(" ") }
    : { column: "search_text", words: takeFirst(new Set(question.split(/\s+/).filter(Boolean))).join(" ") };
}

const takeFirst = (words: Iterable<string>): string[] => Array.from(words).slice(0, maxQuestionTerms);
