import type { Language } from "@agent-backends/language";
import { analyze, analyzeQuestion, detectLanguage } from "@agent-backends/language";

/** The parameters of BM25 (Robertson and Zaragoza, 2009) that all stores use for ranking. LanceDB's engine has fixed ones. */
export const bm25 = { k1: 1.2, b: 0.75 } as const;

/** Maximum number of terms of a question to search for. Each one costs reading a list of chunks. */
export const maxQuestionTerms = 128;

/**
 * The terms of a chunk, in indexed form. A chunk whose language can't be detected, such as a table, is analysed in the language of its
 * document: pass what `detectLanguage` says of the text that is stored with it.
 */
export function analyzeChunk(searchText: string, documentLanguage?: Language) {
  const language = detectLanguage(searchText) ?? documentLanguage;
  return { terms: analyze(searchText, language ? [language] : []), language };
}

export const toQuestionTerms = (question: string, languages: readonly Language[]): string[] =>
  [...analyzeQuestion(question, languages)].slice(0, maxQuestionTerms);
