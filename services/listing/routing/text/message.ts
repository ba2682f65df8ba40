import { listingLimits } from "@agent-backends/contract";
import type { Place } from "./chart.ts";
import { fold } from "./fold.ts";
import { correctWord } from "./typos.ts";

/** A normalised message. */
export interface Message {
  /** The original message, with single spaces. */
  raw: string;
  /** Folded text, with typing errors in key words corrected. */
  text: string;
  /** Maps an index in `text` to the index in `raw`. */
  rawIndex(index: number): number;
  /** The original text of a place. */
  written(place: Place): string;
}

const latinWord = /(?<![\p{L}\p{M}\d.@/_-])[a-z]{2,18}(?:'s)?(?![\p{L}\p{M}\d@/_])/gu;
// Remove private-use characters: finders use them as marks.
const control = /(?!\n)[\p{Cc}\p{Co}]/gu;

export function readMessage(input: string): Message {
  const raw = input
    .slice(0, listingLimits.readCharacters)
    .normalize("NFC")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?[\n\r\u2028]+ ?/g, "\n")
    .replaceAll(control, "")
    .trim();
  const folded = fold(raw);
  const shifts: { textEnd: number; difference: number }[] = [];
  let text = "";
  let read = 0;
  for (const match of folded.matchAll(latinWord)) {
    const [word] = match;
    const corrected = correctWord(word);
    if (corrected === word) continue;
    text += folded.slice(read, match.index) + corrected;
    read = match.index + word.length;
    shifts.push({ textEnd: text.length, difference: read - text.length });
  }
  text += folded.slice(read);
  const rawIndex = (index: number): number =>
    index + (shifts.findLast(({ textEnd }) => textEnd <= index)?.difference ?? 0);
  return { raw, text, rawIndex, written: ({ start, end }) => raw.slice(rawIndex(start), rawIndex(end)) };
}

/** The place of a sentence in a text. */
export interface Sentence extends Place {
  isQuestion: boolean;
  isExclamation: boolean;
}

// A period after a day ("17. November", "5.10.") or an abbreviation ("no. 1", "Nov. 5th") doesn't end a sentence.
const sentenceEnd =
  /[!?。！？\n]+|(?<=[\p{L}\p{M}\d]);|, (?:but|so|now) (?=(?:just |please |now |then |can you |could you )*(?:show|give|list|tell|find|search|get|pull|display|what|who|which|let)\b)|(?<!(?<![\p{L}\d])(?:\d{1,2}|no|vs|st|mr|dr|nr|(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)(?=\. \d)))\.+(?=\s|$|\))|(?<!(?<![\p{L}\d.])\d{1,2}\.\d{1,2})\.+$|…/gu;

/** Splits a text into sentences, but not within double quotes. */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  const unquoted = text.replaceAll(/"[^"\n]*"|「[^」\n]*」/g, (quote) => "q".repeat(quote.length));
  const add = (start: number, end: number, sign: string): void => {
    if (text.slice(start, end).trim() !== "")
      sentences.push({ start, end, isQuestion: /[?？]/.test(sign), isExclamation: /[!！]/.test(sign) });
  };
  let start = 0;
  for (const { index, 0: sign } of unquoted.matchAll(sentenceEnd)) {
    if (sentences.length === listingLimits.readSentences) return sentences;
    add(start, index, sign);
    start = index + sign.length;
  }
  if (sentences.length < listingLimits.readSentences) add(start, text.length, "");
  return sentences;
}
