import type { Temporal } from "temporal-polyfill";
import type { CalendarUnit, DateRange } from "../../timeframe/calendar.ts";
import { addUnits, getPeriod, isPeriod } from "../../timeframe/calendar.ts";
import type { Chart, Place, Span } from "../text/chart.ts";
import { findValue } from "./spans.ts";

/** A time relative to the previous one. "own" is a period of the same length, relative to today: "and this one?" after last week. */
export interface Shift {
  span: CalendarUnit | "same" | "own";
  steps: number;
  /** Moves by the unit instead of to the neighbouring unit: "a week earlier" than a day is a day, not a week. */
  isMove: boolean;
}

/** "In that same week": the period of the previous time. */
export const isRepeated = ({ span, steps }: Shift): boolean => steps === 0 && span !== "own";

/** Maximum count in "3 weeks before that". */
const maxSteps = 1_000;

/**
 * A time relative to the previous one: "the day before" or, for the kind "move", a unit with a direction.
 *
 * @param time the time that the text names. "vorige" means the one before, but "vorige week" means last week.
 */
export function findShift(chart: Chart, kind: "shift" | "move", time?: Place): (Shift & Place) | undefined {
  const isOfTime = ({ end }: Span): boolean => time !== undefined && time.end > end;
  const found = chart.all(kind).find((one) => !isOfTime(one));
  if (found === undefined) return undefined;
  const shift = toShift(found);
  return { ...shift, start: found.start, end: found.end, isMove: shift.isMove || chart.has("sameSpan") };
}

/** Meaning of a phrase of the kind "shift" or "move". */
export function toShift(found: Span): Shift {
  const [span = "day", steps = "1"] = found.meaning.split(" ");
  const count = Number(findValue(found, "number") ?? 1);
  return {
    span: span as Shift["span"],
    steps: Number(steps) * (count <= maxSteps ? count : 1),
    isMove: found.parts.some(({ category }) => category === "moved"),
  };
}

const units = ["day", "week", "month", "quarter", "year"] as const;

/** Shifts days: "the week before" is a whole week, whereas "a week earlier" than a day is a day. */
export function shiftDays(range: DateRange, { span, steps, isMove }: Shift, today: Temporal.PlainDate): DateRange {
  const { from, to } = range;
  const own = units.find((unit) => isPeriod(unit, range));
  if (span === "own") return getPeriod(own ?? "day", today, steps);
  const days = from.until(to).days + 1;
  const unit = span === "same" ? own : span;
  if (unit === undefined || (unit === "week" && days === 7))
    return { from: from.add({ days: days * steps }), to: to.add({ days: days * steps }) };
  if (isMove && steps !== 0 && (own === "day" || (own === "month" && unit === "year")))
    return getPeriod(own, addUnits(from, unit, steps));
  return getPeriod(unit, steps < 0 ? from : to, steps);
}
