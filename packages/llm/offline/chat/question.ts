import type { Language } from "@agent-backends/language";
import {
  analyze,
  detectLanguage,
  fold,
  getContentTerms,
  segmenter,
  splitWords,
  unspacedScript,
} from "@agent-backends/language";
import type { AnswerType } from "./answer-types.ts";
import { findAnswerType } from "./answer-types.ts";
import { genericWords, lightWords } from "./question-words.ts";

/** A word of a question that says what it is about. */
export interface AskedWord {
  /** Folded. */
  word: string;
  /** A name or a number: an answer must be about it. */
  isKey: boolean;
  weight: number;
  /** Whether it names the kind of the answer, as "country" in "Which country …?" */
  isKind: boolean;
  /** Whether the question asks how many there are: the answer must count the same. */
  isCounted: boolean;
}

export interface Question {
  text: string;
  language: Language | undefined;
  words: AskedWord[];
  type: AnswerType | undefined;
}

/** The noun after "which" names the kind of the answer, and often isn't in it: "Which country …?", "… Norway". */
const kindWeight = 0.4;
const genericWeight = 0.5;
const shortWordWeight = 0.5;
/** German words in lower case are verbs or adjectives. Documents replace these by synonyms more often than nouns. */
const germanVerbWeight = 0.6;
/** In "Who founded …?" the verb is the most specific word. */
const actionFactor = 1.5;

const kindOfAnswer =
  /\b(?:which|how|welche[rsmn]?|quels?|quelles?|cuál(?:es)?|quale|quali|qual|quais|welke?|hoe|какой|какая|какие)\s+(?:kind of |type of |sort of )?(\p{L}+)/giu;

const action = /(?<!\p{L})(?:who|wer|qui|quién|chi|quem|кто)\s+(?:a |ha |hat |est |has )?(\p{L}+)/giu;

/** What a question counts: the words between "how many" and the verb, in other languages the noun. */
const counted =
  /\bhow many\s+(?!of )(.+?)(?=[?,]|\s(?:do|does|did|is|are|was|were|has|have|had|can|may|must|should|will|would|per|in|on|at)\s)|(?<!\p{L})(?:wie ?viele|cu[aá]nt[oa]s|quant[ie]|quant[oa]s|hoeveel|сколько|combien d(?:e|(?=['’])))(?!\p{L})[\s'’]*(\p{L}+)/giu;
/** Measures are often abbreviated, so that an answer has another word. */
const measure =
  /^(?:degrees?|graus|grados|gradi|grad|degres|types?|thousand|million|billion|percent|kilomet\w+|met(?:er|re)s?|miles?|feet|kilos?|gram\w*|liters?|litres?|tonn?e?s?|euros?|dollars?|people|persons?|times|prozent|kilometer|meter|liter|personen|menschen|leute|mal|personnes|gens|fois|personas|veces|persone|pessoas|mensen|keer)$/u;

/** The verb at the end of "What does … produce?" */
const lastVerb = /\b(?:do|does|did)\s+.*\s(\p{Ll}+)\s*\?*$/iu;

/** Question words of Chinese, Japanese and Korean. */
const askingCharacters =
  /[何誰谁几哪吗呢]|什么|多少|怎么|如何|为什么|どこ|なに|だれ|いつ|どう|どの|どれ|ください|무엇|어디|언제|누가|얼마|어떻|몇/u;
/** Chinese characters that are function words where they stand alone. */
const lightCharacters =
  /^(?:[的了是在有和与及要到能会可把被给才就都不也很这那种个下上中于为用多长最]|这种|没有|的话|时候|时间|不要)$/u;

/** Reads what a question is about. */
export function readQuestion(text: string): Question {
  const language = detectLanguage(text);
  return { text, language, type: findAnswerType(text), words: findWords(text, language) };
}

function findWords(text: string, language: Language | undefined): AskedWord[] {
  const content = getContentTerms(text);
  const keys = findKeys(text, language);
  const kinds = findCaptured(text, kindOfAnswer);
  const actions = findCaptured(text, action);
  const countedWords = findCaptured(text, counted);
  const verb = fold(lastVerb.exec(text)?.[1] ?? "");
  const words = new Map<string, AskedWord>();
  const add = (word: string, weight: number, isKey = false) => {
    if (words.has(word)) return;
    const factor = actions.has(word) ? actionFactor : 1;
    const isCounted = countedWords.has(word) && !measure.test(word) && !genericWords.has(word);
    words.set(word, { word, isKey, weight: factor * weight, isKind: kinds.has(word), isCounted });
  };
  for (const { segment, isWordLike } of segmenter("word").segment(text)) {
    if (!isWordLike) continue;
    if (unspacedScript.test(segment)) {
      if (!isFunctionWord(segment)) add(fold(segment), Array.from(segment).length > 1 ? 1 : shortWordWeight);
      continue;
    }
    for (const part of splitWords(segment)) {
      const word = fold(part);
      const isContent = analyze(part, language ? [language] : []).some((term) => content.has(term));
      if (!isContent || askingCharacters.test(part) || lightWords.has(word) || /^\p{L}$/u.test(word)) continue;
      if (keys.has(word)) add(word, 1, true);
      else if (kinds.has(word)) add(word, kindWeight);
      else if (genericWords.has(word) || word === verb) add(word, genericWeight);
      else add(word, language === "de" && !/^\p{Lu}/u.test(segment) ? germanVerbWeight : 1);
    }
  }
  return [...words.values()];
}

/** The folded words that a pattern's groups capture. */
const findCaptured = (text: string, pattern: RegExp): Set<string> =>
  new Set([...text.matchAll(pattern)].flatMap(([, ...captured]) => splitWords(captured.join(" ")).map(fold)));

/** Whether a word of a script without spaces says nothing about the question's subject. */
const isFunctionWord = (word: string): boolean =>
  askingCharacters.test(word) || lightCharacters.test(word) || /^\p{sc=Hiragana}+$/u.test(word);

/** The folded words of names, numbers and identifiers. German capitalises every noun, so that only some names are recognised. */
function findKeys(text: string, language: Language | undefined): Set<string> {
  const keys = new Set<string>();
  for (const { 0: token, index } of text.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’._/-]*/gu)) {
    const isFirst = text.slice(0, index).trim() === "";
    const isCapitalised = /^\p{Lu}/u.test(token) && !isFirst;
    const isName =
      isCapitalised && (language !== "de" || germanNameAdjective.test(token) || isCountry(token, language));
    const isIdentifier =
      /\p{N}/u.test(token) || /\p{Ll}\p{Lu}|^\p{Lu}{2,}/u.test(token) || /[/_]$/.test(text.slice(0, index));
    if (isName || isIdentifier) for (const part of splitWords(token)) keys.add(fold(part));
  }
  return keys;
}

/** Adjectives are capitalised in names only: "Institut für Niederländische Sprache". */
const germanNameAdjective = /^\p{Lu}\p{L}+(?:isch|deutsch)e[rnms]?$/u;

const countries = new Map<Language, Set<string>>();

/** Whether a word is the name of a country in a language. */
function isCountry(word: string, language: Language): boolean {
  const known = countries.get(language) ?? listCountries(language);
  countries.set(language, known);
  return known.has(word);
}

function listCountries(language: Language): Set<string> {
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
  const letters = Array.from({ length: 26 }, (_, position) => String.fromCharCode(65 + position));
  return new Set(letters.flatMap((first) => letters.flatMap((second) => names.of(first + second) ?? [])));
}
