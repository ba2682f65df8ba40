import type { Language } from "@agent-backends/language";
import { analyze, analyzeQuestion, detectLanguage } from "@agent-backends/language";

/** The parameters of BM25 (Robertson and Zaragoza, 2009) by which all stores rank. LanceDB's engine has no others. */
export const bm25 = { k1: 1.2, b: 0.75 } as const;

/** Only the first terms of a question are searched for: each costs reading a list of chunks. */
export const maxQuestionTerms = 128;

/** The terms of a chunk, as they are indexed. A chunk without a language of its own, such as a table, is in that of its document. */
export function analyzeChunk(searchText: string, ofDocument?: Language) {
  const language = detectLanguage(searchText) ?? ofDocument;
  return { terms: analyze(searchText, language ? [language] : []), language };
}

export const toQuestionTerms = (question: string, languages: readonly Language[]): string[] =>
  [...analyzeQuestion(question, languages)].slice(0, maxQuestionTerms);
