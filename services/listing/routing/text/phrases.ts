/** A compiled phrase of the grammar. */
export interface Phrase {
  category: string;
  meaning: string;
  /** Folded text. A character at or above {@link firstSlot} stands for a phrase of a category. */
  text: string;
  coreStart: number;
  coreEnd: number;
}

export const firstSlot = 0xe100;
const lastSlot = 0xefff;
export const isSlot = (unit: number): boolean => unit >= firstSlot && unit <= lastSlot;
export const anyLetters = 0x2a;
export const space = 0x20;
export const hyphen = 0x2d;
const escapedBracket = "\uf000";

/** The phrases of a list, with all groups expanded, and with and without apostrophes. */
export function listPhrases(list: string): string[] {
  return splitAlternatives(list.replaceAll("\\(", escapedBracket))
    .flatMap(expandGroups)
    .map((phrase) => phrase.trim())
    .flatMap((phrase) => (phrase.includes("'") ? [phrase, phrase.replaceAll("'", "")] : phrase === "" ? [] : [phrase]));
}

function splitAlternatives(phrases: string): string[] {
  if (!phrases.includes("(")) return phrases.split("|");
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= phrases.length; at++) {
    const sign = phrases.charAt(at);
    if (sign === "(") depth++;
    else if (sign === ")") depth--;
    else if (at === phrases.length || (sign === "|" && depth === 0)) {
      parts.push(phrases.slice(start, at));
      start = at + 1;
    }
  }
  return parts;
}

function expandGroups(phrase: string): string[] {
  const start = phrase.indexOf("(");
  if (start < 0) return [phrase];
  let end = start;
  for (let depth = 0; end < phrase.length; end++) {
    if (phrase.charAt(end) === "(") depth++;
    else if (phrase.charAt(end) === ")" && --depth === 0) break;
  }
  const [before, after] = [phrase.slice(0, start), phrase.slice(end + 1)];
  return splitAlternatives(phrase.slice(start + 1, end)).flatMap((choice) => expandGroups(before + choice + after));
}

export function compile(category: string, meaning: string, listed: string): Phrase {
  // Nearly all of the many thousand phrases have no brackets.
  if (!/[[\]\uf000]/.test(listed)) return { category, meaning, text: listed, coreStart: 0, coreEnd: listed.length };
  const [opening, closing] = [listed.indexOf("["), listed.lastIndexOf("[")];
  const text = listed.replaceAll(/[[\]]/g, "").replaceAll(escapedBracket, "(");
  const coreStart = opening === 0 ? listed.indexOf("]") - 1 : 0;
  const coreEnd = closing > 0 ? closing - (opening === 0 ? 2 : 0) : text.length;
  return { category, meaning, text, coreStart, coreEnd };
}
