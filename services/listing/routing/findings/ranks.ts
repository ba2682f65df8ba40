import type { Chart, Span } from "../text/chart.ts";
import { findSpans } from "./spans.ts";

/**
 * Rank of a time phrase: "of the day" ranks below "today", which ranks below a more exact time as in "product of the day on 17 November".
 */
export function getRank(chart: Chart, time: Span): number {
  const { meaning, start, end } = time;
  if (chart.all("loosely").some((loose) => loose.start === start && loose.end === end)) return 0;
  return ranks[getKind(time)] ?? (meaning === "day" ? 5 : 4);
}

/** The reader's argument for a time, or for a date: "weekday", "on dmy". */
export const getKind = (time: Span): string =>
  time.meaning === "day" ? (findSpans(time, "date")[0]?.meaning ?? "") : time.meaning;

const ranks: Record<string, number> = {
  both: 0,
  none: 0.5,
  "ago 0": 1,
  "ago 1": 1,
  "on y": 2,
  "on d": 3,
  weekdayIn: 6,
  range: 7,
  "on ddmy": 8,
  inner: 8,
  weekdays: 9,
};
