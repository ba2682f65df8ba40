import { maxQuestionTerms, toQuestionTerms } from "../../terms.ts";
import type { TableDescription } from "../table/schema.ts";

/** What a question is searched for, as a full-text query of one column. */
export interface QuestionWords {
  column: "terms" | "search_text";
  words: string;
}

/** What a question is searched for in a table by the engine. */
export function toQuestionWords(
  question: string,
  { languages, termsAreComplete }: Pick<TableDescription, "languages" | "termsAreComplete">,
): QuestionWords {
  // The index of an earlier version analyses the question itself.
  return termsAreComplete
    ? { column: "terms", words: toQuestionTerms(question, languages).join(" ") }
    : {
        column: "search_text",
        words: [...new Set(question.split(/\s+/).filter(Boolean))].slice(0, maxQuestionTerms).join(" "),
      };
}
