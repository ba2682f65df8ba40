import type { Language } from "@agent-backends/language";
import {
  analyze,
  detectLanguage,
  fold,
  getContentTerms,
  segmenter,
  splitCompound,
  splitWords,
  unspacedScript,
} from "@agent-backends/language";
import { buildWordPattern, languages, lazy } from "../languages/index.ts";
import { isFunctionWord, isUnanalysed } from "../text/function-words.ts";
import { isNumberWord } from "../text/number-words.ts";
import type { AnswerType } from "./answer-types.ts";
import { findAnswerType, findCounted, findMeasure, stripAccents } from "./answer-types.ts";

/** A word that says what a question is about. */
export interface AskedWord {
  /** Folded form. */
  word: string;
  /** Original form with accents. Without them "исторической" has another stem. */
  written: string;
  /** Parts of a German compound. */
  parts: AskedWord[];
  /** A number (also as a word), or an identifier with digits. */
  isNumber: boolean;
  /** For example `max_bytes` or SNB22-3. */
  isIdentifier: boolean;
  /** A name. In German, where every noun is capitalised, a likely name. */
  isName: boolean;
  /** Whether the word names the kind of answer, as "country" does in "Which country …?" */
  isKind: boolean;
  /** Whether the word is the thing that "what is the …" asks for. */
  isAttribute: boolean;
  /** How much the word says about the subject of the question, 0…1. */
  weight: number;
}

export interface Question {
  text: string;
  language: Language | undefined;
  words: AskedWord[];
  type: AnswerType | undefined;
}

/** Weights of words such as "bring" or "valid", and of German verbs and adjectives, for which texts often use other words. */
export const lightWeight = 0.4;
const verbWeight = 0.6;

/** Maximum number of words. Each is looked up in every statement, so further words of a long question are ignored. */
const maxWords = 40;

/** The words after "which" or "how many" up to the verb. */
const kindOfAnswer = lazy(
  () => String.raw`(?<!\p{L})${buildWordPattern("words.which")}\s+(?:${buildWordPattern("words.sortOf")} )?(\p{L}+)`,
  "giu",
);

/** The thing that "what is the …" asks for. */
const attribute = lazy(() => {
  const whatIs = `${buildWordPattern("words.what")}['’ ]*${buildWordPattern("words.is")}`;
  const theNew = String.raw`${buildWordPattern(["words.ownArticles", "words.articles"])}\s*(?:${buildWordPattern("words.newest")}\s+)?`;
  return String.raw`(?<!\p{L})${whatIs}\s+${theNew}(\p{L}+)`;
}, "giu");

/** The adjective in "how long" is part of the question word. */
const asksHow = lazy(() => String.raw`(?<!\p{L})${buildWordPattern("words.how")}\s+(\p{L}+)`, "giu");

/** A German separable prefix at the end of a question. */
const separated = /\s(ab|an|auf|aus|bei|ein|her|hin|los|mit|nach|statt|teil|um|vor|weg|zu|zurück)\W*$/u;
/** Where the verb of that prefix may be: after "wann", or after the noun in "Welcher deutsche König gab …?" */
const verbPlace = /(?<=^\P{L}*(?![Ww]elch)\p{L}+\s|\s\p{Lu}[\p{L}-]+\s)\p{Ll}+/gu;

/** Question words of Chinese, Japanese and Korean. */
const askingCharacters = lazy(() => buildWordPattern("words.askingCharacters"), "u");
/** Chinese characters that are function words when they stand alone. */
const lightCharacters = lazy(() => `^${buildWordPattern("words.lightCharacters")}$`, "u");

/** Particles and endings of a Korean word. The rest has at least two characters. */
const koreanEnding = lazy(() => `(?<=^\\p{sc=Hangul}{2,})${buildWordPattern("words.endings")}$`, "u");

/** A letter that names something, as in "category B". */
const letterName = /(?<=\p{Ll}\s)(?!I)[A-Z](?![\p{L}\p{N}'’.])/gu;

/** Letters combined with digits, or parts joined by underscores. */
const identifier =
  /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}_/.-]*(?:\p{N}|_))(?=[\p{L}\p{N}_/.-]*\p{L})[\p{L}\p{N}]+(?:[_/.-]+[\p{L}\p{N}]+)+/gu;

/** Reads what a question is about. */
export function readQuestion(text: string): Question {
  const language = detectLanguage(text);
  const content = getContentTerms(text);
  const names = findNames(text, language);
  const attributes = new Set([...text.matchAll(attribute())].map(([, word = ""]) => fold(word)));
  const kinds = new Set([...text.matchAll(kindOfAnswer())].map(([, word = ""]) => fold(word)));
  const type = findAnswerType(text);
  // An hour or a colour doesn't need the question's noun beside it: "on Friday" answers "Which day?" A number does.
  const isValue = type !== "number" || findMeasure(stripAccents(text)) !== undefined;
  const isTyped = type !== undefined && isValue && findCounted(text) === undefined;
  const adjectives = new Set([...text.matchAll(asksHow())].map(([, word = ""]) => fold(word)));
  const words = new Map<string, AskedWord>();
  // Only German capitalises all nouns, and only careful writers do.
  const hasNouns = language === "de" && /(?<=\p{L}.*)\s\p{Lu}\p{Ll}/u.test(text);
  const add = (token: string, written = token) => {
    const word = fold(token);
    const isNumber = /\p{N}/u.test(word) || isNumberWord(word, language);
    const isVerb = hasNouns && /^\p{Ll}/u.test(written);
    words.set(word, {
      word,
      written: token,
      parts: language === "de" && !isVerb ? splitCompound(token.toLowerCase()).map(toPart) : [],
      isNumber,
      isIdentifier: /[\p{L}\p{N}][_/.-][\p{L}\p{N}]/u.test(word),
      isName: names.has(word) && !isNumber,
      isKind: kinds.has(word) || attributes.has(word),
      isAttribute: attributes.has(word),
      weight: weigh(token, isVerb),
    });
  };
  const weigh = (token: string, isVerb: boolean) => {
    const isImplied = isTyped && kinds.has(fold(token));
    if (isImplied || isLight(token, language)) return lightWeight;
    return isVerb ? verbWeight : 1;
  };
  for (const [token] of text.matchAll(identifier)) if (!unspacedScript.test(token)) add(token);
  const letters = new Set(text.match(letterName)?.map(fold));
  const saysNothing = isUnanalysed(text) ? isFunctionWord : () => false;
  for (const segment of segmentWords(text)) {
    if (askingCharacters().test(segment) || saysNothing(segment)) continue;
    if (unspacedScript.test(segment)) {
      if (!lightCharacters().test(segment) && !/^\p{sc=Hiragana}+$/u.test(segment)) add(segment);
      continue;
    }
    for (const part of splitWords(segment)) {
      const terms = analyze(part, language ? [language] : []);
      const says = /^\p{L}$/u.test(part) ? letters.has(fold(part)) : terms.some((term) => content.has(term));
      if (says && !adjectives.has(fold(part))) add(part.replace(koreanEnding(), ""), segment);
    }
  }
  // "How old must I be?" has no other word, while "much" in "How much is it?" says nothing.
  if (words.size === 0 && type !== "money") for (const adjective of adjectives) add(adjective);
  if (language === "de") joinSeparated(words, text);
  return { text, language, type, words: [...words.values()].slice(0, maxWords) };
}

/** Joins adjacent single characters that aren't words: they form a name that is in no dictionary, such as 哈钦森. */
function segmentWords(text: string): string[] {
  const words: string[] = [];
  let isOpen = false;
  for (const { segment, isWordLike } of segmenter("word").segment(text)) {
    const isLone =
      /^\p{sc=Han}$/u.test(segment) && !lightCharacters().test(segment) && !askingCharacters().test(segment);
    if (isLone && isOpen) words.push(`${words.pop()}${segment}`);
    else if (isWordLike) words.push(segment);
    isOpen = isLone;
  }
  return words;
}

/** Joins a separated verb: "Wann fängt … an?" asks with "anfängt". Texts may also have "fängt … an". */
function joinSeparated(words: Map<string, AskedWord>, text: string): void {
  const [, prefix] = separated.exec(text) ?? [];
  if (prefix === undefined) return;
  const [verb = ""] = [...text.matchAll(verbPlace)].flat().filter((word) => words.has(fold(word)));
  const asked = words.get(fold(verb));
  if (!asked) return;
  const parts = [verb, prefix].map(toPart);
  words.set(asked.word, { ...asked, word: fold(prefix + verb), written: prefix + verb, parts });
  words.delete(prefix);
}

const nothingSpecial = { isNumber: false, isIdentifier: false, isName: false, isKind: false, isAttribute: false };

const toPart = (part: string): AskedWord => ({
  word: fold(part),
  written: part,
  parts: [],
  ...nothingSpecial,
  weight: 1,
});

/**
 * Whether a German noun is probably a name: it stands next to another noun, as in "Warschauer Pakt", or has no article and is no plural, as
 * in "in Bern".
 */
function isGermanName(text: string, token: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - maxWordLetters), index);
  if (/\s\p{Lu}[\p{L}-]+\s$/u.test(before) || /^\s\p{Lu}/u.test(text.slice(index + token.length))) return true;
  return withoutArticle.test(before) && !/(?:e[nr]?|ung|heit|keit|schaft|ion|tät)$/u.test(token);
}

const maxWordLetters = 40;
/** Words before a noun without an article. Many verbs end in "t". */
const withoutArticle = /(?<!\p{L})(?:in|aus|nach|von|bei|um|\p{Ll}+t|wird|war|waren|wurden?|haben)\s$/u;

/** The folded words of names, numbers and identifiers. */
function findNames(text: string, language: Language | undefined): Set<string> {
  const names = new Set<string>();
  for (const { 0: token, index } of text.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’._/-]*/gu)) {
    const isFirst = text.slice(0, index).trim() === "" || /^I['’]/.test(token);
    const isCapitalised = /^\p{Lu}/u.test(token) && !isFirst && (language !== "de" || isGermanName(text, token, index));
    const isIdentifier = /\p{N}|\p{Ll}\p{Lu}|^\p{Lu}{2,}/u.test(token) || /[/_]$/.test(text.slice(0, index));
    if (isCapitalised || isIdentifier) for (const part of splitWords(token)) names.add(fold(part));
  }
  return names;
}

let lightStems: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Whether a word says little about the subject of a question. */
function isLight(word: string, language: Language | undefined): boolean {
  lightStems ??= new Map(
    languages.flatMap(([name, { light }]) => (light ? [[name, new Set(analyze(light, [name as Language]))]] : [])),
  );
  const known = lightStems.get(language ?? "");
  const terms = language ? analyze(word, [language]) : [];
  return known !== undefined && terms.length > 0 && terms.every((term) => known.has(term));
}
