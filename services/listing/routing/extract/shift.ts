import type { Temporal } from "temporal-polyfill";
import { concepts, wordPatterns } from "../languages/index.ts";
import type { Concept } from "../text/concept.ts";
import { pattern } from "../text/pattern.ts";
import { findNumbers } from "./numbers.ts";
import { findTimeframe } from "./timeframe.ts";

export type Span = "day" | "week" | "month" | "year" | "same";

/** Phrases relative to the previous time: the unit, and how many units later. */
const shifts: readonly (readonly [span: Span, steps: 1 | -1, phrases: Concept])[] = [
  ["day", -1, concepts.dayBefore],
  ["day", 1, concepts.dayAfter],
  ["week", -1, concepts.weekBefore],
  ["week", 1, concepts.weekAfter],
  ["month", -1, concepts.monthBefore],
  ["month", 1, concepts.monthAfter],
  ["year", -1, concepts.yearBefore],
  ["year", 1, concepts.yearAfter],
  ["same", -1, concepts.sameBefore],
  ["same", 1, concepts.sameAfter],
];
const spanWords = [
  ["day", concepts.day],
  ["week", concepts.week],
  ["month", concepts.month],
  ["year", concepts.year],
] as const;
const directions = [
  [-1, concepts.earlier],
  [1, concepts.later],
  [0, concepts.whole],
] as const;

/** Words before a unit that move the time by it: "a week earlier" than a day is a day, not a week. */
const moving = pattern(`(?<!\\p{L})(?:${wordPatterns.moving}) $`);
/** The same day or month in another year or month. */
const sameSpan = pattern(`(?<!\\p{L})(?:${wordPatterns.sameSpan})(?!\\p{L})`);

/** A time relative to another one. */
export interface Shift {
  span: Span;
  steps: number;
  /** Moves by the unit instead of to the neighbouring unit. */
  moves: boolean;
}

interface ShiftPhrase extends Shift {
  start: number;
  end: number;
}

/** Maximum count in "3 weeks before that". */
const maxSteps = 1_000;

/** "the day before", but not "the day before yesterday". */
export function findNamedShift(text: string, today: Temporal.PlainDate): ShiftPhrase | undefined {
  const time = findTimeframe(text, today);
  for (const [span, steps, phrases] of shifts) {
    const found = phrases.find(text);
    if (found === undefined) continue;
    if (findTimeframe(text.slice(found.end), today) !== undefined) continue;
    // "vorige" means the one before, but "vorige week" means last week.
    if (time !== undefined && time.start <= found.start && time.end > found.end) continue;
    return countedShift(text, found, span, steps);
  }
  return undefined;
}

/** "one more week back", "その前の月": a span with a direction beside it. */
export function findShift(text: string): ShiftPhrase | undefined {
  for (const [span, words] of spanWords) {
    const unit = words.find(text);
    if (unit === undefined) continue;
    for (const [steps, direction] of directions) {
      const found = direction.find(text);
      if (found === undefined) continue;
      const [start, end] = [Math.min(unit.start, found.start), Math.max(unit.end, found.end)];
      const between = text.slice(Math.min(unit.end, found.end), Math.max(unit.start, found.start));
      if (besideUnit.test(between)) return countedShift(text, { start, end }, span, steps);
    }
  }
  return undefined;
}

const besideUnit = pattern(String.raw`^ ?(?:[\p{L}\p{M}]{1,8} ?){0,2}$`);

function countedShift(
  text: string,
  { start, end }: { start: number; end: number },
  span: Span,
  steps: number,
): ShiftPhrase {
  const number = findNumbers(text).find((one) => one.end === start - 1 || one.end === start);
  const counted = number !== undefined && number.value <= maxSteps ? number : undefined;
  const moves = counted !== undefined || moving.test(text.slice(0, start)) || sameSpan.test(text);
  return { start: counted?.start ?? start, end, span, steps: steps * (counted?.value ?? 1), moves };
}
