import { splitWords } from "@agent-backends/language";
import { readStatements } from "../../packages/llm/offline/reader/answer.ts";
import type { Chunk } from "../../packages/llm/offline/reader/chunks.ts";
import { readChunks } from "../../packages/llm/offline/reader/chunks.ts";
import type { Measured } from "../../packages/llm/offline/reader/features.ts";
import { quote } from "../../packages/llm/offline/reader/quote.ts";
import type { Candidate } from "../../packages/llm/offline/reader/read-chunk.ts";
import type { TestedService } from "../documents/service.ts";
import type { LabelledQuestion } from "./questions.ts";
import { hasAnswer, simplify } from "./questions.ts";

/** Minimum share of words that a statement must share with the labelled passage. Other statements may also contain the answer. */
const minSharedWords = 0.4;
/** Maximum number of statements per question. Further statements are about other subjects and teach nothing. */
const maxStatements = 60;

/** A question with the statements of the chunks found for it. */
export interface ReaderCase {
  question: LabelledQuestion;
  statements: Measured[];
  /** For each statement, whether it is one to choose. */
  isLabelled: boolean[];
  weight: number;
  /** Questions of a group are about the same documents. */
  group: string;
  /** Whether quoting the statement answers the question. */
  isRight(candidate: Candidate): boolean;
}

/** The chunks that the librarian passes to the model for each question. */
export async function collectChunks(
  { client }: TestedService,
  namespace: string,
  questions: readonly LabelledQuestion[],
): Promise<Chunk[][]> {
  const found: Chunk[][] = [];
  for (const { question } of questions) {
    const messages = [{ role: "user" as const, content: question }];
    for await (const event of client.stream({ namespaces: [namespace], include_tool_events: true, messages })) {
      if (event.type !== "tool_result") continue;
      found.push(readChunks([JSON.stringify(event.result)]));
      break;
    }
  }
  return found;
}

/** Builds a case. Undefined for a question that names table rows, which are quoted without a model. */
export function toCase(
  question: LabelledQuestion,
  chunks: readonly Chunk[],
  { weight = 1, group = question.id } = {},
): ReaderCase | undefined {
  const reading = readStatements(question.question, chunks);
  if ("sure" in reading) return undefined;
  const statements = reading.statements
    .toSorted((one, other) => similarity(other) - similarity(one))
    .slice(0, maxStatements);
  const isRight = (candidate: Candidate) =>
    question.answerable && isFrom(question, candidate) && hasAnswer(quote(candidate), question.answer);
  return { question, statements, isLabelled: label(question, statements, isRight), weight, group, isRight };
}

const similarity = ({ features: { own = 0, near = 0 } }: Measured): number => own + near;

/**
 * Marks the statements of the labelled passage that answer by themselves. If there are none, marks statements of the passage whose quotes
 * contain the answer, or else any whose quotes do.
 */
function label(
  question: LabelledQuestion,
  statements: readonly Measured[],
  isRight: (candidate: Candidate) => boolean,
): boolean[] {
  const passage = new Set(splitWords(question.passage));
  const isInPassage = ({ chunk, position }: Candidate) => {
    const words = splitWords(chunk.getText(position));
    const shared = words.filter((word) => passage.has(word)).length;
    return passage.size === 0 || shared >= minSharedWords * Math.min(words.length, passage.size);
  };
  const isAlone = ({ chunk, position }: Candidate) => hasAnswer(chunk.getText(position), question.answer);
  const rules = [
    (one: Candidate) => isRight(one) && isAlone(one) && isInPassage(one),
    (one: Candidate) => isRight(one) && isInPassage(one),
    isRight,
  ];
  const labels = rules.map((rule) => statements.map(({ candidate }) => rule(candidate)));
  return labels.find((some) => some.includes(true)) ?? statements.map(() => false);
}

function isFrom({ documents }: LabelledQuestion, { chunk: { chunk } }: Candidate): boolean {
  const names = [chunk.source.replace(/^file:/, ""), chunk.title].map(simplify);
  return documents.some((file) => names.includes(simplify(file)));
}
