import { concepts, productTopicWords, topicsAbroad, wordPatterns } from "../languages/index.ts";
import type { Message } from "../text/message.ts";
import { blank, pattern } from "../text/pattern.ts";
import { Dictionary, rightWords } from "../text/typos.ts";
import { easternAfter, easternBefore, englishTrimmer, otherTrimmers, turkishTrimmer } from "./query-phrases.ts";

const { anyProduct } = concepts;

/** Maximum length of a query, in characters. */
export const maxQueryCharacters = 200;

const quotes = pattern(
  String.raw`"([^"\n]+)"|「([^」\n]+)」|『([^』\n]+)』|(?<=^|[\s(:,])'([^'\n]+)'(?=$|[\s).:,;!?])`,
);
const field = pattern(String.raw`(?<![\p{L}\p{N}])(?:q|query|keywords?|search term)\s?[=:]\s?(.+)$`);
const named = new RegExp(`\\b(?:${wordPatterns.named})\\s+(.+)$`);
const eastern = pattern(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Devanagari}]`,
);
const turkishVerb = pattern(
  String.raw`(?<![\p{L}])(?:bul(?:un|ur musun|abilir misin)?|ara(?:t|r misin|yin|stir)?|ariyorum|goster|var mi|oner|istiyorum|lazim|alternatif\p{L}*|benzeri)(?:,? (?:lutfen|tesekkurler|tesekkur ederim|sagol))?[\s.!?]*$`,
);

/**
 * Extracts the search query from `part`, the message's text from `start` on, without verbs, polite phrases and generic nouns.
 * Limit, time and timezone are already blanked out in it. Empty if nothing remains.
 */
export function extractQuery(message: Message, part: string, start: number): string {
  const place = (match: RegExpExecArray): [number, number] => {
    const group = match.slice(1).find((value) => value !== undefined) ?? "";
    const from = match.index + match[0].indexOf(group);
    return [from, from + group.length];
  };
  const quoted = quotes.exec(part);
  let range: [number, number] = [0, part.length];
  if (quoted !== null) range = place(quoted);
  else {
    const given = field.exec(part) ?? named.exec(part);
    if (given !== null) range = place(given);
    if (given === null) range = trim(part);
    else if (!/[=:]/.test(given[0])) {
      // A name may be a word that is normally trimmed: "an app called Launch".
      const [from, to] = trimEnd(part, range);
      if (from < to) range = [from, to];
    }
  }
  if (quoted === null) range[0] = startOfTitle(message, part, start, range[0]);
  const written = message.raw.slice(message.rawIndex(start + range[0]), message.rawIndex(start + range[1]));
  // Only `part` is blanked, not the text as written.
  const kept = [...part.slice(range[0], range[1])].every((character) => character !== blank)
    ? written
    : withoutBlanks(message, part, start, range);
  return clean(kept, quoted !== null);
}

const titleWord = /(?<=\s)(?:Top|Best|New|Good|Great|Hot|The|All|Most|More|Popular|Cool|Every|Another|Other|Nice) $/;

/** Moves the start of the query back over capitalised words of a name: "Top Hat", "The New Yorker". */
function startOfTitle(message: Message, part: string, start: number, from: number): number {
  const raw = message.raw.slice(message.rawIndex(start), message.rawIndex(start + part.length));
  if (raw.length !== part.length || !/^\p{Lu}/u.test(raw.slice(from))) return from;
  const title = titleWord.exec(raw.slice(0, from));
  return title === null ? from : startOfTitle(message, part, start, title.index);
}

function withoutBlanks(message: Message, part: string, start: number, [from, to]: [number, number]): string {
  let kept = "";
  for (let index = from; index < to; index++) {
    const rawStart = message.rawIndex(start + index);
    kept +=
      part.charAt(index) === blank
        ? " "
        : message.raw.slice(rawStart, Math.max(rawStart, message.rawIndex(start + index + 1)));
  }
  return kept;
}

const leadingSigns = pattern(String.raw`^(?:[\s,:;=!?¿¡\ue000-]|\.(?!\p{L}))*`);

function trim(part: string): [number, number] {
  if (eastern.test(part)) {
    const lead = easternBefore.exec(part)?.[0].length ?? 0;
    const tail = easternAfter.exec(part.slice(lead).slice(-longestTail))?.[0].length ?? 0;
    if (tail > 0 || lead > 0) return part.length - tail > lead ? [lead, part.length - tail] : [0, 0];
  }
  const trimmers = [englishTrimmer];
  const foreign = otherTrimmers.filter(({ opens }) => opens.test(part));
  // "find" is German as well as English: the English reading comes first where both open the sentence.
  if (!englishTrimmer.opens.test(part) || foreign.some(({ before }) => before.test(part.replace(/^\S+ /, ""))))
    trimmers.unshift(...foreign);
  if (turkishVerb.test(part)) trimmers.unshift(turkishTrimmer);
  let [from, to] = [0, part.length];
  for (let steps = 0; steps < longestTrim; steps++) {
    const rest = part.slice(from, to);
    const matches = trimmers.map(({ before }) => before.exec(rest)?.[0].length ?? 0);
    const lead = Math.max(...matches, leadingSigns.exec(rest)?.[0].length ?? 0);
    if (lead === 0) break;
    from += lead;
  }
  return trimEnd(part, [from, to], trimmers);
}

/** Maximum length of a filler phrase at the end, in characters. */
const longestTail = 48;

/** Maximum number of filler phrases to remove from either end. */
const longestTrim = 24;

function trimEnd(part: string, [from, end]: [number, number], trimmers = [englishTrimmer]): [number, number] {
  let to = end;
  for (let steps = 0; steps < longestTrim; steps++) {
    const rest = part.slice(from, to);
    const tail = Math.max(
      ...trimmers.map(({ after }) => after.exec(rest.slice(-longestTail))?.[0].length ?? 0),
      /[\s,.:;!?¿¡\ue000]*$/.exec(rest)?.[0].length ?? 0,
    );
    if (tail === 0 || rest.length === 0) break;
    to -= tail;
  }
  return [from, Math.max(from, to)];
}

// "no-code" and "self-hosted" are one word each; "time-tracking" is two.
const boundPrefix = pattern(
  String.raw`^(?:no|low|self|non|anti|multi|pre|co|re|e|x|un|cross|micro|\p{L}|.*\d.*)$`,
  "i",
);

function clean(text: string, literal: boolean): string {
  const single = text.replaceAll(/\s+/g, " ").trim().slice(0, maxQueryCharacters);
  if (literal) return single;
  return single
    .split(" ")
    .map((word) =>
      /^\p{Ll}+(?:-\p{Ll}+)+$/u.test(word) && !boundPrefix.test(word.slice(0, word.indexOf("-")))
        ? word.replaceAll("-", " ")
        : word,
    )
    .map((word) =>
      /^[a-z]{5,18}$/.test(word) && !productTopicWords.has(word) && !anyProduct.isExactly(word)
        ? meantTopic(word)
        : word,
    )
    .join(" ");
}

const topicDictionary = new Dictionary(productTopicWords);
const topicNamesAbroad = [...topicsAbroad.keys()];
const letters = (word: string): string => [...word].sort().join("");

/** Corrects short words only if two letters are swapped: "vidoe", but not "plane". */
function meantTopic(word: string): string {
  const topic = topicDictionary.nearest(word) ?? word;
  if (rightWords.has(word) || topicNamesAbroad.some((names) => names.isExactly(word))) return word;
  // "musica" is "music" in another language, not a mistake.
  if (topic.length < word.length && word.startsWith(topic)) return word;
  return word.length > 5 || letters(topic) === letters(word) ? topic : word;
}

/** Whether the text contains a quotation. */
export function hasQuotes(text: string): boolean {
  return quotes.test(text);
}

/** Whether the text marks something as a name, by quotes or words: "a product called Today". */
export function isLiteral(text: string): boolean {
  return hasQuotes(text) || named.test(text);
}

const pronoun = /^(?:it|them|that|this|those|these)$/;

/** Whether the query only contains generic words such as "products". */
export function isGeneric(query: string): boolean {
  return (
    query === "" ||
    query
      .toLowerCase()
      .split(" ")
      .every((word) => anyProduct.isExactly(word) || pronoun.test(word))
  );
}
