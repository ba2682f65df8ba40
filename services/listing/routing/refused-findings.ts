import { blankOut } from "./reading.ts";
import { refusingLast, refusingNext } from "./vocabulary/following.ts";

interface Span {
  start: number;
  end: number;
}
type Find = (text: string) => Span | undefined;

const clauseEnd = /[,.;:!?。，、！？\n]|$/;
/** An article or a preposition may stand between a refusal and what it refuses. */
const maxCharactersBetween = 4;
const maxRefusals = 4;

/**
 * The text without what it refuses where it says what is wanted in its place: "not London, Sydney", "last week, not last
 * month". What is refused and replaced by nothing stays.
 *
 * @param finders one for each kind of finding
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
