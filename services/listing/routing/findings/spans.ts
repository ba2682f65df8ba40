import type { Span } from "../text/chart.ts";

/** All phrases of a category within a phrase. */
export const findSpans = (span: Span, category: string): Span[] =>
  span.parts.flatMap((part) => (part.category === category ? [part] : findSpans(part, category)));

/** The values of all phrases of a category within a phrase. */
export const findValues = (span: Span, category: string): string[] => findSpans(span, category).map(getMeaning);

/** The value of the first phrase of a category within a phrase. */
export const findValue = (span: Span, category: string): string | undefined => findValues(span, category)[0];

/** The meaning of a phrase, or that of its first part with a meaning. */
const getMeaning = (span: Span): string => span.meaning || (listValues(span)[0] ?? "");

/** All values within a phrase, in order, without those of its context. */
export const listValues = ({ parts, start, end }: Span): string[] =>
  parts
    .filter((part) => part.start >= start && part.end <= end)
    .flatMap((part) => (part.meaning === "" ? listValues(part) : [part.meaning]));

/** Whether a phrase belongs to a longer one. */
export function isWithin(inner: Span, outer: Span): boolean {
  const isLonger = outer.contextEnd - outer.contextStart > inner.contextEnd - inner.contextStart;
  return isLonger && outer.contextStart <= inner.start && inner.end <= outer.contextEnd;
}

/** Of overlapping phrases, keeps the first one, and of those that start together the longest. */
export function keepLongest(spans: readonly Span[]): Span[] {
  const chosen: Span[] = [];
  for (const span of spans) if (span.start >= (chosen.at(-1)?.end ?? 0)) chosen.push(span);
  return chosen;
}
