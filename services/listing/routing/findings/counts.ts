import type { Chart, Place, Span } from "../text/chart.ts";
import { overlaps } from "../text/chart.ts";
import { keepLongest } from "./spans.ts";

/** The requested number of items and its place in the text. */
export interface LimitPhrase extends Place {
  limit: number;
}

/** The limit that a text asks for, unclamped: 10 for "top ten", 500 for "top 500". */
export function findLimit(chart: Chart, time?: Place): LimitPhrase | undefined {
  let best: { span: Span; limit: number } | undefined;
  for (const span of chart.all("limit")) {
    const limit = getNumber(span);
    if (!Number.isSafeInteger(limit) || overlaps(span, time)) continue;
    // The meaning is the certainty of the phrase.
    const weight = Number(span.meaning);
    if (!certainWeights.has(weight) && isOtherCount(chart, span, time)) continue;
    if (itemWeights.has(weight) && isPartOfName(chart, span)) continue;
    if (best === undefined || weight > Number(best.span.meaning)) best = { span, limit };
  }
  return best && { start: best.span.start, end: best.span.end, limit: best.limit };
}

/** Certainties of phrases that always ask for a limit, whatever else the number may count. */
const certainWeights = new Set([2, 3, 6, 8]);
/** A number with the counted noun, or with a verb. */
const itemWeights = new Set([4, 5, 5.5]);

/** The number within a phrase, without its context. A phrase without a number means the item at the top. */
const getNumber = ({ parts, start }: Span): number =>
  Number(parts.find((part) => part.start >= start && /^(?:number|digits\d)$/.test(part.category))?.meaning ?? 1);

/** Whether the number counts something else, such as days or votes. */
function isOtherCount(chart: Chart, { start, end }: Place, time?: Place): boolean {
  const others = chart.all("noCount").filter((other) => other.start <= start && end <= other.end);
  return others.some((other) => !overlaps(other, time));
}

/** Whether the number belongs to a name: "GPT-5", "#1". */
const isPartOfName = ({ text }: Chart, { start }: Place): boolean =>
  /\p{L}-$|[#.:/]$/u.test(text.slice(Math.max(0, start - 2), start));

/** The only number in a text, in digits or words, if it may count items. */
export function findOnlyNumber(chart: Chart): LimitPhrase | undefined {
  const [number, ...others] = keepLongest(chart.all("number"));
  if (number === undefined || others.length > 0 || isOtherCount(chart, number)) return undefined;
  return { start: number.start, end: number.end, limit: Number(number.meaning) };
}

/** The number of confetti pieces: "500 pieces", "500 Stück", "200 confetti", "confetti x 300". */
export function findParticleCount(chart: Chart): number | undefined {
  const pieces = chart.all("pieces").filter((span) => getNumber(span) > 0);
  const [found] = pieces;
  return found && Number(found.parts.find(({ category }) => category === "number")?.meaning);
}

/** A colour such as "#ff4d4d" in a folded text. */
export const hexColor = /#([0-9a-f]{6}|[0-9a-f]{3})(?![\p{L}\p{N}])/gu;

/** The colours in a text as `#RRGGBB`, in order: names in all supported languages and hex codes. */
export function findColors(chart: Chart): string[] {
  const named = chart.all("color").map(({ start, meaning }) => ({ start, color: meaning }));
  const coded = [...chart.text.matchAll(hexColor)].map(({ index, 1: hex = "" }) => ({
    start: index,
    color: `#${(hex.length === 3 ? hex.replaceAll(/./g, "$&$&") : hex).toUpperCase()}`,
  }));
  return [...new Set([...named, ...coded].sort((one, other) => one.start - other.start).map(({ color }) => color))];
}
