import ar from "./ar.json" with { type: "json" };
import common from "./common.json" with { type: "json" };
import da from "./da.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import it from "./it.json" with { type: "json" };
import ja from "./ja.json" with { type: "json" };
import ko from "./ko.json" with { type: "json" };
import nl from "./nl.json" with { type: "json" };
import pl from "./pl.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };
import ru from "./ru.json" with { type: "json" };
import sv from "./sv.json" with { type: "json" };
import zh from "./zh.json" with { type: "json" };

type Section = "questions" | "keywords" | "values" | "words";

/**
 * Structure of all language files. The English file has every list, with empty ones where only other languages need them. A list such as
 * `prices? | kost- | -weg` contains regular expressions without capturing groups. A hyphen at either end stands for any further letters.
 * Arabic words match in any spelling, with joined particles.
 */
interface LanguageFile extends Partial<Record<Section, Record<string, string>>> {
  /** Number words. A number word that is also an article is left out. */
  numbers?: string;
  /** Frequent words that say little about what a question is about: verbs that fit any object, and nouns that fit any answer. */
  light?: string;
  /** Greetings, thanks and farewells, and the response to them. */
  courtesy?: { words: string; answer: string };
  /**
   * The response if the documents contain no answer. `foreign` is appended if the results are only in other languages. `empty` is used if
   * there are no documents.
   */
  refusal?: { plain: string; foreign: string; empty: string };
}

/**
 * Name of a list, such as `values.months`. Lists of questions and keywords, and `values.countedUnits`, are in lower case and without
 * accents, because they are compared with the output of `stripAccents`.
 */
export type ListName = { [S in Section]: `${S}.${string & keyof (typeof en)[S]}` }[Section];

export const english = en;
const files: Record<string, LanguageFile> = { common, en, de, fr, es, it, pt, nl, pl, sv, da, ru, ja, zh, ko, ar };
/** Language files by code. `common` has symbols, and words of languages without a file. The Danish words also serve Norwegian. */
export const languages: readonly [code: string, file: LanguageFile][] = Object.entries(files);
/** Languages written without spaces, or with particles joined to words: their words are matched anywhere. */
const unspaced: ReadonlySet<string> = new Set(["ja", "zh", "ko"]);

/** Patterns for the text before and after a word. */
type Boundary = readonly [before: string, behind: string];
export const anything: Boundary = ["", ""];
export const noLetter: Boundary = [String.raw`(?<!\p{L})`, String.raw`(?!\p{L})`];
/** No adjacent letter, digit or underscore. */
export const noWord: Boundary = [String.raw`(?<![\p{L}\p{N}_])`, String.raw`(?![\p{L}\p{N}_])`];

/** Builds the RegExp source that matches the words of some lists in all languages. */
export function buildWordPattern(lists: ListName | readonly ListName[], boundary = anything): string {
  const words = [lists].flat().flatMap((list) => languages.flatMap(([code, file]) => readList(list, code, file)));
  return joinWords(words, boundary);
}

/** Builds the RegExp source for a list of one language. */
export const anyOfWords = (list: string, boundary: Boundary, code = ""): string =>
  joinWords(spell(list.split(" | "), code, true), boundary);

function readList(name: ListName, code: string, file: LanguageFile): string[] {
  const [section = "", key = ""] = name.split(".");
  const list = file[section as Section]?.[key] ?? "";
  const words = list === "" ? [] : list.split(" | ");
  return unspaced.has(code) ? words.map((word) => `-${word}-`) : spell(words, code, section === "values");
}

const spell = (words: readonly string[], code: string, hasParticles: boolean): string[] =>
  code === "ar" ? words.map((word) => spellArabic(word, hasParticles)) : [...words];

/** Letters that are often written for one another, because hamza and dots are left out. */
const variants = ["[اأإآ]", "[ةه]", "[ىي]"];
/** Vowel signs and the character that stretches words. Both may follow any letter. */
const marks = String.raw`[\u064b-\u0652\u0640]*`;
/** A conjunction, a preposition and the article, which are joined to the next word. */
const conjunction = String.raw`(?<!\p{L})[وف]?`;
const particles = `${conjunction}(?:[بك]?ال|لل|[بكل])?`;

/** Builds the RegExp source for an Arabic word in any spelling. The particles before it may include prepositions and the article. */
function spellArabic(word: string, hasParticles: boolean): string {
  const letters = word.replaceAll(/(\[[^\]]*\])|[ء-ي]/g, (letter, some?: string) => {
    if (some !== undefined) return some;
    return `${variants.find((letters) => letters.includes(letter)) ?? letter}${marks}`;
  });
  const [, body, end] = /^(.*?)(-?)$/.exec(letters) ?? [];
  return `-${hasParticles ? particles : conjunction}(?:${body})${end}`;
}

function joinWords(words: readonly string[], [before, behind]: Boundary): string {
  const groups = Map.groupBy(new Set(words), (word) => `${word.startsWith("-")} ${word.endsWith("-")}`);
  const sources = [...groups].map(([hyphens, some]) => {
    const [isOpenBefore, isOpenBehind] = hyphens.split(" ").map((open) => open === "true");
    const group = some.map((word) => word.replace(/^-|-$/g, "")).join("|");
    return `${isOpenBefore ? "" : before}(?:${group})${isOpenBehind ? "" : behind}`;
  });
  return `(?:${sources.join("|")})`;
}

/** Builds a RegExp on first use. */
export function lazy(source: () => string, flags = "iu"): () => RegExp {
  let pattern: RegExp | undefined;
  return () => {
    pattern ??= new RegExp(source(), flags);
    return pattern;
  };
}

/** Creates a function that tells whether a text contains a word of the lists. */
export function matcher(
  lists: ListName | readonly ListName[],
  boundary: Boundary,
  flags?: string,
): (text: string) => boolean {
  const pattern = lazy(() => buildWordPattern(lists, boundary), flags);
  return (text) => pattern().test(text);
}
