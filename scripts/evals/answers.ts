// npm run eval:answers -- <folder>
// The folder holds docs/ and questions.jsonl: {id, question, language, answerable, documents?: file names, answer?: a list of groups,
// place?: {page?, slide?, sheet?, heading?}}. An answer is right if it has one text of each group and cites one of the documents.
// Ingests the files, asks the questions with the offline provider, and prints the quality of the answers for each language.
import type { Citation } from "@agent-backends/client";
import { startTestedService } from "../documents/service.ts";
import { requireArgument } from "../json-lines.ts";
import type { LabelledQuestion } from "../reader/questions.ts";
import { hasAnswer, ingestDocuments, readQuestions, simplify } from "../reader/questions.ts";

type Verdict = "right" | "wrong" | "refused" | "answered" | "rightly refused";

const namespace = "evaluation";
const folder = requireArgument("npm run eval:answers -- <folder with docs/ and questions.jsonl>");
const questions = readQuestions(folder);
const service = await startTestedService({ RATE_LIMIT_PER_ADDRESS: "0" });
const texts = new Map<string, Promise<string>>();
const rows: { question: LabelledQuestion; verdict: Verdict; isPlaceRight?: boolean; quotes: number; exact: number }[] =
  [];

try {
  await ingestDocuments(service, folder, namespace);
  for (const question of questions) {
    const messages = [{ role: "user" as const, content: question.question }];
    const { content, citations } = await service.client.generate({ namespace, messages });
    const verdict = judge(question, content, citations);
    const cited = citations.filter((citation) => isFrom(question, citation));
    const isExact = await Promise.all(
      citations.map(async ({ document_id, start, end, quote }) => {
        return (await readText(document_id)).slice(start, end) === quote;
      }),
    );
    const exact = isExact.filter(Boolean).length;
    const { place } = question;
    const isPlaceRight = place && cited.some((citation) => isAt(place, citation));
    const checksPlace = verdict === "right" && isPlaceRight !== undefined;
    rows.push({ question, verdict, quotes: citations.length, exact, ...(checksPlace && { isPlaceRight }) });
    if (verdict === "wrong" || verdict === "answered") console.log(`${verdict}: ${question.id} ${question.question}`);
  }
  report();
} finally {
  await service.end();
}

/** An answer that cites nothing is a refusal. */
function judge(question: LabelledQuestion, content: string, citations: readonly Citation[]): Verdict {
  if (citations.length === 0) return question.answerable ? "refused" : "rightly refused";
  if (!question.answerable) return "answered";
  const isComplete = hasAnswer(content, question.answer);
  return isComplete && citations.some((citation) => isFrom(question, citation)) ? "right" : "wrong";
}

function isFrom({ documents }: LabelledQuestion, { source }: Citation): boolean {
  return documents.some((file) => source === `file:${file}`);
}

function isAt({ heading, ...place }: NonNullable<LabelledQuestion["place"]>, citation: Citation): boolean {
  const isInSection = heading === undefined || simplify(citation.heading ?? "").includes(simplify(heading));
  const numbers = Object.entries(place) as [keyof typeof place, unknown][];
  return isInSection && numbers.every(([name, value]) => citation[name] === value);
}

function readText(id: string): Promise<string> {
  const text = texts.get(id) ?? service.client.getDocument(namespace, id).then((document) => document.text);
  texts.set(id, text);
  return text;
}

function report(): void {
  const count = (some: typeof rows, verdict: Verdict) => some.filter((row) => row.verdict === verdict).length;
  const languages = [...new Set(questions.map(({ language }) => language))].sort();
  for (const language of [...languages, undefined]) {
    const some = rows.filter(({ question }) => language === undefined || question.language === language);
    const answerable = some.filter(({ question }) => question.answerable).length;
    const verdicts = (["right", "wrong", "refused"] as const).map((verdict) => `${verdict} ${count(some, verdict)}`);
    const answered = `unanswerable answered ${count(some, "answered")} of ${some.length - answerable}`;
    console.log(`${(language ?? "all").padEnd(4)} ${verdicts.join(", ")} of ${answerable}; ${answered}`);
  }
  const placed = rows.filter(({ isPlaceRight }) => isPlaceRight !== undefined);
  const sum = (name: "quotes" | "exact") => rows.reduce((total, row) => total + row[name], 0);
  console.log(`place right ${placed.filter(({ isPlaceRight }) => isPlaceRight).length} of ${placed.length}`);
  console.log(`quotes exact ${sum("exact")} of ${sum("quotes")}`);
}
