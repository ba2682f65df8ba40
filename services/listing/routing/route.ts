import { localDate } from "../timeframe/calendar.ts";
import { findColors } from "./extract/colors.ts";
import { findParticleCount } from "./extract/particles.ts";
import { hasQuotes, isGeneric } from "./extract/query.ts";
import type { SentenceReading } from "./reading.ts";
import { Reading } from "./reading.ts";
import type { Action, Rule } from "./rules.ts";
import { isCount, rules } from "./rules.ts";
import { ownLaunch } from "./vocabulary/advising.ts";

export type { Action } from "./rules.ts";

/** What a message asks for. Only what it states is present. */
export interface Route {
  action: Action;
  /** The number of items as the message says it, whatever its size or sign. */
  limit?: number;
  /** In the grammar of `resolveTimeframe`, which refuses it where the message names a date that doesn't exist or the like. */
  timeframe?: string;
  /** An IANA name, or what the message gave for one. */
  tz?: string;
  /** What to search for, as it was written. */
  query?: string;
  /** The fewest votes first. */
  ascending?: true;
  /** It is asked how many there are. */
  counted?: true;
  /** How many items of the list come before those that are wanted. */
  offset?: number;
  /** `#RRGGBB`, for confetti. */
  colors?: string[];
  /** For confetti, as the message says it. */
  particleCount?: number;
  /** The name of the rule that decided. */
  rule: string;
}

/** What the message is read against. */
export interface RouteOptions {
  now: Date;
  /** The IANA name of the zone in which a message that names none is resolved. */
  timezone: string;
  /** The message is resolved in `timezone` even if it names another zone. */
  isZoneFixed?: boolean;
}

/**
 * Decides by heuristics what a message asks for: see {@link rules} for the order in which things are recognised. Advice is
 * what remains. Costs about a tenth of a millisecond and calls nothing.
 */
export function route(message: string, options: RouteOptions): Route {
  const reading = readingOf(message, options);
  const decisions = decide(reading);
  const decision = decisions.reduce<Decision | undefined>(
    (best, next) => (best === undefined || weight(next.rule) > weight(best.rule) ? next : best),
    undefined,
  );
  if (decision === undefined) return { action: "advice", rule: "nothing else" };
  const { rule, sentence } = decision;
  // The other sentences may carry what this one leaves open: "I'm interested in last week. Show me the top 3."
  const all = [sentence, ...reading.sentences];
  const limit = all.find((one) => one.limit !== undefined)?.limit?.limit;
  const limited = limit === undefined ? {} : { limit };
  const ranked = { ...limited, ...(all.some(({ ascending }) => ascending) && { ascending: true as const }) };
  const zoned = reading.timezone === undefined ? {} : { tz: reading.timezone.tz };
  switch (rule.action) {
    case "top": {
      // "I slept through yesterday. Show the ranking." "We launched on 3 May. Who won that day?"
      const sameTime = thatTime.test(sentence.text);
      const window = reading.sentences.find((one) => one.time !== undefined && (sameTime || !ownLaunch.test(one.text)));
      const timed = window?.time === undefined ? {} : { timeframe: window.time.timeframe, ...zoned };
      return { action: window === undefined ? "top" : "top_timeframe", ...ranked, ...timed, rule: rule.name };
    }
    case "top_timeframe": {
      const timeframe = all.find((one) => one.time !== undefined)?.time?.timeframe ?? "today";
      const counted = isCount(rule) ? { counted: true as const } : {};
      return { action: "top_timeframe", ...ranked, ...counted, timeframe, ...zoned, rule: rule.name };
    }
    case "search": {
      const query =
        rule.name === "question about a name"
          ? (sentence.name ?? reading.sentences.find(({ name }) => name !== undefined)?.name ?? "")
          : queryOf(sentence, reading);
      return { action: "search", ...(query !== String(limit) && limited), query, rule: rule.name };
    }
    case "confetti": {
      const colors = findColors(reading.text);
      const particleCount = findParticleCount(reading.text);
      return {
        action: "confetti",
        ...(colors.length > 0 && { colors }),
        ...(particleCount !== undefined && { particleCount }),
        rule: rule.name,
      };
    }
    case "advice":
      return { action: "advice", rule: rule.name };
  }
}

/** A message as the rules read it. */
export function readingOf(message: string, { now, timezone, isZoneFixed }: RouteOptions): Reading {
  return new Reading(message, (zone) => localDate(now, isZoneFixed ? timezone : (zone ?? timezone)));
}

const thatTime = /\b(?:that|the same|on the same) (?:day|week|month|date)\b/;

/** What to search for: the sentence says it, or another one ("Has Figma launched? Look it up."), best in quotes. */
function queryOf(sentence: SentenceReading, reading: Reading): string {
  if (sentence.query !== "") return sentence.query;
  if (!isGeneric(sentence.literalQuery)) return sentence.literalQuery;
  const others = reading.sentences.filter(({ query }) => query !== "");
  return (others.find(({ text }) => hasQuotes(text)) ?? others[0])?.query ?? "";
}

interface Decision {
  rule: Rule;
  sentence: SentenceReading;
}

/** The rule that holds for each sentence, as far as one does; a final one stands alone. */
function decide(reading: Reading): Decision[] {
  const decisions: Decision[] = [];
  for (const sentence of reading.sentences) {
    const rule = rules.find((candidate) => candidate.when(sentence));
    if (rule?.final === true) return [{ rule, sentence }];
    if (rule !== undefined) decisions.push({ rule, sentence });
  }
  return decisions;
}

/**
 * Lists, searches and confetti go before advice, and what is asked for before what is only implied; of equal ones the first
 * counts. News gives way to a question about it: "We launched today. What next?"
 */
function weight({ action, strength }: Rule): number {
  if (strength === "news") return 1;
  if (action === "advice") return strength === "question" ? 2 : 0;
  if (strength === "implied") return 3;
  return action === "confetti" ? 5 : 4;
}
