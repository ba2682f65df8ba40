import { fold } from "@agent-backends/language";
import { getWordWeight } from "../text/common-words.ts";
import { hasNumberWord } from "../text/number-words.ts";
import { findCounted } from "./answer-types.ts";
import { namesAnother } from "./other-names.ts";
import type { AskedWord, Question } from "./question.ts";
import { lightWeight } from "./question.ts";
import { quote } from "./quote.ts";
import type { Candidate, TextWords } from "./read-chunk.ts";
import { hasAnswerOfType } from "./values/answer-values.ts";

/** Value of a feature that doesn't apply to the question. */
export const unknown = 0.5;
/**
 * Number of imaginary statements without the word that are added to the count: among a few statements, a word is rare or frequent by
 * chance.
 */
const priorStatements = 20;
/**
 * Maximum reduction for a word that all chunks contain, such as a company name, which doesn't show which one answers. Among few chunks, all
 * may contain a word by chance.
 */
const maxCommonness = 0.6;
const minChunks = 4;
const maxLength = 600;
const maxRank = 12;
/** Match of a compound whose parts match. */
const compoundMatch = 0.8;
/** A word with a lower match counts as missing. */
const minMatch = 0.5;
/** Maximum number of words between a number and the noun that it counts. */
const maxCountedDistance = 4;
/** Minimum number of letters of the counted noun's stem. */
const minStem = 3;

/** Input of a model: values by feature name. */
export type Features = Record<string, number>;

/** A statement with its features. */
export interface Measured {
  candidate: Candidate;
  features: Features;
  /** Whether the statement is about another name or year than the question. */
  isOther: boolean;
}

/** How well each word of the question matches a statement and its surroundings, 0…1. */
interface Match {
  candidate: Candidate;
  own: number[];
  header: number[];
  heading: number[];
  title: number[];
  /** Match with the statement, its column names, heading, title and the sentence before it. */
  near: number[];
  /** Match anywhere in the chunk. */
  wide: number[];
}

/** Measures how well statements fit a question. A word's weight depends on how rare it is among the statements. */
export function measure(question: Question, candidates: readonly Candidate[]): Measured[] {
  const matches = matchCandidates(question.words, candidates);
  const found = best(matches.map(({ wide }) => wide));
  // If the texts contain a word that may be a German name, its being a name proves nothing.
  const words = question.words.map((word, at) =>
    question.language === "de" && (found[at] ?? 0) >= minMatch ? { ...word, isName: false } : word,
  );
  const byChunk = [...Map.groupBy(matches, ({ candidate }) => candidate.chunk).values()];
  const rarity = words.map(({ word, weight }, at) => {
    const having = matches.filter(({ own }) => own[at] === 1).length;
    const chunksHaving = byChunk.filter((some) => some.some(({ wide }) => wide[at] === 1)).length;
    const commonness = byChunk.length < minChunks ? 0 : maxCommonness * (chunksHaving / byChunk.length) ** 2;
    const isRare = Math.log(1 + (matches.length + priorStatements - having) / (having + 1));
    return (1 - commonness) * Math.min(getWordWeight(word), weight) * isRare;
  });
  const total = Math.max(Number.EPSILON, sum(rarity));
  const cover = (match: readonly number[]) => sum(match.map((value, at) => value * (rarity[at] ?? 0))) / total;
  const getCover = (match: readonly number[], kind: "isName" | "isNumber" | "isKind") => {
    const chosen = words.flatMap((word, at) => (word[kind] ? [at] : []));
    return chosen.length === 0 ? 1 : sum(chosen.map((at) => match[at] ?? 0)) / chosen.length;
  };
  const worst = (match: readonly number[]) =>
    Math.max(0, ...match.map((value, at) => (1 - value) * (rarity[at] ?? 0))) / total;
  const hasAllOf = (match: readonly number[]) =>
    words.every(({ weight }, at) => weight <= lightWeight || (match[at] ?? 0) === 1);
  const countMissing = (match: readonly number[]) => match.filter((value) => value < minMatch).length;

  const bySource = Map.groupBy(matches, ({ candidate }) => candidate.chunk.chunk.source);
  const ofDocument = new Map(
    [...bySource].map(([source, some]) => [source, cover(best(some.map(({ wide }) => wide)))]),
  );
  const ofChunk = new Map(matches.map(({ candidate, wide }) => [candidate.chunk, cover(wide)]));
  const anywhere = cover(found);
  const max = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 0);
  const owns = matches.map(({ own }) => cover(own));
  const nears = matches.map(({ near }) => cover(near));
  const sums = owns.map((own, at) => own + (nears[at] ?? 0));
  const [maxOwn, maxNear, maxChunk] = [owns, nears, [...ofChunk.values()]].map(max);
  const rankedSum = sums.toSorted((one, other) => other - one);
  // A statement may refer to a person by a role in any words: "The youngest player begins."
  const minType = question.type === "person" && !words.some(({ isAttribute }) => isAttribute) ? unknown : 0;
  const hasType = (text: string) => {
    const { type } = question;
    return type === undefined || type === "place" || type === "reason"
      ? unknown
      : Number(hasAnswerOfType(text, type, question));
  };

  const counted = findCounted(question.text)?.split(" ");
  const years = words.map(({ word }) => word).filter((word) => /^(?:19|20)\d\d$/.test(word));

  return matches.map((match, at): Measured => {
    const { candidate, own, near, wide } = match;
    const { chunk, position } = candidate;
    const unit = chunk.units[position];
    const text = chunk.getText(position);
    const next =
      unit?.kind !== "row" && chunk.units[position + 1]?.kind === unit?.kind ? chunk.getText(position + 1) : "";
    const isPrice = question.type === "money" && chunk.hasPrice(position);
    const ownType = isPrice ? 1 : hasType(text);
    // The items of a changelog or a calendar are listed under a version or a date.
    const isDated = (question.type === "time" || question.type === "version") && ownType === 0 && unit?.kind === "item";
    const needsHeading = isDated && hasType(chunk.getHeading(position)) === 1;
    const type = needsHeading ? 1 : ownType;
    const isIntroduction = /[:：]$/.test(text);
    // A number in the next sentence counts only if it counts what the question asks for.
    const matchNext = (word: AskedWord) => chunk.getOwnWords(position + 1).match(word);
    const isOther = isCounted(next, question, counted) === 0 || namesAnother(question, next, matchNext);
    const around = isIntroduction ? quote(candidate) : isOther ? text : `${text} ${next}`;
    const windowType = Math.max(type, hasType(around), minType);
    const features = {
      own: owns[at] ?? 0,
      near: nears[at] ?? 0,
      wide: cover(wide),
      document: ofDocument.get(chunk.chunk.source) ?? 0,
      anywhere,
      header: cover(match.header),
      heading: cover(match.heading),
      title: cover(match.title),
      namesNear: getCover(near, "isName"),
      namesWide: getCover(wide, "isName"),
      numbersNear: getCover(near, "isNumber"),
      numbersWide: getCover(wide, "isNumber"),
      kind: getCover(own, "isKind"),
      counted: isCounted(text, question, counted),
      missingNames: words.filter(({ isName, isNumber }, at) => (isName || isNumber) && (wide[at] ?? 0) === 0).length,
      worstNear: worst(near),
      worstWide: worst(wide),
      missingNear: countMissing(near),
      missingWide: countMissing(wide),
      isWhole: Number(hasAllOf(near)),
      evidenceOwn: Math.sqrt((owns[at] ?? 0) * total),
      evidenceNear: Math.sqrt((nears[at] ?? 0) * total),
      density: Math.min(1, sum(own) / Math.max(1, Math.sqrt(chunk.getOwnWords(position).words.length))),
      ownLead: (owns[at] ?? 0) - (maxOwn ?? 0),
      nearLead: (nears[at] ?? 0) - (maxNear ?? 0),
      rankBySum: Math.min(maxRank, rankedSum.indexOf(sums[at] ?? 0)),
      chunkLead: (ofChunk.get(chunk) ?? 0) - (maxChunk ?? 0),
      type,
      windowType,
      isRow: Number(unit?.kind === "row"),
      length: Math.min(text.length, maxLength) / maxLength,
      isSameLanguage: Number(chunk.language === question.language),
    };
    // The sentence before may contain both names.
    const isOtherName = namesAnother(question, text, (word) => {
      const at = question.words.indexOf(word);
      return Math.max(own[at] ?? 0, match.heading[at] ?? 0, match.header[at] ?? 0);
    });
    const isOtherYear = years.some((year) => !mentionsYear(year, bySource.get(chunk.chunk.source) ?? [], text));
    return { candidate: { ...candidate, needsHeading }, features, isOther: isOtherName || isOtherYear };
  });
}

/** Whether a document mentions a year in the chunks that were found, or in its name, or the statement has its last digits: "deaths_85_99". */
function mentionsYear(year: string, ofDocument: readonly Match[], statement: string): boolean {
  if (new RegExp(`(?<!\\d)${year.slice(2)}(?!\\d)`).test(statement)) return true;
  const chunks = new Set(ofDocument.map(({ candidate }) => candidate.chunk.chunk));
  return [...chunks].some(({ content, heading, title, source }) =>
    [content, heading, title, source].some((text) => text.includes(year)),
  );
}

/** Whether a text has a number near the noun that "how many" asks for: "46 guests", "seven of the eight lanes", "Places: 14". */
function isCounted(text: string, { words, language }: Question, counted: readonly string[] | undefined): number {
  const kinds = words.filter(({ word }) => counted?.includes(word));
  if (kinds.length === 0) return unknown;
  const stems = kinds.map(({ word }) => word.slice(0, Math.max(minStem, word.length - 2)));
  const tokens = text.toLowerCase().split(/\s+/);
  return Number(
    tokens.some((token, at) => {
      if (!/\p{N}/u.test(token) && !hasNumberWord(token, language)) return false;
      const near = fold(tokens.slice(Math.max(0, at - maxCountedDistance), at + 1 + maxCountedDistance).join(" "));
      return stems.some((stem) => near.includes(stem));
    }),
  );
}

function matchCandidates(words: readonly AskedWord[], candidates: readonly Candidate[]): Match[] {
  const wordsAndParts = [...words, ...words.flatMap(({ parts }) => parts)];
  const matched = new Map<TextWords, number[]>();
  const matchText = (text: TextWords): number[] => {
    const known = matched.get(text) ?? wordsAndParts.map((word) => text.match(word));
    matched.set(text, known);
    return known;
  };
  /** Several texts together contain a compound if each of its parts is in one of them. */
  const match = (...texts: TextWords[]): number[] => {
    const found = best(texts.map(matchText));
    let next = words.length;
    return words.map(({ parts }, at) => {
      const ofParts = found.slice(next, next + parts.length);
      next += parts.length;
      const ofCompound = parts.length === 0 ? 0 : compoundMatch * Math.min(...ofParts);
      return Math.max(found[at] ?? 0, ofCompound);
    });
  };
  return candidates.map((candidate) => {
    const { chunk, position } = candidate;
    const own = chunk.getOwnWords(position);
    const { header, heading, intro, before, title, chunk: whole } = chunk.getSurroundings(position);
    const near = [own, header, heading, intro, before, title];
    return {
      candidate,
      own: match(own),
      header: match(header),
      heading: match(heading),
      title: match(title),
      near: match(...near),
      wide: match(...near, whole),
    };
  });
}

/** The best match of each word. */
const best = (matches: readonly number[][]): number[] =>
  (matches[0] ?? []).map((_, at) => matches.reduce((most, match) => Math.max(most, match[at] ?? 0), 0));

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
