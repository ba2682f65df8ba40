import { concepts } from "../languages/index.ts";
import { fitsAt, pattern } from "../text/pattern.ts";
import { findNumbers } from "./numbers.ts";

const { confetti, particles } = concepts;

const adjective = pattern(String.raw`[ ][\p{L}][\p{L}\p{M}'-]*`, "y");
/** Before a number: "confetti 300", "Konfetti x 300". */
const after = pattern(
  "(?<=(?:confett?i|confettis|confete|konfett?i|coriandoli|particles?|count)(?: count)?[ ,:=]{0,2}(?:x|×|with|mit|con|avec|com|met)? ?)",
  "y",
);
/** Checks what follows the number: "confetti, 300 users" counts users. */
const itemsOnly = pattern(String.raw`(?![\p{L}\p{N}%.]|,\d| [\p{L}])`, "y");

/** The number of confetti pieces in a folded text: "500 pieces", "500 Stück", "200 confetti", "confetti x 300". */
export function findParticleCount(text: string): number | undefined {
  const numbers = findNumbers(text).filter(({ value }) => value > 0);
  const counted = numbers.find(({ end }) => isBeforeParticles(text, end));
  const named = numbers.find(
    ({ start, end }) => fitsAt(after, text, start) !== undefined && fitsAt(itemsOnly, text, end) !== undefined,
  );
  return (counted ?? named)?.value;
}

const maxWordsBetween = 2;

/** "500 pieces", "500 red confetti". */
function isBeforeParticles(text: string, end: number): boolean {
  let at = end;
  for (let words = 0; words <= maxWordsBetween; words++) {
    const noun = text.charAt(at) === " " ? at + 1 : at;
    if ([particles, confetti].some((concept) => concept.endAt(text, noun) !== undefined)) return true;
    const next = fitsAt(adjective, text, at);
    if (next === undefined) return false;
    at = next;
  }
  return false;
}
