import { wordPatterns } from "./languages/index.ts";
import { blankOut } from "./reading.ts";
import { pattern } from "./text/pattern.ts";

/** Refuses the time, zone or number after it. */
const refusingNext = pattern(`(?<![\\p{L}'])(?:${wordPatterns.refusingNext})(?![\\p{L},.]) ?|不是|不要`, "g");

/** Refuses the time, zone or number before it. */
const refusingLast = pattern(wordPatterns.refusingLast, "g");

interface Span {
  start: number;
  end: number;
}
type Find = (text: string) => Span | undefined;

const clauseEnd = /[,.;:!?。，、！？\n]|$/;
/** Allows an article or preposition between the refusal and the finding. */
const maxCharactersBetween = 4;
const maxRefusals = 4;

/**
 * Removes a refused finding if the text names a replacement: "not London, Sydney", "last week, not last month". Without a
 * replacement the text stays as it is.
 *
 * @param finders one per kind of finding
 */
export function withoutRefusedFindings(text: string, finders: readonly Find[]): string {
  const refusals = [
    ...[...text.matchAll(refusingNext)].map(({ index, 0: { length } }) => after(text, index, index + length)),
    ...[...text.matchAll(refusingLast)].map(({ index, 0: { length } }) => before(text, index, index + length)),
  ];
  for (const { refused, part, isNear } of refusals.slice(0, maxRefusals)) {
    for (const find of finders) {
      const found = find(part);
      if (found === undefined || !isNear(found)) continue;
      const span = refused(found);
      const kept = blankOut(text, [span]);
      if (find(kept) !== undefined) return kept;
    }
  }
  return text;
}

function after(text: string, start: number, end: number) {
  const part = text.slice(end, end + (clauseEnd.exec(text.slice(end))?.index ?? 0));
  return {
    part,
    isNear: (found: Span) => found.start <= maxCharactersBetween,
    refused: (found: Span) => ({ start, end: end + found.end }),
  };
}

function before(text: string, start: number, end: number) {
  const part = text.slice(0, start);
  return {
    part,
    isNear: (found: Span) => found.end >= start - 1,
    refused: (found: Span) => ({ start: found.start, end }),
  };
}
