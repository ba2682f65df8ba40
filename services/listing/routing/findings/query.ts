import { easternLanguages, isExactly, parseFillers, westernLanguages } from "../languages/index.ts";
import { blank, blankOut, isUnspacedAt } from "../text/characters.ts";
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
 * @param hidden what the query doesn't include, such as the limit and the time
 */
export function extractQuery(message: Message, chart: Chart, { start, end }: Place, hidden: readonly Place[]): string {
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
  return written(message, part, start, range).replaceAll(/\s+/g, " ").trim().slice(0, maxQueryCharacters);
}

/** The text as written, without what is hidden. */
function written(message: Message, part: string, start: number, range: Place): string {
  if (!part.slice(range.start - start, range.end - start).includes(blank))
    return message.raw.slice(message.rawIndex(range.start), message.rawIndex(range.end));
  let kept = "";
  for (let index = range.start; index < range.end; index++) {
    const [from, to] = [message.rawIndex(index), message.rawIndex(index + 1)];
    kept += part.charAt(index - start) === blank ? " " : message.raw.slice(from, Math.max(from, to));
  }
  return kept;
}

/** Removes filler words from both ends, or those behind a name: "an app called Launch". */
function trim(part: string, start: number, name: Span | undefined): Place {
  const fillers = parseFillers(part);
  const languages = languagesOf(part, fillers);
  const leading = new Set(languages.flatMap((code) => [`${code}.opening`, `${code}.before`]));
  const trailing = languages.flatMap((code) => fillers.all(`${code}.after`));
  const isCompounding = languages.length > 1;
  let from = name === undefined ? 0 : name.end - start;
  for (;;) {
    from += leadingSigns.exec(part.slice(from))?.[0].length ?? 0;
    const filler = fillers
      .at(from)
      .find(({ category, end }) => leading.has(category) && !joinedBehind.test(part.slice(end)));
    if (filler === undefined || name !== undefined || fillers.endAt("en.keep", from) !== undefined) break;
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
    // A name may be a word that is normally trimmed.
    if (name !== undefined && longest === from) break;
    to = part.charAt(longest - 1) === "-" ? longest - 1 : longest;
  }
  return { start: start + from, end: start + Math.max(from, to) };
}

const leadingSigns = /^(?:[\s,:;=!?¿¡()\ue000。、，：-]|\.(?!\p{L}))*/u;
const trailingSigns = /[\s,.:;!?¿¡\ue000。、，？！]*$/;
/** "a" and "q" in "a/b" and "q&a" are not separate words. */
const joinedBehind = /^(?:[/&]|-)\p{L}/u;

/** "Notiz-Apps" ends with a product. English writes these words apart: "pop-up", "check-in". */
function standsAlone(part: string, { start }: Span, isCompounding: boolean): boolean {
  const before = part.charAt(start - 1);
  if (before === "-") return isCompounding;
  return before === "" || /[\s,\ue000]/.test(before) || isUnspacedAt(part, start);
}

/** The languages whose filler words count: those that a filler at the beginning or the end tells. */
function languagesOf(part: string, fillers: Chart): string[] {
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

/** Whether a text contains a quotation. */
export const hasQuotes = (text: string): boolean => quotes.test(text);

const pronoun = /^(?:it|them|that|this|those|these)$/;

/** Whether the query only contains generic words such as "products". */
export function isGeneric(query: string): boolean {
  return (
    query === "" ||
    fold(query)
      .split(" ")
      .every((word) => isExactly("anyProduct", word) || pronoun.test(word))
  );
}
