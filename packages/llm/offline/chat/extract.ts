import { hasAnswerOfType } from "./answer-types.ts";
import type { Chunk } from "./chunks.ts";
import { isConfident, sum } from "./confidence.ts";
import type { Candidate } from "./evidence.ts";
import { ReadChunk } from "./evidence.ts";
import { NamedRows } from "./named-rows.ts";
import type { AskedWord, Question } from "./question.ts";
import { readQuestion } from "./question.ts";
import { quote } from "./quote.ts";
import { refuse } from "./refusals.ts";

/** Minimum average match of the question's names and numbers. A row is only about what it names. A line of a form is about the whole form. */
const minKeyCoverage = { row: 0.6, line: 0.3, sentence: 0.45 };
/** Minimum share of the words of the conversation that a question with few words of its own refers to. */
const minTopicCoverage = 0.5;
/**
 * An amount doesn't answer a question with at most this many specific words if one of them is missing: "How much may dinner cost?"
 * Other questions are answered in other words more often, and need one of theirs.
 */
const maxSpecificOfShort = 2;
/** Minimum match of what a question counts. "How many sick days …?" isn't answered by a number of other days. */
const minCountedMatch = 0.3;
/** Minimum total weight of the words of a question with its own topic. "And how much is it?" has less. */
const minOwnWeight = 1;
const topicWeight = 0.25;
const kindRankWeight = 1.2;
const typeBonus = 0.15;
/** Digits answer how much, how many and when more often than words do. */
const digitBonus = 0.15;
const firstOfSectionBonus = 0.08;
/** A line that isn't a sentence is often a title. */
const linePenalty = 0.1;
const rankBonus = 0.05;
/** Applies to statements that an earlier answer quoted. */
const repeatedFactor = 0.4;
/** A second quote needs this share of the first one's score. */
const minShareOfBest = 0.9;
const maxQuotes = 2;
const minWordsOfPart = 2;
/** Minimum match of every word for a statement that contains none of them itself. */
const minMatchWithoutWord = 0.75;

/**
 * Answers a question by quoting the statements of the chunks that cover its words, each with the mark `[n]` of its chunk, or says
 * that the documents do not answer. Each part of a question with several parts is answered by itself.
 *
 * @param options.context the search queries, for what the question leaves out
 * @param options.said earlier answers, whose sentences count less
 */
export function extractAnswer(
  text: string,
  chunks: Chunk[],
  { context = "", said = "" }: { context?: string; said?: string } = {},
): string {
  const whole = readQuestion(text);
  const read = chunks.map((chunk, rank) => new ReadChunk(chunk, rank, whole.language));
  const topic = readQuestion(context).words.filter(({ word }) => !whole.words.some((own) => own.word === word));
  const answerPart = (part: string) =>
    findQuotes({ ...readQuestion(part), language: whole.language }, read, { topic, said });
  const found = splitParts(text).flatMap(answerPart);
  if (found.length === 0) return refuse(text, whole.language);
  const quotes = new Set(found.map((candidate) => quote(candidate, said)));
  return `${[...quotes].join("\n\n")}\n\nSources: ${listSources(found)}`;
}

function listSources(found: readonly Candidate[]): string {
  const sources = new Map(found.map(({ chunk: { chunk } }) => [chunk.number, chunk]));
  const named = [...sources.values()].map(({ number, title, source }) => {
    const name = title && source && title !== source ? `${title} (${source})` : title || source;
    return `[${number}] ${name || "untitled"}`;
  });
  return named.join("; ");
}

/** The parts of "Who … and when …?", if each says what it is about. */
function splitParts(question: string): string[] {
  const parts = question.split(
    /(?<=[?？])\s+|,?\s+(?:and|und|et|y|e|en|и)\s+(?=(?:who|when|where|what|how|which|why|wer|wann|wo|was|wie|welche\w*|warum|qui|quand|où|combien|quel\w*|quién|cuándo|dónde|cuánt\w*|chi|dove|quant\w*|quem|wie|wanneer|waar|кто|когда|где)\P{L})/iu,
  );
  const isWhole = parts.every((part) => readQuestion(part).words.length >= minWordsOfPart);
  return isWhole ? parts : [question];
}

interface Scope {
  topic: readonly AskedWord[];
  said: string;
}

/** The best statements for a question, best first; none if no statement answers it. */
function findQuotes(question: Question, chunks: readonly ReadChunk[], { topic, said }: Scope): Candidate[] {
  const isFollowUp = sum(question.words.map(({ weight }) => weight)) < minOwnWeight && topic.length > 0;
  const statements = chunks.flatMap((chunk) =>
    chunk.units.flatMap((_, position) => (isStatement(chunk, position) ? { chunk, position } : [])),
  );
  const rows = new NamedRows(question, statements);
  const named = rows.find();
  if (named.length > 0) return named;
  const candidates = statements.filter((statement) => !rows.isOneOfMany(statement));
  const rarity = measureRarity([...question.words, ...topic], candidates);
  const asked = { ...question, words: isFollowUp ? [...question.words, ...topic] : question.words };
  const scored = candidates.flatMap((candidate) => {
    if (!isAnswer(candidate, question, isFollowUp ? topic : [])) return [];
    const fit = scoreCandidate(candidate, question, topic, rarity);
    const isRepeated = said.includes(candidate.chunk.getText(candidate.position));
    return { candidate, score: isRepeated ? repeatedFactor * fit : fit };
  });
  scored.sort((one, other) => other.score - one.score);
  const [best, ...others] = scored;
  if (!best) return [];
  const elsewhere = others.filter(({ candidate }) => !isSamePlace(candidate, best.candidate));
  const lead = best.score - (elsewhere[0]?.score ?? 0);
  if (!isConfident(best.candidate, asked, lead)) return [];
  const further = elsewhere.filter(({ score }) => score >= minShareOfBest * best.score);
  return [best, ...further].slice(0, maxQuotes).map(({ candidate }) => candidate);
}

const isSamePlace = (one: Candidate, other: Candidate): boolean =>
  one.chunk === other.chunk && Math.abs(one.position - other.position) < 3;

/** Whether a unit can answer a question. Headings, questions and links can't. */
function isStatement(chunk: ReadChunk, position: number): boolean {
  const unit = chunk.units[position];
  if (!unit || unit.kind === "heading" || unit.kind === "header") return false;
  const text = chunk.getText(position);
  return !/[?？؟]\W*$/.test(text) && !/^\W*\[[^\]]*\]\([^)]*\)\W*$/.test(text);
}

/** Whether a statement is about what the question names, and has a value of the type that it asks for. */
function isAnswer(
  candidate: Candidate,
  { text, language, words, type }: Question,
  topic: readonly AskedWord[],
): boolean {
  const { chunk, position } = candidate;
  const keys = words.filter(({ isKey }) => isKey);
  if (words.length === 0 && topic.length === 0) return false;
  if (keys.some((word) => chunk.match(word, position) === 0)) return false;
  if (keys.length > 0 && measureCoverage(candidate, keys) < minKeyCoverage[getForm(candidate)]) return false;
  if (words.some((word) => word.isCounted && chunk.match(word, position) < minCountedMatch)) return false;
  if (topic.length > 0 && measureCoverage(candidate, topic) < minTopicCoverage) return false;
  const specific = words.filter(({ weight, isKey }) => weight >= 1 && !isKey);
  const missing = specific.filter((word) => chunk.match(word, position) === 0);
  const isShort = specific.length <= maxSpecificOfShort;
  const asksAmount = type === "number" || type === "money" || type === "duration";
  if (isShort && missing.length > 0 && (asksAmount || missing.length === specific.length)) return false;
  const all = [...words, ...topic];
  const matches = all.map((word) => chunk.match(word, position));
  const isAbout = matches.includes(1) || matches.every((match) => match >= minMatchWithoutWord);
  if (!isAbout) return false;
  const context = [position, position + 1].map((at) => chunk.getText(at)).join(" ");
  return (
    type === undefined ||
    hasAnswerOfType(/[:：]$/.test(chunk.getText(position)) ? quote(candidate, "") : context, type, { text, language })
  );
}

function getForm({ chunk, position }: Candidate): "row" | "line" | "sentence" {
  if (chunk.units[position]?.kind === "row") return "row";
  return /[.!?。！？…:：]["”»)\]]*$/.test(chunk.getText(position)) ? "sentence" : "line";
}

function measureCoverage({ chunk, position }: Candidate, words: readonly AskedWord[]): number {
  const covered = sum(words.map((word) => word.weight * chunk.match(word, position)));
  return covered / sum(words.map(({ weight }) => weight));
}

/** The rarity of each word among the statements (idf of Robertson and Spärck Jones). */
function measureRarity(words: readonly AskedWord[], candidates: readonly Candidate[]): Map<string, number> {
  return new Map(
    words.map((asked) => {
      const having = candidates.filter(({ chunk, position }) => chunk.match(asked, position) === 1).length;
      return [asked.word, Math.log(1 + (candidates.length - having + 0.5) / (having + 0.5))];
    }),
  );
}

function scoreCandidate(
  { chunk, position }: Candidate,
  { text, language, words, type }: Question,
  topic: readonly AskedWord[],
  rarity: ReadonlyMap<string, number>,
): number {
  let covered = 0;
  let total = 0;
  for (const [asked, factor] of [
    ...words.map((one) => [one, 1] as const),
    ...topic.map((one) => [one, topicWeight] as const),
  ]) {
    const weight = factor * (asked.isKind ? kindRankWeight : asked.weight) * (rarity.get(asked.word) ?? 1);
    covered += weight * chunk.match(asked, position);
    total += weight;
  }
  const statement = chunk.getText(position);
  const isFirst = chunk.findHeading(position) === position - 1;
  return (
    covered / Math.max(total, Number.EPSILON) +
    (type !== undefined && hasAnswerOfType(statement, type, { text, language }) ? typeBonus : 0) +
    (type !== undefined && type !== "person" && /\p{Nd}/u.test(statement) ? digitBonus : 0) +
    (getForm({ chunk, position }) === "line" && chunk.units[position]?.kind === "sentence" ? -linePenalty : 0) +
    (isFirst ? firstOfSectionBonus : 0) +
    rankBonus / (1 + chunk.rank)
  );
}
