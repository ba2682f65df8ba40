import type { Chart } from "../text/chart.ts";
import { fold } from "../text/fold.ts";
import { Grammar } from "../text/grammar.ts";
import { listPhrases } from "../text/phrases.ts";
import ar from "./ar.json" with { type: "json" };
import common from "./common.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import hi from "./hi.json" with { type: "json" };
import id from "./id.json" with { type: "json" };
import it from "./it.json" with { type: "json" };
import ja from "./ja.json" with { type: "json" };
import ko from "./ko.json" with { type: "json" };
import nl from "./nl.json" with { type: "json" };
import pl from "./pl.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };
import ru from "./ru.json" with { type: "json" };
import sv from "./sv.json" with { type: "json" };
import tr from "./tr.json" with { type: "json" };
import uk from "./uk.json" with { type: "json" };
import zh from "./zh.json" with { type: "json" };

/** Structure of all language files. Lists contain phrases in the syntax of {@link Grammar.add}. */
interface Language {
  /** Phrases for a concept, such as `today`. The concepts are features of the model. */
  words: Record<string, string>;
  /** Further words used in the grammar's phrases. */
  lists: Record<string, string>;
  /**
   * Phrases for the values of a category, such as the numbers of months. Values of times are timeframes, or readers in `findings/times.ts`.
   */
  values: Record<string, Record<string, string>>;
  /**
   * Filler words around a search query: verbs and polite phrases that open it (`opening`, which also shows the language; empty for
   * languages with the verb at the end) or close it (`closing`), articles, prepositions and generic nouns (`before`, `after`).
   */
  query?: Record<string, string>;
}

const files = { common, ar, de, en, es, fr, hi, id, it, ja, ko, nl, pl, pt, ru, sv, tr, uk, zh };
const languages: Record<string, Language> = files as never;

/** Codes of the languages in which messages are understood. */
export const languageCodes: readonly string[] = Object.keys(languages).filter((code) => code !== "common");

const grammar = new Grammar();
for (const { words, lists, values } of Object.values(languages)) {
  for (const [name, phrases] of Object.entries({ ...words, ...lists })) grammar.add(name, "", phrases);
  for (const [category, meanings] of Object.entries(values)) {
    for (const [meaning, phrases] of Object.entries(meanings)) grammar.add(category, meaning, phrases);
  }
}
for (const zone of Intl.supportedValuesOf("timeZone")) {
  // "Indian/Christmas" and "Pacific/Easter" usually mean the days.
  if (!zone.includes("/") || /^Etc\/|\/(?:Christmas|Easter)$/.test(zone)) continue;
  grammar.add("city", zone, fold(zone.slice(zone.lastIndexOf("/") + 1)).replaceAll("_", " "));
}

const parsed = new Map<string, Chart>();
const maxParsedTexts = 32;

/** All phrases in a folded text. */
export function parse(text: string): Chart {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const chart = grammar.parse(text);
  if (parsed.size >= maxParsedTexts) parsed.clear();
  parsed.set(text, chart);
  return chart;
}

/** Whether a folded text is a phrase of a category. */
export const isExactly = (category: string, text: string): boolean => parse(text).endAt(category, 0) === text.length;

/** The names of all concepts. */
export const conceptNames: ReadonlySet<string> = new Set(
  Object.values(languages).flatMap(({ words }) => Object.keys(words)),
);

let fillers: Grammar | undefined;

/** Finds the filler words in a text. Only searches need them. */
export function parseFillers(text: string): Chart {
  if (fillers === undefined) {
    fillers = new Grammar();
    for (const [code, { query = {} }] of Object.entries(languages)) {
      for (const [kind, phrases] of Object.entries(query)) fillers.add(`${code}.${kind}`, "", phrases);
    }
  }
  return fillers.parse(text);
}

const isWestern = (code: string): boolean =>
  (languages[code]?.query?.opening ?? languages[code]?.query?.closing) !== undefined;
export const westernLanguages: readonly string[] = Object.keys(languages).filter(
  (code) => code !== "en" && isWestern(code),
);
/** Languages whose queries aren't marked by surrounding words, and which are mostly written without spaces. */
export const easternLanguages: readonly string[] = Object.keys(languages).filter((code) => !isWestern(code));

/** Languages that write the month or year before the day: 11/04/2026 is 4 November. */
const dayLast: readonly string[] = ["en", "ja", "ko", "zh"];

let vocabularies: Map<string, Set<string>> | undefined;

/** Whether a folded text has more words of a language that writes the day before the month than English words. */
export function writesDayFirst(text: string): boolean {
  vocabularies ??= new Map(Object.entries(languages).map(([code, language]) => [code, readVocabulary(language)]));
  const words = text.match(word) ?? [];
  const counts = [...vocabularies].map(([code, known]) => ({
    code,
    count: words.filter(
      (one) => known.has(one) || Array.from(one, (_, at) => `${one.slice(0, at)}*`).some((stem) => known.has(stem)),
    ).length,
  }));
  const english = counts.find(({ code }) => code === "en")?.count ?? 0;
  return counts.some(({ code, count }) => code !== "common" && !dayLast.includes(code) && count > english);
}

const word = /\p{L}[\p{L}\p{M}]*\*?/gu;

/** The words of a language, and its stems ("launch*"). */
function readVocabulary({ words, lists, values, query = {} }: Language): Set<string> {
  const phrases = [words, lists, ...Object.values(values), query].flatMap((one) => Object.values(one));
  return new Set(
    phrases
      .flatMap((list) => listPhrases(fold(list.replaceAll(/\{[\w.]+\}/g, ""))))
      .flatMap((phrase) => phrase.match(word) ?? []),
  );
}
