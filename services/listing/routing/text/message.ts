import { listingLimits } from "@agent-backends/contract";
import { fold } from "./fold.ts";
import { pattern } from "./pattern.ts";
import { correctWord } from "./typos.ts";

/** A normalised message. */
export interface Message {
  /** The message as written, with single spaces. */
  raw: string;
  /** Folded, with typing mistakes in key words corrected. */
  text: string;
  /** Maps an index in `text` to the index in `raw`. */
  rawIndex(index: number): number;
}

const latinWord = pattern(String.raw`(?<![\p{L}\p{M}\d.@/_-])[a-z]{2,18}(?:'s)?(?![\p{L}\p{M}\d@/_])`, "g");
// Remove private-use characters: finders use them as marks.
const control = pattern(String.raw`(?!\n)[\x00-\x1f\x7f-\x9f\ue000-\uf8ff]`, "g");

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
  return {
    raw,
    text,
    rawIndex(index) {
      let difference = 0;
      for (const shift of shifts) {
        if (index < shift.textEnd) break;
        difference = shift.difference;
      }
      return index + difference;
    },
  };
}

/** One sentence of a message. */
export interface Sentence {
  start: number;
  text: string;
  question: boolean;
  exclaimed: boolean;
}

// A period after a day ("17. November") or an abbreviation ("no. 1") doesn't end a sentence.
const sentenceEnd = pattern(
  String.raw`[!?。！？\n]+|(?<=[\p{L}\p{M}\d]);|, (?:but|so|now) (?=(?:just |please |now |then |can you |could you )*(?:show|give|list|tell|find|search|get|pull|display|what|who|which|let)\b)|(?<!(?<![\p{L}\d])(?:\d{1,2}|no|vs|st|mr|dr|nr))\.+(?=\s|$|\))|\.+$|…`,
);

/** Splits a text into sentences, but not within double quotes. Positions refer to `text`. */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  const quotesHidden = text.replaceAll(/"[^"\n]*"|「[^」\n]*」/g, (quote) => "q".repeat(quote.length));
  let start = 0;
  while (start < text.length && sentences.length < listingLimits.readSentences) {
    const end = sentenceEnd.exec(quotesHidden.slice(start));
    const length = end === null ? text.length - start : end.index;
    const sentence = text.slice(start, start + length);
    if (sentence.trim() !== "")
      sentences.push({
        start,
        text: sentence,
        question: end !== null && /[?？]/.test(end[0]),
        exclaimed: end !== null && /[!！]/.test(end[0]),
      });
    start += length + (end?.[0].length ?? 0);
  }
  return sentences;
}
