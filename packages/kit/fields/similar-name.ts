import { namesOfMissingFields, otherFieldNames, unrelatedFieldNames } from "@agent-backends/contract";
import { getEditDistance } from "./edit-distance.ts";

/** Maximum length of a compared name. No field name comes near it, and the comparison takes quadratic time. */
const maxComparedLength = 64;

/**
 * The known name that an unknown name stands for: the same in another case or with other separators, another common name, its singular or
 * plural, or the same with a typing error. The nearest name wins, and a tie goes to the first.
 */
export function findSimilarName(unknown: string, known: Iterable<string>): string | undefined {
  if (unknown.length > maxComparedLength || unrelatedFieldNames.includes(unknown)) return undefined;
  const sent = normalise(unknown);
  let nearest: { name: string; difference: number } | undefined;
  for (const name of known) {
    const difference = compare(sent, name);
    if (difference < (nearest?.difference ?? Number.POSITIVE_INFINITY)) nearest = { name, difference };
  }
  return nearest?.name;
}

/** The field that an unknown name stands for, if that field is missing. */
export const findMissingName = (unknown: string, isMissing: (name: string) => boolean): string | undefined =>
  Object.keys(namesOfMissingFields).find((name) => namesOfMissingFields[name]?.includes(unknown) && isMissing(name));

/** Whether two names differ at most in case and separators. */
export const isSameName = (one: string, other: string): boolean => normalise(one) === normalise(other);

const normalise = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Distance between a normalised name and a known one. Infinity: they aren't similar. */
function compare(sent: string, name: string): number {
  const known = normalise(name);
  if (sent === known) return 0;
  if (otherFieldNames[name]?.some((other) => normalise(other) === sent)) return 0.25;
  if (toSingular(sent) === toSingular(known)) return 0.5;
  const maxDistance = getMaxDistance(known);
  if (Math.abs(sent.length - known.length) > maxDistance) return Number.POSITIVE_INFINITY;
  const distance = getEditDistance(sent, known);
  if (distance <= maxDistance && (known.length > 4 || isSlip(sent, known))) return distance;
  return known.length > 4 && isMovedLetter(sent, known) ? 1.5 : Number.POSITIVE_INFINITY;
}

const toSingular = (name: string): string => name.replace(/ies$/, "y").replace(/(?<=..)s$/, "");

/** Long names are still recognisable with two errors. */
const getMaxDistance = (known: string): number => (known.length > 8 ? 2 : 1);

/**
 * Whether letters are missing, doubled or swapped. In names of up to four letters only these errors count: with one letter replaced or
 * added, most such names become other words, such as `text` and `test`.
 */
function isSlip(sent: string, known: string): boolean {
  if (sent.length === known.length) return [...sent].sort().join("") === [...known].sort().join("");
  if (sent.length < known.length) return sent.length > 1;
  return [...sent].some((letter, index) => letter === sent[index + 1] && removeAt(sent, index) === known);
}

const removeAt = (text: string, index: number): string => text.slice(0, index) + text.slice(index + 1);

/** Whether one letter is in another position: `srouce` for `source`. */
function isMovedLetter(sent: string, known: string): boolean {
  if (sent.length !== known.length) return false;
  const differs = [...known].map((letter, index) => letter !== sent[index]);
  const range = [differs.indexOf(true), differs.lastIndexOf(true) + 1] as const;
  const [one, other] = [sent.slice(...range), known.slice(...range)];
  return moveFirst(one) === other || one === moveFirst(other);
}

const moveFirst = (text: string): string => text.slice(1) + text.slice(0, 1);
