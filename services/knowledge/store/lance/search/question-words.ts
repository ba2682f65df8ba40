import { analyze, getContentTerms } from "@agent-backends/language";
import type { TableDescription } from "../table/schema.ts";

/** Only the first terms of a question are searched for: each costs reading a list of chunks. */
const maxQuestionTerms = 128;

/** What a question is searched for, as a full-text query of one column. */
export interface QuestionWords {
  column: "terms" | "search_text";
  words: string;
}

/**
 * The terms of a question, analysed in each language of the namespace's chunks, each once: the engine would count a repeated one each
 * time. Words that questions are made of are left out, unless there are no others.
 */
export function toQuestionWords(
  question: string,
  { languages, termsAreComplete }: Pick<TableDescription, "languages" | "termsAreComplete">,
): QuestionWords {
  const content = getContentTerms(question, languages);
  const terms = content.size > 0 ? content : new Set(analyze(question, languages));
  const words = (some: Iterable<string>) => Array.from(some).slice(0, maxQuestionTerms).join(" ");
  // The index of an earlier version analyses the question itself.
  return termsAreComplete
    ? { column: "terms", words: words(terms) }
    : { column: "search_text", words: words(new Set(question.split(/\s+/).filter(Boolean))) };
}
