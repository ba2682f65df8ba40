import { analyzeQuestion } from "@agent-backends/language";
import type { TableDescription } from "../table/schema.ts";

/** Only the first terms of a question are searched for: each costs reading a list of chunks. */
const maxQuestionTerms = 128;

/** What a question is searched for, as a full-text query of one column. */
export interface QuestionWords {
  column: "terms" | "search_text";
  words: string;
}

/** What a question is searched for in a table: each of its terms once, since the engine would count a repeated one each time. */
export function toQuestionWords(
  question: string,
  { languages, termsAreComplete }: Pick<TableDescription, "languages" | "termsAreComplete">,
): QuestionWords {
  const join = (words: Iterable<string>) => Array.from(words).slice(0, maxQuestionTerms).join(" ");
  // The index of an earlier version analyses the question itself.
  return termsAreComplete
    ? { column: "terms", words: join(analyzeQuestion(question, languages)) }
    : { column: "search_text", words: join(new Set(question.split(/\s+/).filter(Boolean))) };
}
