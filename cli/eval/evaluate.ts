import type { GenerateResponse, KnowledgeClient } from "@agent-backends/client";
import type { Question } from "./questions.ts";
import { findExpected, rate } from "./questions.ts";

/** Number of searches and answers that run at the same time. */
const concurrency = 4;

export interface Setting {
  client: KnowledgeClient;
  namespace: string;
  maxResults: number;
  minScore: number | undefined;
}

/** Each score is a mean from 0 to 1 over the questions that it applies to. */
export interface Scores {
  hit_rate: number;
  ndcg: number;
  mrr: number;
  /** Share of citations whose quote is in the document at the cited position. */
  exact_citations?: number;
  /** Share of citations from an expected source. */
  right_citations?: number;
  /** Share of correct decisions to answer: with citations if the question has an answer, without any if it has none. */
  right_refusals?: number;
}

export interface QuestionResult {
  question: string;
  hit?: number;
  ndcg?: number;
  reciprocal_rank?: number;
  citations?: { cited: number; exact: number; right: number };
  rightly_answered_or_refused?: boolean;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Asks all questions with one setting. */
export async function evaluate(
  questions: readonly Question[],
  setting: Setting,
  options: { answers: boolean; signal: AbortSignal; onQuestion: () => void },
): Promise<{ scores: Scores; results: QuestionResult[] }> {
  const results: QuestionResult[] = [];
  const queue = questions.entries();
  const work = async () => {
    for (const [index, question] of queue) {
      results[index] = {
        question: question.question,
        ...(await search(question, setting, options.signal)),
        ...(options.answers && (await checkAnswer(question, setting, options.signal))),
      };
      options.onQuestion();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { scores: toScores(results), results };
}

/** A question without an answer has no relevant results, so only its answer is scored. */
async function search(question: Question, { client, namespace, maxResults, minScore }: Setting, signal: AbortSignal) {
  if (question.sources?.length === 0) return {};
  const request = { query: question.question, namespace, max_results: maxResults, min_score: minScore };
  const { results } = await client.search(request, { signal });
  const { hit, ndcg, reciprocalRank } = rate(
    question,
    results.map(({ content, metadata }) => ({ content, source: metadata.source })),
  );
  return { hit, ndcg, reciprocal_rank: reciprocalRank };
}

async function checkAnswer(question: Question, { client, namespace }: Setting, signal: AbortSignal) {
  const messages = [{ role: "user" as const, content: question.question }];
  const { citations }: GenerateResponse = await client.generate({ messages, namespace }, { signal });
  let [exact, right] = [0, 0];
  for (const { document_id, start, end, quote, source } of citations) {
    const { text } = await client.getDocument(namespace, document_id, { signal });
    if (text.slice(start, end) === quote) exact++;
    if (question.sources === undefined || findExpected(source, question) !== undefined) right++;
  }
  const isAnswerable = question.sources?.length !== 0;
  return {
    citations: { cited: citations.length, exact, right },
    rightly_answered_or_refused: citations.length > 0 === isAnswerable,
  };
}

function toScores(results: readonly QuestionResult[]): Scores {
  const getValues = (field: "hit" | "ndcg" | "reciprocal_rank") => results.flatMap((result) => result[field] ?? []);
  const checks = results.flatMap(({ citations }) => citations ?? []);
  const sum = (field: "cited" | "exact" | "right") => checks.reduce((total, check) => total + check[field], 0);
  const refusals = results.flatMap(({ rightly_answered_or_refused }) =>
    rightly_answered_or_refused === undefined ? [] : [rightly_answered_or_refused ? 1 : 0],
  );
  return {
    hit_rate: mean(getValues("hit")),
    ndcg: mean(getValues("ndcg")),
    mrr: mean(getValues("reciprocal_rank")),
    ...(checks.length > 0 && {
      exact_citations: sum("exact") / sum("cited"),
      right_citations: sum("right") / sum("cited"),
      right_refusals: mean(refusals),
    }),
  };
}
