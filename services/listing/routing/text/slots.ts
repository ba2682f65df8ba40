import { beginsWord, isWordAt } from "./characters.ts";
import type { Span } from "./chart.ts";
import { none } from "./chart.ts";

const maxWordLength = 40;
/** An apostrophe or a hyphen. */
const isJoiner = (unit: number): boolean => unit === 0x27 || unit === 0x2d;

/** Slots that any text fills. Each function returns the end of the text that fills the slot. */
export const freeSlots: Record<string, (text: string, at: number) => number | undefined> = {
  /** One character of a script without spaces counts as a word. */
  word(text, at) {
    if (text.charCodeAt(at) > 0x3000 && text.charCodeAt(at) < 0xa000) return at + 1;
    let end = at;
    while (end < at + maxWordLength && (isWordAt(text, end) || (end > at && isJoiner(text.charCodeAt(end))))) end++;
    return end > at ? end : undefined;
  },
  space: (text, at) => skip(text, at, " ", 1),
  gap: (text, at) => skip(text, skip(text, at, ",.", 1), " ", 1),
  signs: (text, at) => skip(text, at, " ,:;?!.-、。…", 3),
  end(text, at) {
    const after = skip(text, at, " ", text.length);
    const goesOn = isWordAt(text, after) || "#\"'@-/&+".includes(text.charAt(after));
    return after < text.length && goesOn ? undefined : at;
  },
};

function skip(text: string, from: number, signs: string, max: number): number {
  let at = from;
  while (at < from + max && at < text.length && signs.includes(text.charAt(at))) at++;
  return at;
}

const digits = /-?\d{1,3}(?:,\d{3})+(?!\d)|-?\d{1,15}(?!\d)(?:k(?![\da-z]))?/y;
/** A number followed by letters is something else, except for short units and a Turkish ending. */
const lettersBehind = /(?![dhw](?![a-z\d'-])|[iu](?![a-z])|[\u3005-\uffdc])\p{L}/uy;

/** Numbers in digits. `digits1`, `digits2` and so on are numbers of exactly that many digits. */
export function readDigits(text: string, start: number): Span[] {
  const [before, unit] = [text.charCodeAt(start - 1), text.charCodeAt(start)];
  if (!isDigit(unit) && unit !== 0x2d) return [];
  // Skip digits within a longer number. The hyphen in "top-3" is not a minus sign.
  if (isDigit(before) || (!isDigit(unit) && isWordAt(text, start - 1))) return [];
  digits.lastIndex = start;
  const [written] = digits.exec(text) ?? [];
  if (written === undefined) return [];
  const end = start + written.length;
  const value = Number(written.replaceAll(/[,k]/g, "")) * (written.endsWith("k") ? 1000 : 1);
  const span = { start, end, contextStart: start, contextEnd: end, parts: none };
  lettersBehind.lastIndex = end;
  const isJoined = lettersBehind.test(text) || (isWordAt(text, start - 1) && !beginsWord(text, start));
  const spans: Span[] = isJoined ? [] : [{ ...span, category: "number", meaning: String(value) }];
  if (/^\d+$/.test(written)) spans.push({ ...span, category: `digits${written.length}`, meaning: written });
  if (/^(?:19|20|21)\d\d$/.test(written)) spans.push({ ...span, category: "fullYear", meaning: written });
  return spans;
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
