import { Concept } from "../text/concept.ts";
import ar from "./ar.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import hi from "./hi.json" with { type: "json" };
import it from "./it.json" with { type: "json" };
import ja from "./ja.json" with { type: "json" };
import ko from "./ko.json" with { type: "json" };
import nl from "./nl.json" with { type: "json" };
import pl from "./pl.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };
import ru from "./ru.json" with { type: "json" };
import tr from "./tr.json" with { type: "json" };
import zh from "./zh.json" with { type: "json" };

type Name = keyof typeof en.words;
/** The shape of all language files. Phrases are separated by " | ", see {@link Concept}. */
interface Language {
  /** For each concept the phrases that stand for it. */
  words: Record<Name, string>;
  /** What points at the first item of a list, at the second one, and so on. */
  ordinals: string[];
  /** Names and short forms, from January and from Monday on, separated by spaces. Short forms that are also words are left out. */
  months: string[];
  weekdays: string[];
  /** The words for a number, separated by spaces. Words that mean something else in another language are left out. */
  numbers: Record<string, string>;
  /** For topics of products, by their English name, the phrases that stand for them. English ones are in `productTopic`. */
  topics: Record<string, string>;
  /** Words that the grammar looks for, as sources of regular expressions for folded text. Empty: the language has none. */
  patterns: Record<keyof typeof en.patterns, string>;
  /** Filler words around a search query, as sources of regular expressions for folded text. */
  query: {
    /** Verbs and polite phrases before the query. They also tell the language. Empty where the verb comes last. */
    opening: string;
    /** Articles, prepositions and generic nouns before the query. */
    before: string;
    /** The same after the query. */
    after: string;
  };
}

const byCode = { ar, de, en, es, fr, hi, it, ja, ko, nl, pl, pt, ru, tr, zh } satisfies Record<string, Language>;
const languages: Language[] = Object.values(byCode);

function mapValues<Key extends string, Value>(table: Record<Key, Language>, read: (language: Language) => Value) {
  return Object.fromEntries(
    Object.entries<Language>(table).map(([code, language]) => [code, read(language)]),
  ) as Record<Key, Value>;
}

/** What people say in many ways and languages, by the name that the language files give it. */
export const concepts = Object.fromEntries(
  Object.keys(en.words).map((name) => [name, new Concept(languages.map(({ words }) => words[name as Name]).join("|"))]),
) as Record<Name, Concept>;

/** What points at an item of a list, by the item's place: "the first one", "the second one". */
export const itemPhrases = en.ordinals.map(
  (_phrases, place) => new Concept(languages.map(({ ordinals }) => ordinals[place] ?? "").join("|")),
);

/** The alternatives of all languages for what the grammar looks for. The longest come first, since the first that fits counts. */
export const wordPatterns = Object.fromEntries(
  Object.keys(en.patterns).map((name) => [
    name,
    languages
      .map(({ patterns }) => patterns[name as keyof typeof en.patterns])
      .filter((source) => source !== "")
      .join("|"),
  ]),
) as Record<keyof typeof en.patterns, string>;

/** Filler words around a search query, by language. */
export const queryPhrases = mapValues(byCode, ({ query }) => query);

/** The numbers of names, from 1. */
function numberNames(lists: string[][]): ReadonlyMap<string, number> {
  return new Map(
    lists.flatMap((names) => names.flatMap((list, index) => splitNames(list).map((name) => [name, index + 1]))),
  );
}

const splitNames = (list: string): string[] => list.split(" ").filter((name) => name !== "");

export const monthNumbers = numberNames(languages.map(({ months }) => months));
/** 1 is Monday. */
export const weekdayNumbers = numberNames(languages.map(({ weekdays }) => weekdays));
export const numberWords: ReadonlyMap<string, number> = new Map(
  languages.flatMap(({ numbers }) =>
    Object.entries(numbers).flatMap(([value, list]) => splitNames(list).map((word) => [word, Number(value)])),
  ),
);

/** The topics of products, in English. */
export const englishTopics: ReadonlySet<string> = new Set(en.words.productTopic.split(" | "));

/** What stands for a topic in other languages, with the topic's English name. */
export const topicsAbroad: ReadonlyMap<Concept, string> = new Map(
  [...new Set(languages.flatMap(({ topics }) => Object.keys(topics)))].map((topic) => [
    new Concept(languages.map(({ topics }) => topics[topic] ?? "").join("|")),
    topic,
  ]),
);

/** The single English words of product topics and kinds, to correct typing mistakes in a query. */
export const productTopicWords: ReadonlySet<string> = new Set(
  `${en.words.productTopic} ${en.words.productKind}`.split(/[|\s]+/).filter((word) => /^[a-z]{5,}$/.test(word)),
);
