import type { Temporal } from "temporal-polyfill";
import { pattern } from "../text/pattern.ts";
import type { Span } from "../vocabulary/following.ts";
import { directions, moving, sameSpan, shifts, spanWords } from "../vocabulary/following.ts";
import { findNumbers } from "./numbers.ts";
import { findTimeframe } from "./timeframe.ts";

/** A time that is meant from another one. */
export interface Shift {
  span: Span;
  steps: number;
  /** It moves by the span, rather than to the span beside. */
  moves: boolean;
}

interface ShiftPhrase extends Shift {
  start: number;
  end: number;
}

/** "3 weeks before that"; more is no figure that anyone means. */
const maxSteps = 1_000;

/** "the day before", but not "the day before yesterday". */
export function findNamedShift(text: string, today: Temporal.PlainDate): ShiftPhrase | undefined {
  const time = findTimeframe(text, today);
  for (const [span, steps, phrases] of shifts) {
    const found = phrases.find(text);
    if (found === undefined) continue;
    if (findTimeframe(text.slice(found.end), today) !== undefined) continue;
    // "vorige" is the one before, and "vorige week" is last week.
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
