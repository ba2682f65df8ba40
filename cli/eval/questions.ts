import { readFile } from "node:fs/promises";
import { UsageError } from "../command.ts";

/** A line of the question file: a question, and how to recognise its answer. */
export interface Question {
  question: string;
  /**
   * The sources that answer the question, or their last path segments: `guide/returns.md`. An empty list means that nothing answers it, and
   * the answer has to say so.
   */
  sources?: string[];
  /** Words that the relevant chunk contains. */
  quote?: string;
}

/** @throws UsageError that names the first invalid line */
export async function readQuestions(path: string): Promise<Question[]> {
  const lines = (await readFile(path, "utf8")).split("\n");
  const questions = lines.flatMap((line, index) =>
    line.trim() === "" ? [] : [parseQuestion(line, `${path}:${index + 1}`)],
  );
  if (questions.length === 0) throw new UsageError(`${path} has no questions; each line is a JSON object.`);
  return questions;
}

function parseQuestion(line: string, place: string): Question {
  const refuse = (what: string): never => {
    const example = '{"question": "When are refunds paid?", "sources": ["returns.md"], "quote": "5 working days"}';
    throw new UsageError(`${place} ${what}; use for example ${example}.`);
  };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    refuse("is not JSON");
  }
  const { question, sources, quote } = (value ?? {}) as Partial<Question>;
  const isText = (text: unknown) => typeof text === "string" && text.trim() !== "";
  const hasSources = sources === undefined || (Array.isArray(sources) && sources.every(isText));
  const hasQuote = quote === undefined || isText(quote);
  if (!isText(question)) refuse('has no text as "question"');
  if (!hasSources || !hasQuote) refuse(`has a wrong ${hasSources ? "quote" : "list of sources"}`);
  if ((sources ?? quote) === undefined) refuse('says with neither "sources" nor "quote" what answers its question');
  return { question: question as string, ...(sources && { sources }), ...(quote !== undefined && { quote }) };
}

const normalise = (text: string) => text.normalize("NFKC").replace(/\s+/g, " ").toLowerCase();

/** The expected source that matches this one, in full or by its last path segments. */
export function findExpected(source: string, { sources = [] }: Question): string | undefined {
  return sources.find((expected) => source === expected || `/${source.replace(/^\w+:/, "")}`.endsWith(`/${expected}`));
}

/** The part of the expected answer that a chunk covers: an expected source, or the quote. Undefined if the chunk is irrelevant. */
export function findRelevance(
  question: Question,
  { source, content }: { source: string; content: string },
): string | undefined {
  if (question.quote !== undefined && !normalise(content).includes(normalise(question.quote))) return undefined;
  return question.sources === undefined ? question.quote : findExpected(source, question);
}

/** Hit, reciprocal rank and nDCG of one ranking. Only the first result for each expected source or quote counts. */
export function rate(question: Question, ranking: readonly { source: string; content: string }[]) {
  const seen = new Set<string>();
  const gains = ranking.map((result) => {
    const relevance = findRelevance(question, result);
    if (relevance === undefined || seen.has(relevance)) return 0;
    seen.add(relevance);
    return 1;
  });
  const discount = (sum: number, gain: number, rank: number) => sum + gain / Math.log2(rank + 2);
  const wanted = question.sources?.length ?? 1;
  const ideal = Array.from({ length: Math.min(wanted, Math.max(ranking.length, 1)) }, () => 1).reduce(discount, 0);
  const first = gains.indexOf(1);
  return {
    hit: first >= 0 ? 1 : 0,
    reciprocalRank: first >= 0 ? 1 / (first + 1) : 0,
    ndcg: gains.reduce<number>(discount, 0) / ideal,
  };
}
