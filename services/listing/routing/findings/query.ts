import { easternLanguages, isExactly, parseFillers, westernLanguages } from "../languages/index.ts";
import { blankOut, isUnspacedAt } from "../text/characters.ts";
import type { Chart, Place, Span } from "../text/chart.ts";
import { fold } from "../text/fold.ts";
import type { Message } from "../text/message.ts";

/** Maximum length of a query, in characters. */
export const maxQueryCharacters = 200;

const quotes = /"([^"\n]+)"|「([^」\n]+)」|『([^』\n]+)』|(?<=^|[\s(:,])'([^'\n]+)'(?=$|[\s).:,;!?])/;
const field = /(?<![\p{L}\p{N}])(?:q|query|keywords?|search term)\s?[=:]\s?(.+)$/u;
const eastern = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Devanagari}]/u;

/**
 * The search query in a part of a message, without verbs, polite phrases and generic nouns. Empty if nothing remains.
 *
 * @param hidden parts that aren't in the query, such as the limit and the time
 */
export function extractQuery(
  message: Message,
  chart: Chart,
  { start, end }: Place,
  hidden: readonly (Place | undefined)[],
): string {
  const part = blankOut(chart.text.slice(0, end), hidden).slice(start);
  const quoted = quotes.exec(part);
  const given = quoted ?? field.exec(part);
  let range: Place;
  if (given !== null) {
    const group = given.slice(1).find((value) => value !== undefined) ?? "";
    const from = start + given.index + given[0].indexOf(group);
    range = { start: from, end: from + group.length };
  } else {
    const name = chart.all("named").find((named) => named.start >= start && named.end < end);
    range = trim(part, start, name);
  }
  if (quoted === null) range.start = startOfTitle(message, start, range.start);
  return cleanQuery(written(message, part, start, range), quoted !== null);
}

/** The original text without its hidden parts. */
function written(message: Message, part: string, start: number, range: Place): string {
  const shown = part.slice(range.start - start, range.end - start).matchAll(/[^\ue000]+/g);
  const places = [...shown].map(({ index, 0: { length } }) => ({
    start: range.start + index,
    end: range.start + index + length,
  }));
  return places.map(message.written).join(" ");
}

const titleWord = /(?<=\s)(?:Top|Best|New|Good|Great|Hot|The|All|Most|More|Popular|Cool|Every|Another|Other|Nice) $/;

/** Moves the start of the query back over capitalised words of a name: "Top Hat", "The New Yorker". */
function startOfTitle(message: Message, start: number, from: number): number {
  if (!/^\p{Lu}/u.test(message.raw.slice(message.rawIndex(from)))) return from;
  const [title] = titleWord.exec(message.written({ start, end: from })) ?? [];
  return title === undefined ? from : startOfTitle(message, start, from - title.length);
}

/** Removes filler words from both ends, or those after a name: "an app called Launch". */
function trim(part: string, start: number, name: Span | undefined): Place {
  const fillers = parseFillers(part);
  const languages = detectLanguages(part, fillers);
  const leading = new Set(languages.flatMap((code) => [`${code}.opening`, `${code}.before`]));
  const trailing = languages.flatMap((code) => fillers.all(`${code}.after`));
  const isCompounding = languages.length > 1;
  let from = name === undefined ? 0 : name.end - start;
  let hasOpening = name !== undefined;
  for (;;) {
    from += leadingSigns.exec(part.slice(from))?.[0].length ?? 0;
    const filler = fillers
      .at(from)
      .find(({ category, end }) => leading.has(category) && !joinedBehind.test(part.slice(end)));
    if (filler === undefined || name !== undefined || fillers.endAt("en.keep", from) !== undefined) break;
    hasOpening ||= filler.category.endsWith(".opening");
    from = filler.end;
  }
  let to = part.length;
  for (;;) {
    to = from + part.slice(from, to).replace(trailingSigns, "").length;
    const ending = trailing.filter(
      (one) => one.end === to && one.start >= from && standsAlone(part, one, isCompounding),
    );
    if (ending.length === 0) break;
    const longest = Math.min(...ending.map((filler) => filler.start));
    // A name may be a word that is normally removed.
    if (name !== undefined && longest === from) break;
    to = part.charAt(longest - 1) === "-" ? longest - 1 : longest;
  }
  const isLong = !hasOpening && part.slice(from, to).split(" ").length > maxQueryWords;
  for (const asked of isLong ? findRequests(from, to, fillers) : []) {
    const { start: first, end } = trim(part.slice(asked), 0, undefined);
    const query = part.slice(asked).slice(first, end);
    // "I have dyslexia and want something that helps with it" needs its story.
    if (!isGeneric(query) && !query.split(" ").some((word) => pronoun.test(word)))
      return { start: start + asked + first, end: start + asked + end };
  }
  return { start: start + from, end: start + Math.max(from, to) };
}

/** More words than this tell a story before they ask for something. */
const maxQueryWords = 12;
/** Maximum length of the request after a story. */
const maxRequestCharacters = 100;
/** Shorter phrases, such as "and", also occur within a story. */
const minOpeningCharacters = 5;

/** Where a long text may ask for something: "I run a bakery, I'd like to know which products there are for invoicing". */
const findRequests = (from: number, to: number, fillers: Chart): number[] =>
  ["en", ...westernLanguages]
    .flatMap((code) => fillers.all(`${code}.opening`))
    .filter(({ start, end }) => start > Math.max(from, to - maxRequestCharacters) && end < to)
    .flatMap(({ start, end }) => (end - start >= minOpeningCharacters ? [start] : []))
    .sort((one, other) => one - other);

const leadingSigns = /^(?:[\s,:;=!?¿¡()\ue000。、，：-]|\.(?!\p{L}))*/u;
const trailingSigns = /(?:[\s,.:;!?¿¡\ue000。、，？！]|\([\s\ue000]*\))*$/;
/** "a" and "q" in "a/b" and "q&a" are not separate words. */
const joinedBehind = /^(?:[/&]|-)\p{L}/u;

/** Whether a word stands alone. "Notiz-Apps" ends with a product. English hyphenates other words: "pop-up", "check-in". */
function standsAlone(part: string, { start }: Span, isCompounding: boolean): boolean {
  const before = part.charAt(start - 1);
  if (before === "-") return isCompounding;
  // "Top Hat, the classroom app"
  if (part.charAt(start) === ",") return true;
  return before === "" || /[\s,\ue000]/.test(before) || isUnspacedAt(part, start);
}

/** The languages whose filler words count, detected by a filler at the beginning or the end. */
function detectLanguages(part: string, fillers: Chart): string[] {
  if (eastern.test(part)) return [...easternLanguages, "en"];
  const start = leadingSigns.exec(part)?.[0].length ?? 0;
  const end = part.replace(trailingSigns, "").length;
  const told = westernLanguages.filter(
    (code) =>
      fillers.endAt(`${code}.opening`, start) !== undefined ||
      fillers.all(`${code}.closing`).some((closing) => closing.end === end),
  );
  return [...told, "en"];
}

// "no-code" and "self-hosted" are one word each; "time-tracking" is two.
const boundPrefix = /^(?:no|low|self|non|anti|multi|pre|co|re|e|x|un|cross|micro|\p{L}|.*\d.*)$/iu;

function cleanQuery(text: string, isLiteral: boolean): string {
  const single = text.replaceAll(/\s+/g, " ").trim().slice(0, maxQueryCharacters);
  if (isLiteral) return single;
  return single
    .split(" ")
    .map((word) =>
      /^[a-zß-ɏ]+(?:-[a-zß-ɏ]+)+$/.test(word) && !boundPrefix.test(word.slice(0, word.indexOf("-")))
        ? word.replaceAll("-", " ")
        : word,
    )
    .join(" ");
}

/** Whether a text contains a quotation. */
export const hasQuotes = (text: string): boolean => quotes.test(text);

const pronoun = /^(?:it|them|that|this|those|these|one|her|him|eso|esto|eine[rns]?|mich|daran)$/i;

/** Whether the query contains only generic words such as "products". */
export function isGeneric(query: string): boolean {
  return (
    query === "" ||
    fold(query)
      .split(" ")
      .every((word) => isExactly("anyProduct", word) || pronoun.test(word))
  );
}
