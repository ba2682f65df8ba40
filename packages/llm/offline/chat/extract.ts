import { contentTerms } from "../text/terms.ts";
import type { Chunk } from "./chunks.ts";
import { splitSentences } from "./sentences.ts";

/** Begins with the mark by which an answer refers to no chunk. */
export const NOT_ANSWERED = "[0] The documents do not answer this question.";

const MAX_SENTENCES = 3;
const MAX_SENTENCE_CHARACTERS = 400;
/**
 * A sentence must hold this share of what the question is about. Rarity plays no part here: in a few sentences every word
 * that is missing looks rare, and would weigh more than the one that the sentence is about.
 */
const MIN_COVERAGE = 0.33;
/** A further sentence is worth adding from this share of the best one's score. */
const MIN_SHARE_OF_BEST = 0.5;
/** What a term counts that only the search for a question holds, and not the question itself. */
const CONTEXT_WEIGHT = 0.25;
/** A question whose terms weigh less says nothing by itself: "And how much is it?" */
const LITTLE_WEIGHT = 0.9;
/** What a sentence counts that was said before. */
const SAID_WEIGHT = 0.4;
/** What a term counts that only the chunk's title or heading holds. */
const TITLE_WEIGHT = 0.5;

/** Words that ask what a document tells, and not what about: "What does the handbook say?" No chunk has to hold them. */
const askingTerms = contentTerms(
  "say says said tell tells contain contains describe describes explain explains mention mentions steht sagt enthält beschreibt erklärt dice dicen explica contiene dit contient explique dicono spiega zegt staat bevat",
);

interface Candidate {
  sentence: string;
  chunk: Chunk;
  terms: ReadonlyMap<string, number>;
  context: ReadonlySet<string>;
  /** What its score counts, 0 to 1. */
  weight: number;
}

/**
 * Answers a question with one to three sentences of the chunks, each with the mark `[n]` of its chunk, and
 * the list of these sources; or says that the documents do not answer. What the question leaves out is taken from `context`, what was
 * searched for; what was `said` before comes after what was not. A sentence counts by the question's
 * terms that it holds, each weighted by how much it says and by its rarity among the sentences (Robertson and Spärck Jones'
 * idf).
 */
export function extractAnswer(
  question: string,
  chunks: Chunk[],
  { context = "", said = "" }: { context?: string; said?: string } = {},
): string {
  const own = withoutAskingTerms(contentTerms(question));
  const left = new Map([...contentTerms(context)].filter(([term]) => !own.has(term)));
  const asked = new Map([...own, ...[...left].map(([term, weight]) => [term, CONTEXT_WEIGHT * weight] as const)]);
  const isAbout = (candidate: Candidate) =>
    Math.max(coverage(candidate, own), coverage(candidate, asked)) >= MIN_COVERAGE ||
    (sum(own.values()) < LITTLE_WEIGHT && coverage(candidate, left) >= MIN_COVERAGE);
  const all = chunks.flatMap(candidatesOf);
  const candidates = all.map((candidate) => ({
    ...candidate,
    weight: said.includes(candidate.sentence) ? SAID_WEIGHT : 1,
  }));
  const isFollowUp = left.size > 0;
  const chosen = isFollowUp
    ? choose(candidates.filter(isAbout), weigh(asked, all), (next) => coverage(next, own) > 0)
    : choose(all, weigh(asked, all), () => true);
  return chosen[0] && isAbout(chosen[0]) ? write(chosen) : NOT_ANSWERED;
}

/** The terms of a question but for those that only ask, unless it has no others. */
function withoutAskingTerms(terms: Map<string, number>): Map<string, number> {
  const others = new Map([...terms].filter(([term]) => !askingTerms.has(term)));
  return others.size > 0 ? others : terms;
}

/** The sentences that say most together, best first; `isFurther` tells which may stand beside the first. */
function choose(
  candidates: Candidate[],
  weights: ReadonlyMap<string, number>,
  isFurther: (candidate: Candidate) => boolean,
): Candidate[] {
  const chosen: Candidate[] = [];
  const covered = new Set<string>();
  let best = 0;
  while (chosen.length < MAX_SENTENCES) {
    const [next, score] = strongest(candidates, chosen, covered, weights);
    if (!next || score === 0) break;
    if (chosen.length > 0 && (score < MIN_SHARE_OF_BEST * best || !isFurther(next))) break;
    best ||= score;
    chosen.push(next);
    for (const term of next.terms.keys()) covered.add(term);
  }
  return chosen;
}

function candidatesOf(chunk: Chunk): Candidate[] {
  const title = contentTerms(chunk.title);
  return splitSentences(chunk.content).map(({ sentence, heading }) => ({
    sentence,
    chunk,
    terms: contentTerms(sentence),
    context: new Set([...title.keys(), ...contentTerms(heading).keys()]),
    weight: 1,
  }));
}

/** The share of what is asked that a sentence and its title hold, 0 to 1. */
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

/** The sentence that adds most to what is already covered; the earlier chunk wins a tie. */
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
    else if (candidate.context.has(term)) score += TITLE_WEIGHT * weight;
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
  if (characters.length <= MAX_SENTENCE_CHARACTERS) return sentence;
  return `${characters
    .slice(0, MAX_SENTENCE_CHARACTERS - 1)
    .join("")
    .trimEnd()}…`;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
