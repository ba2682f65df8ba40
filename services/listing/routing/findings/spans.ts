import type { Span } from "../text/chart.ts";

/** All phrases of a category within a phrase. */
export const spansOf = (span: Span, category: string): Span[] =>
  span.parts.flatMap((part) => (part.category === category ? [part] : spansOf(part, category)));

/** The values of all phrases of a category within a phrase. */
export const partsOf = (span: Span, category: string): string[] => spansOf(span, category).map(meaningOf);

/** The value of the first phrase of a category within a phrase. */
export const partOf = (span: Span, category: string): string | undefined => partsOf(span, category)[0];

/** The meaning of a phrase, or that of its first part with a meaning. */
const meaningOf = (span: Span): string => span.meaning || (leavesOf(span)[0] ?? "");

/** All values within a phrase, in order, without those of its context. */
export const leavesOf = ({ parts, start, end }: Span): string[] =>
  parts
    .filter((part) => part.start >= start && part.end <= end)
    .flatMap((part) => (part.meaning === "" ? leavesOf(part) : [part.meaning]));

/** Whether a phrase belongs to a longer one. */
export function isWithin(inner: Span, outer: Span): boolean {
  const isLonger = outer.right - outer.left > inner.right - inner.left;
  return isLonger && outer.left <= inner.start && inner.end <= outer.right;
}

/** Of overlapping phrases, keeps the first one, and of those that start together the longest. */
export function longest(spans: readonly Span[]): Span[] {
  const chosen: Span[] = [];
  for (const span of spans) if (span.start >= (chosen.at(-1)?.end ?? 0)) chosen.push(span);
  return chosen;
}
