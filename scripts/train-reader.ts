// npm run train:reader <folder…>
// Continues training the offline provider's reader on folders with docs/ and questions.jsonl (fields: scripts/reader/questions.ts), and on
// the short examples of scripts/reader/examples.ts. Prints the results of the current weights, and of weights trained without the
// question's documents (cross-validation). Writes new weights if these are better.
import { writeFileSync } from "node:fs";
import weights from "../packages/llm/offline/reader/weights.json" with { type: "json" };
import { startTestedService } from "./documents/service.ts";
import type { ReaderCase } from "./reader/cases.ts";
import { collectChunks, toCase } from "./reader/cases.ts";
import { examples } from "./reader/examples.ts";
import { ingestDocuments, readQuestions } from "./reader/questions.ts";
import type { Outcome } from "./reader/train.ts";
import { answerAll, crossValidate, train } from "./reader/train.ts";

const exampleWeight = 1;
const shownConfidences = [0.5, 0.6, 0.65, 0.7, 0.75];
const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error("usage: npm run train:reader <folder…>");
  process.exit(2);
}

const cases: ReaderCase[] = [];
const service = await startTestedService({ RATE_LIMIT_PER_ADDRESS: "0" });
try {
  for (const [position, folder] of folders.entries()) {
    const namespace = `training${position}`;
    await ingestDocuments(service, folder, namespace);
    const questions = readQuestions(folder).filter(({ cross }) => !cross);
    const chunks = await collectChunks(service, namespace, questions);
    cases.push(...questions.flatMap((question, at) => toCase(question, chunks[at] ?? [], { group: folder }) ?? []));
  }
} finally {
  await service.end();
}
const short = examples.flatMap(([question, chunks]) => toCase(question, chunks, { weight: exampleWeight }) ?? []);
const present = answerAll(cases, weights);
const trained = crossValidate([...cases, ...short], weights).filter((outcome) => cases.includes(outcome.case));
for (const [name, outcomes] of Object.entries({ present, trained })) {
  console.log(`${name} weights, log loss ${getLogLoss(outcomes).toFixed(3)}`);
  for (const confidence of shownConfidences) console.log(describe(outcomes, confidence));
}
if (getLogLoss(trained) < getLogLoss(present)) {
  writeFileSync(
    new URL("../packages/llm/offline/reader/weights.json", import.meta.url),
    `${JSON.stringify(train([...cases, ...short], weights), null, 2)}\n`,
  );
  console.log("wrote the trained weights");
}

function getLogLoss(some: readonly Outcome[]): number {
  const losses = some.map(({ confidence, isRight }) => Math.log1p(Math.exp(isRight ? -confidence : confidence)));
  return losses.reduce((total, loss) => total + loss, 0) / losses.length;
}

function describe(some: readonly Outcome[], confidence: number): string {
  const isAnswered = (outcome: Outcome) => 1 / (1 + Math.exp(-outcome.confidence)) >= confidence;
  const answerable = some.filter((outcome) => outcome.case.question.answerable);
  const answered = answerable.filter(isAnswered);
  const right = answered.filter(({ isRight }) => isRight).length;
  const others = some.filter((outcome) => !outcome.case.question.answerable);
  const counts = `right ${right}, wrong ${answered.length - right} of ${answerable.length}`;
  return `confidence ${confidence}: ${counts}; unanswerable answered ${others.filter(isAnswered).length} of ${others.length}`;
}
