import { parse } from "../languages/index.ts";
import { blankOut } from "../text/characters.ts";
import type { Chart, Place, Span } from "../text/chart.ts";

const clauseEnd = /[,.;:!?。，、！？\n]| - /g;

/** Hides each refused request ("no confetti", "don't search"), up to the end of its clause, or to the requested alternative. */
export function withoutRefusals(text: string): string {
  const chart = parse(text);
  const accepted = chart.all("accepting");
  const refused: Place[] = [];
  // If a refusal may end at one of several requests, it ends at the first one: phrases with the same start are sorted with the longest
  // first.
  for (const [index, { start, end }] of chart.all("refusal").entries()) {
    const isFirst = chart.all("refusal")[index + 1]?.start !== start;
    const isAccepted = accepted.some((one) => one.start <= start && start < one.end);
    if (isFirst && !isAccepted) refused.push({ start, end: endOfClause(chart, end) });
  }
  // In languages with the verb at the end, a refusal applies to its whole clause.
  for (const { start, end } of chart.all("refusingClause")) {
    let from = 0;
    for (const { index } of text.slice(0, start).matchAll(clauseEnd)) from = index + 1;
    refused.push({ start: from, end: text.startsWith("말고", start) ? end : endOfClause(chart, end) });
  }
  return blankOut(text, refused);
}

function endOfClause(chart: Chart, start: number): number {
  clauseEnd.lastIndex = start;
  const end = clauseEnd.exec(chart.text)?.index ?? chart.text.length;
  return Math.min(end, ...chart.all("contrast").flatMap((one) => (one.start >= start ? [one.start] : [])));
}

/**
 * Hides a refused time, zone or number if the text names another one: "not London, Sydney", "last week, not last month". Otherwise the text
 * stays unchanged.
 */
export function withoutCorrected(text: string): string {
  const chart = parse(text);
  for (const refused of chart.all("corrected")) {
    // "Not yesterday but the day before" is relative to the refused time.
    if (chart.endAt("shiftedTime", refused.start) !== undefined) continue;
    const isOther = ({ start, end }: Span): boolean => end <= refused.start || start >= refused.end;
    if (chart.all(refused.meaning).some(isOther)) return blankOut(text, [refused]);
  }
  return text;
}
