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
 * The shape of all files. The English one has every list, empty where only other languages need it. A list such as
 * `prices? | kost- | -weg` has regular expressions without capturing groups. A hyphen at an end stands for any further letters.
 */
interface LanguageFile extends Partial<Record<Section, Record<string, string>>> {
  /** Numbers in letters. One is missing where it is also an article. */
  numbers?: string;
  /** Words of questions that say little of what they are about: what one does with anything, and what fits to any answer. */
  light?: string;
  /** Greetings, thanks and farewells, and the answer to them. */
  courtesy?: { words: string; answer: string };
  /** Says that the documents don't answer. `foreign` is added when what was found is in other languages only. `empty`: there are none. */
  refusal?: { plain: string; foreign: string; empty: string };
}

/**
 * The name of a list, such as `values.months`. Lists of questions and keywords, and `values.countedUnits`, are in lower case and
 * without accents, as `stripAccents` makes what they are compared with.
 */
export type ListName = { [S in Section]: `${S}.${string & keyof (typeof en)[S]}` }[Section];

export const english = en;
const files: Record<string, LanguageFile> = { common, en, de, fr, es, it, pt, nl, pl, sv, da, ru, ja, zh, ko, ar };
/** By language. `common` has signs, and words of languages without a file. The Danish words are also Norwegian. */
export const languages: readonly [code: string, file: LanguageFile][] = Object.entries(files);
/** Written without spaces, or with prefixes that are joined to words: their words are found anywhere. */
const unspaced: ReadonlySet<string> = new Set(["ja", "zh", "ko", "ar"]);

/** What stands before and behind a word. */
type Boundary = readonly [before: string, behind: string];
export const anything: Boundary = ["", ""];
export const noLetter: Boundary = [String.raw`(?<!\p{L})`, String.raw`(?!\p{L})`];
/** No letter, digit or underscore. */
export const noWord: Boundary = [String.raw`(?<![\p{L}\p{N}_])`, String.raw`(?![\p{L}\p{N}_])`];

/** The source of a RegExp for the words of some lists in all languages. */
export function anyOf(lists: ListName | readonly ListName[], boundary = anything): string {
  const words = [lists].flat().flatMap((list) => languages.flatMap(([code, file]) => readList(list, code, file)));
  return joinWords(words, boundary);
}

/** The same for a list of one language. */
export const anyOfWords = (list: string, boundary: Boundary): string => joinWords(list.split(" | "), boundary);

function readList(name: ListName, code: string, file: LanguageFile): string[] {
  const [section = "", key = ""] = name.split(".");
  const list = file[section as Section]?.[key] ?? "";
  const words = list === "" ? [] : list.split(" | ");
  return unspaced.has(code) ? words.map((word) => `-${word}-`) : words;
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

/** A RegExp that is built when it is first needed. */
export function lazy(source: () => string, flags = "iu"): () => RegExp {
  let pattern: RegExp | undefined;
  return () => {
    pattern ??= new RegExp(source(), flags);
    return pattern;
  };
}

/** Tells whether a text has a word of some lists. */
export function matcher(
  lists: ListName | readonly ListName[],
  boundary: Boundary,
  flags?: string,
): (text: string) => boolean {
  const pattern = lazy(() => anyOf(lists, boundary), flags);
  return (text) => pattern().test(text);
}
