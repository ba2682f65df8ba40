import { fold, splitWords, unspacedScript } from "@agent-backends/language";
import { buildWordPattern, lazy } from "../languages/index.ts";
import { getWordWeight } from "../text/common-words.ts";
import { isUnanalysed } from "../text/function-words.ts";
import type { AnswerType } from "./answer-types.ts";
import { asksExistence, asksYesOrNo } from "./answer-types.ts";
import { findAnswerBelowQuestion } from "./asked-questions.ts";
import type { Chunk } from "./chunks.ts";
import type { Measured } from "./features.ts";
import { measure, unknown } from "./features.ts";
import type { Model, Scored } from "./model.ts";
import { describeBest, score } from "./model.ts";
import { isAboutRow, NamedRows } from "./named-rows.ts";
import type { AskedWord } from "./question.ts";
import { lightWeight, readQuestion } from "./question.ts";
import { isQuotedWith, quote } from "./quote.ts";
import type { Candidate } from "./read-chunk.ts";
import { ReadChunk } from "./read-chunk.ts";
import { refuse } from "./refusals.ts";
import { correctTypingMistakes } from "./typing-mistakes.ts";
import { hasAnswerOfType } from "./values/answer-values.ts";
import weights from "./weights.json" with { type: "json" };

/** A question with at most this many words of its own may omit its topic. */
const maxWordsOfFollowUp = 2;
/** Weight of the words of earlier questions in a follow-up. Some of these words are about what the follow-up no longer asks for. */
const topicWeight = 0.3;
/** Maximum number of quoted places. The score of a further place may be at most `maxScoreGap` lower than the best. */
const maxPlaces = 3;
const maxScoreGap = 3;
const minWordsOfPart = 2;
/** Maximum number of words of a statement that only repeats words of the question. */
const maxRepeatedWords = 3;
/**
 * Minimum confidence of an answer. Higher limits give fewer wrong answers and fewer right ones. For short documents the limit is lower,
 * because few statements compete. For prices it is higher, because the price of something else looks just like an answer. So does any value
 * in a statement that has little of the question.
 */
const minConfidence = { few: 0.5, many: 0.58, price: 0.7, unanalysed: 0.65, thin: 0.75 };
/** A statement has little of the question if few of its words are asked for, or if another statement has more of them. */
const minDensity = 0.25;
const maxOwnLag = 0.1;
/**
 * Added to the minimum confidence for questions in these scripts. Their words are short or found inside other words, so more of them match
 * by chance.
 */
const extraOfScript = 0.06;
const scriptsOfChance = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Arabic}]/u;
/** Added to the minimum confidence if the value is only next to the statement: it may belong to something else. */
const extraBeside = 0.1;
/**
 * Minimum share of a question's weight in a statement and around it. Below it, the words occur by chance, however many there are. Chinese
 * and Japanese words are short, and are found inside other words.
 */
const minWideCover = { spaced: 0.35, unspaced: 0.45 };
/**
 * A statement is surely an answer if it has a value of the right type and this share of a question's weight, or if it has all significant
 * words: it then has all words, some of them in other forms.
 */
const minSureCover = 0.95;

/** Minimum share of the question in a statement that says whether there is something: all that such a question names is asked for. */
const minExistenceCover = 0.85;

/** Minimum share of the question that a statement without a name must have to say who did something: "The youngest player begins." */
const minRoleCover = 0.6;

/** The parts of a conversation that a question may refer to. */
export interface Conversation {
  /** The search queries. */
  context?: string;
  /** The earlier questions. */
  earlierQuestions?: readonly string[];
  /** The earlier answers. */
  earlierAnswers?: string;
}

/**
 * Answers a question by quoting the statements that most likely answer it, each with the mark `[n]` of its chunk, or says that the
 * documents don't answer it. Each part of a multi-part question is answered separately.
 */
export function answerFromChunks(text: string, chunks: readonly Chunk[], conversation: Conversation = {}): string {
  const question = completeFollowUp(text, conversation.earlierQuestions?.at(-1));
  // The search queries still contain the topic that was replaced.
  const about = question === text ? conversation : { ...conversation, context: "" };
  const found = splitParts(question).flatMap((part) => findStatements(part, chunks, about));
  if (found.length === 0) return refuse(text, chunks, conversation.earlierQuestions);
  const quotes: string[] = [];
  for (const candidate of found) {
    // A sentence that an earlier quote contains isn't quoted again.
    const next = quote(candidate, [conversation.earlierAnswers, ...quotes].join("\n"));
    if (!quotes.some((one) => one.includes(next))) quotes.push(next);
  }
  return `${quotes.join("\n\n")}\n\nSources: ${listSources(found)}`;
}

function findStatements(part: string, chunks: readonly Chunk[], conversation: Conversation): Candidate[] {
  const reading = readStatements(part, chunks, conversation);
  if ("sure" in reading) return reading.sure;
  const picked = pick(reading.statements, weights.statement);
  const confidence = picked ? toProbability(score(weights.answer, picked.features)) : 0;
  const { own = 0, near = 0, wide = 0, type = 0, windowType = 0, few = 0, isWhole = 0 } = picked?.features ?? {};
  const { density = 0, ownLead = 0 } = picked?.features ?? {};
  const isBeside = type === 0 && windowType === 1 && reading.type !== "person";
  const limits = [few ? minConfidence.few : minConfidence.many];
  if (reading.type === "money") limits.push(minConfidence.price);
  if (isUnanalysed(part)) limits.push(minConfidence.unanalysed);
  if (type !== unknown && (density < minDensity || ownLead < -maxOwnLag)) limits.push(minConfidence.thin);
  const isNear =
    reading.type === undefined && asksExistence(part)
      ? near >= minExistenceCover
      : wide >= (unspacedScript.test(part) ? minWideCover.unspaced : minWideCover.spaced);
  const extra = (isBeside ? extraBeside : 0) + (scriptsOfChance.test(part) ? extraOfScript : 0);
  const isLikely = isNear && confidence >= Math.max(...limits) + extra;
  const isSure = (own >= minSureCover || isWhole === 1) && (type > 0 || windowType === 1);
  return isLikely || isSure ? (picked?.statements ?? []) : [];
}

/**
 * Completes a follow-up: "Und die Miete?" after "Wie hoch ist die Kaution?" becomes "Wie hoch ist die Miete?" Other follow-ups stay
 * unchanged.
 */
function completeFollowUp(text: string, earlier = ""): string {
  const [, instead = ""] = followUp().exec(text) ?? [];
  const [topic, ...others] = readQuestion(earlier).words;
  if (instead === "" || topic === undefined || others.length > 0) return text;
  const written = earlier.match(/[\p{L}-]+/gu)?.find((word) => fold(word) === topic.word);
  return written === undefined ? text : earlier.replace(written, () => instead);
}

const followUp = lazy(() => {
  const and = buildWordPattern(["words.and", "words.whatAbout"]);
  return String.raw`^\W*${and}\s+${buildWordPattern(["words.declinedArticles", "words.articles"])}\s*(\p{L}[\p{L}-]+)\W*$`;
});

const toProbability = (logit: number): number => 1 / (1 + Math.exp(-logit));

/** Finds the statements that may answer a question, the table rows that it names, or the text below the same question in a document. */
export function readStatements(
  text: string,
  chunks: readonly Chunk[],
  { context = "", earlierQuestions = [], earlierAnswers = "" }: Conversation = {},
): { sure: Candidate[] } | { statements: Measured[]; type: AnswerType | undefined } {
  const own = readQuestion(text);
  const isFollowUp = own.words.length <= maxWordsOfFollowUp;
  const topic = isFollowUp ? findTopic(own.words, context) : [];
  // The search query of a question without a topic includes the earlier questions, which may show the type of the answer.
  const earlier = isFollowUp ? earlierQuestions.filter((one) => context.includes(one)) : [];
  const type = [...earlier, text].map((one) => readQuestion(one).type).findLast((one) => one !== undefined);
  const read = chunks.map((chunk) => new ReadChunk(chunk, own.language));
  const question = correctTypingMistakes({ ...own, type, words: [...own.words, ...topic] }, read);
  // Table rows named in earlier questions are no longer meant.
  const aboutRows = own.words.length > 0 ? { ...question, words: question.words.slice(0, own.words.length) } : question;
  const statements = read.flatMap((chunk) =>
    chunk.units.flatMap((_, position) => (isStatement(chunk, position) ? { chunk, position } : [])),
  );
  const table = new NamedRows(aboutRows, statements);
  const rows = table.find();
  if (rows.length > 0) return { sure: rows };
  // "And in a year?" refers to the table row that was named last.
  const earlierRows = earlier.map((one) => new NamedRows(readQuestion(one), statements).findMentioned());
  const lastRows = earlierRows.findLast(({ length }) => length > 0) ?? [];
  const meant = lastRows.filter((row) => own.words.length > 0 && isAboutRow(own, row));
  if (meant.length > 0) return { sure: meant };
  const answers = findAnswerBelowQuestion(question, read);
  if (answers.length > 0) return { sure: answers };
  // A statement that was already given is repeated only if it has a word of this question, and a value of the type asked for.
  const isFresh = ({ chunk, position }: Candidate) => {
    const one = chunk.getText(position);
    if (!earlierAnswers.includes(one)) return true;
    // "And where?" asks for more of what was just said.
    const asksOnly = own.words.length === 0;
    if (type === undefined || type === "reason" || type === "place") return asksOnly && type === "place";
    const hasWord = asksOnly || own.words.some((word) => chunk.getOwnWords(position).match(word) === 1);
    return hasWord && hasAnswerOfType(one, type, question);
  };
  // "ACME Ltd." says nothing about the capital of ACME Ltd., while "Pets allowed." does.
  const asked = new Set(splitWords(text).map(fold));
  const isRepetition = ({ chunk, position }: Candidate) => {
    const { words } = chunk.getOwnWords(position);
    return words.length <= maxRepeatedWords && words.every((word) => asked.has(word)) && !asksYesOrNo(text);
  };
  const fresh = statements.filter(
    (one) => !table.isOneOfMany(one) && !table.isOfAnother(one) && isFresh(one) && !isRepetition(one),
  );
  const measured = question.words.length === 0 ? [] : measure(question, fresh);
  // Only a number can answer "how many", and not one that counts something else. An answer has a word of the question in it or near it.
  const mayAnswer = ({
    features: { type = 0, windowType = 0, near = 0, own = 0, header = 0, counted = 0, isRow = 0 },
    isOther,
  }: Measured) => {
    const isNamed = question.type !== "person" || type > 0 || isRow > 0 || own >= minRoleCover;
    // Below a heading that names the subject of the question, any row of a table would have a value.
    const isAnyRow = isRow === 1 && own === 0 && header === 0 && question.type === "number";
    return windowType > 0 && near > 0 && (own > 0 || counted > 0) && isNamed && !isAnyRow && !isOther;
  };
  return { statements: measured.filter(mayAnswer), type };
}

/** The words of earlier questions that a follow-up omits. */
function findTopic(words: readonly AskedWord[], context: string): AskedWord[] {
  const topic = readQuestion(context).words.filter(({ word }) => !words.some((own) => own.word === word));
  // "And how much is it?" contains no topic of its own.
  if (!words.some(({ word, weight }) => Math.min(getWordWeight(word), weight) > lightWeight)) return topic;
  return topic.map((word) => ({ ...word, weight: word.weight * topicWeight }));
}

/**
 * Returns the statements that the first model ranks best, and the features by which the second model decides whether they are an answer.
 */
export function pick(measured: readonly Measured[], model: Model) {
  const scored = measured.map(({ candidate, features }): Scored<Candidate> => {
    return { item: candidate, features, score: score(model, features) };
  });
  scored.sort((one, other) => other.score - one.score);
  const [best, ...others] = scored;
  if (!best) return undefined;
  const { own = 0, heading = 0, windowType = 0 } = best.features;
  // "What does … say?" names only a heading, so the answer starts with the text below it.
  const isSection = own === 0 && heading >= minSureCover && windowType < 1;
  const item = isSection ? findSectionStart(best.item) : best.item;
  const places = [{ wanted: item, shown: item }];
  for (const { item: other, features, score } of isSection ? [] : others) {
    if (places.length === maxPlaces || best.score - score > maxScoreGap) break;
    const isShown = places.some(({ shown }) => isQuotedWith(other, shown));
    if (isShown || (features.own ?? 0) === 0) continue;
    // A quote that starts earlier replaces the sentence that it contains, which would otherwise be repeated.
    const inside = places.find(({ wanted }) => isQuotedWith(wanted, other));
    if (inside === undefined) places.push({ wanted: other, shown: other });
    else inside.shown = other;
  }
  const second = others.find((other) => !isQuotedWith(other.item, item));
  return { statements: places.map(({ shown }) => shown), features: describeBest(best, second, scored) };
}

const findSectionStart = ({ chunk, position }: Candidate): Candidate => {
  return { chunk, position: chunk.findHeading(position) + 1 };
};

/** Whether a unit can answer a question. Headings, questions and links can't. */
function isStatement(chunk: ReadChunk, position: number): boolean {
  const unit = chunk.units[position];
  if (!unit || unit.kind === "heading" || unit.kind === "header") return false;
  const text = chunk.getText(position);
  return !/(?<!:\/\/\S*)[?？؟]\W*$/.test(text) && !/^\W*\[[^\]]*\]\([^)]*\)\W*$/.test(text);
}

function listSources(found: readonly Candidate[]): string {
  const sources = new Map(found.map(({ chunk: { chunk } }) => [chunk.number, chunk]));
  const inOrder = [...sources.values()].sort((one, other) => one.number - other.number);
  const named = inOrder.map(({ number, title, source }) => {
    const name = title && source && title !== source ? `${title} (${source})` : title || source;
    return `[${number}] ${name || "untitled"}`;
  });
  return named.join("; ");
}

/** Splits "Who … and when …?" into its parts, if each part says what it is about. "By which day and which hour must …?" has one part. */
function splitParts(question: string): string[] {
  const parts = question.split(betweenParts());
  const isWhole = parts.every(
    (part) => readQuestion(part).words.length >= minWordsOfPart && !endsWithQuestionWord().test(part),
  );
  return isWhole ? parts : [question];
}

const betweenParts = lazy(
  () =>
    String.raw`(?<=[?？])\s+|,?\s+${buildWordPattern("words.and")}\s+(?=${buildWordPattern("words.openings")}\P{L})`,
);

const endsWithQuestionWord = lazy(() => String.raw`(?<!\p{L})${buildWordPattern("words.openings")}(?:\s+\p{L}+)?$`);
