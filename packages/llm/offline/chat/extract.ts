import { fold, splitPairs, splitWords } from "@agent-backends/language";
import { wordWeight } from "../text/common-words.ts";
import { stem } from "../text/stem.ts";
import type { Chunk } from "./chunks.ts";
import { splitSentences } from "./sentences.ts";

/** `[0]` cites no chunk. */
export const NOT_ANSWERED = "[0] The documents do not answer this question.";

const maxSentences = 3;
const maxSentenceCharacters = 400;
/**
 * The minimum share of the question's terms, by weight, that the best sentence contains. Rarity is left out: among a few
 * sentences every missing word looks rare, and would outweigh the word that the sentence is about.
 */
const minCoverage = 0.33;
/** A further sentence needs this share of the best one's score. */
const minShareOfBest = 0.5;
/** The weight of a term that occurs in the search query but not in the question. */
const contextWeight = 0.25;
/** A question whose terms weigh less has no topic of its own, such as "And how much is it?" */
const minTopicWeight = 0.9;
/** The weight of a sentence that an earlier answer quoted. */
const repeatedWeight = 0.4;
/** The weight of a pair of Hiragana, which mostly carries grammar. */
const grammarWeight = 0.2;

/** The weight of a term that occurs only in the chunk's title or heading. */
const titleWeight = 0.5;

/** Words that only ask, as in "What does the handbook say?" No chunk has to contain them. */
const askingTerms = contentTerms(
  "say says said tell tells contain contains describe describes explain explains mention mentions steht sagt enthält beschreibt erklärt dice dicen explica contiene dit contient explique dicono spiega zegt staat bevat",
);

interface Candidate {
  sentence: string;
  chunk: Chunk;
  terms: ReadonlyMap<string, number>;
  context: ReadonlySet<string>;
  /** Multiplies its score, 0 to 1. */
  weight: number;
}

/**
 * Answers a question with one to three sentences of the chunks, each with the mark `[n]` of its chunk, and the list of
 * these sources, or says that the documents do not answer. A sentence scores by the question's terms that it contains,
 * weighted by their rarity among the sentences (idf of Robertson and Spärck Jones).
 *
 * @param options.context the search queries, for what the question leaves out
 * @param options.said earlier answers, whose sentences score lower
 */
export function extractAnswer(
  question: string,
  chunks: Chunk[],
  { context = "", said = "" }: { context?: string; said?: string } = {},
): string {
  const own = withoutAskingTerms(contentTerms(question));
  const left = new Map([...contentTerms(context)].filter(([term]) => !own.has(term)));
  const asked = new Map([...own, ...[...left].map(([term, weight]) => [term, contextWeight * weight] as const)]);
  const isAbout = (candidate: Candidate) =>
    Math.max(coverage(candidate, own), coverage(candidate, asked)) >= minCoverage ||
    (sum(own.values()) < minTopicWeight && coverage(candidate, left) >= minCoverage);
  const all = chunks.flatMap(toCandidates);
  const candidates = all.map((candidate) => ({
    ...candidate,
    weight: said.includes(candidate.sentence) ? repeatedWeight : 1,
  }));
  const isFollowUp = left.size > 0;
  const chosen = isFollowUp
    ? choose(candidates.filter(isAbout), weigh(asked, all), (next) => coverage(next, own) > 0)
    : choose(all, weigh(asked, all), () => true);
  return chosen[0] && isAbout(chosen[0]) ? write(chosen) : NOT_ANSWERED;
}

/** The terms of a question without those that only ask, unless there are no others. */
function withoutAskingTerms(terms: Map<string, number>): Map<string, number> {
  const others = new Map([...terms].filter(([term]) => !askingTerms.has(term)));
  return others.size > 0 ? others : terms;
}

/** Selects the sentences that cover the most terms together, best first. `isFurther` tells which may follow the first. */
function choose(
  candidates: Candidate[],
  weights: ReadonlyMap<string, number>,
  isFurther: (candidate: Candidate) => boolean,
): Candidate[] {
  const chosen: Candidate[] = [];
  const covered = new Set<string>();
  let best = 0;
  while (chosen.length < maxSentences) {
    const [next, score] = strongest(candidates, chosen, covered, weights);
    if (!next || score === 0) break;
    if (chosen.length > 0 && (score < minShareOfBest * best || !isFurther(next))) break;
    best ||= score;
    chosen.push(next);
    for (const term of next.terms.keys()) covered.add(term);
  }
  return chosen;
}

function toCandidates(chunk: Chunk): Candidate[] {
  const title = contentTerms(chunk.title);
  return splitSentences(chunk.content).map(({ sentence, heading }) => ({
    sentence,
    chunk,
    terms: contentTerms(sentence),
    context: new Set([...title.keys(), ...contentTerms(heading).keys()]),
    weight: 1,
  }));
}

/** The share of the asked terms, by weight, that a sentence and its title contain. */
function coverage(candidate: Candidate, asked: ReadonlyMap<string, number>): number {
  return asked.size === 0 ? 0 : scoreOf({ ...candidate, weight: 1 }, asked, new Set()) / sum(asked.values());
}

function weigh(asked: ReadonlyMap<string, number>, candidates: Candidate[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const [term, weight] of asked) {
    const holding = candidates.filter(({ terms, context }) => terms.has(term) || context.has(term)).length;
    weights.set(term, weight * Math.log(1 + (candidates.length - holding + 0.5) / (holding + 0.5)));
  }
  return weights;
}

/** The sentence that adds most to the covered terms. A tie goes to the earlier chunk. */
function strongest(
  candidates: Candidate[],
  chosen: Candidate[],
  covered: Set<string>,
  weights: ReadonlyMap<string, number>,
): [Candidate | undefined, number] {
  let best: Candidate | undefined;
  let bestScore = 0;
  for (const candidate of candidates) {
    if (chosen.some(({ sentence }) => sentence === candidate.sentence)) continue;
    const score = scoreOf(candidate, weights, covered);
    if (score > bestScore) [best, bestScore] = [candidate, score];
  }
  return [best, bestScore];
}

function scoreOf(candidate: Candidate, weights: ReadonlyMap<string, number>, covered: ReadonlySet<string>): number {
  let score = 0;
  for (const [term, weight] of weights) {
    if (covered.has(term)) continue;
    if (candidate.terms.has(term)) score += weight;
    else if (candidate.context.has(term)) score += titleWeight * weight;
  }
  return candidate.weight * score;
}

function write(chosen: Candidate[]): string {
  const said = chosen.map(({ sentence, chunk }) => `${shorten(sentence)} [${chunk.number}]`).join(" ");
  const sources = new Map(chosen.map(({ chunk }) => [chunk.number, chunk]));
  const named = [...sources.values()].map(({ number, title, source }) => {
    const name = title && source && title !== source ? `${title} (${source})` : title || source;
    return `[${number}] ${name || "untitled"}`;
  });
  return `${said}\n\nSources: ${named.join("; ")}`;
}

function shorten(sentence: string): string {
  const characters = Array.from(sentence);
  if (characters.length <= maxSentenceCharacters) return sentence;
  return `${characters
    .slice(0, maxSentenceCharacters - 1)
    .join("")
    .trimEnd()}…`;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/**
 * The content terms of a text: its word stems without stop words, each with a weight from 0 to 1. Unspaced scripts give
 * pairs of characters, because a question and a text may be segmented into words differently.
 */
function contentTerms(text: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const word of splitWords(fold(text)).flatMap(splitPairs)) {
    const weight = /^\p{sc=Hiragana}+$/u.test(word) ? grammarWeight : wordWeight(word);
    if (weight > 0) terms.set(stem(word), weight);
  }
  return terms;
}
