import { maxQuestionTerms, toQuestionTerms } from "../../terms.ts";
import type { TableDescription } from "../table/schema.ts";

/** The words of a question, as a full-text query of one column. */
export interface QuestionWords {
  column: "terms" | "search_text";
  words: string;
}

/** Builds the full-text query with which the engine searches a table for a question. */
export function toQuestionWords(
  question: string,
  { languages, termsAreComplete }: Pick<TableDescription, "languages" | "termsAreComplete">,
): QuestionWords {
  // The index of a table of an earlier version analyses the question itself.
  return termsAreComplete
    ? { column: "terms", words: toQuestionTerms(question, languages).join(" ") }
    : {
        column: "search_text",
        words: [...new Set(question.split(/\s+/).filter(Boolean))].slice(0, maxQuestionTerms).join(" "),
      };
}
