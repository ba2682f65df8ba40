import { withoutArabicParticle } from "./arabic.ts";
import { splitCompound } from "./compounds.ts";
import { detectLanguage } from "./detect.ts";
import type { Language, StemmedLanguage } from "./languages.ts";
import { chooseByScript, isStemmed, stemmers } from "./languages.ts";
import { stopWords } from "./stop-words.ts";
import { vocabulary } from "./vocabulary.ts";
import { foldWord, isPaired, splitPairs, splitWords } from "./words.ts";

/** Maximum number of words whose terms are cached in each language. Stemming takes 2 to 30 µs, and most words of a text are frequent ones. */
const maxCachedWords = 30_000;
/** Maximum length of an indexed word. Longer runs of letters and digits are encoded data. */
const maxWordLetters = 64;

interface Lexicon {
  /** Not indexed. */
  stopWords: ReadonlySet<string>;
  /** Words that say nothing about a question's subject, including the stop words. */
  functionWords: ReadonlySet<string>;
  terms: Map<string, readonly string[]>;
}

const lexicons = new Map<StemmedLanguage, Lexicon>();

function getLexicon(language: StemmedLanguage): Lexicon {
  const known = lexicons.get(language);
  if (known) return known;
  const { common, asking } = stopWords[language];
  const commonWords = splitWords(common);
  const created: Lexicon = {
    stopWords: new Set(commonWords),
    functionWords: new Set([...commonWords, ...splitWords(asking)]),
    terms: new Map(),
  };
  lexicons.set(language, created);
  return created;
}

/**
 * Returns the terms by which a text is indexed and searched, in text order: stems without accents and stop words, parts of German
 * compounds, pairs of Chinese, Japanese and Korean characters. Indexing and search must use the same languages, or terms differ. A word in
 * a script of none of the languages is analysed in the language of its script. With several languages, a word gives the terms of each.
 */
export function analyze(text: string, languages: readonly Language[]): string[] {
  const stemmed = toStemmed(languages);
  const numbers = vocabulary.number(text);
  if (numbers === undefined) return splitWords(text).flatMap((word) => getTerms(word, stemmed));
  // Most words give exactly one term.
  const found: string[] = new Array(numbers.length);
  let count = 0;
  const known = vocabulary.facts<readonly string[]>(`terms in ${stemmed.join(" ")}`);
  // Iterators would create several objects per word.
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number;
    let terms = known[number];
    if (terms === undefined) {
      terms = getTerms(vocabulary.words[number] ?? "", stemmed);
      known[number] = terms;
    }
    for (let index = 0; index < terms.length; index++) found[count++] = terms[index] as string;
  }
  found.length = count;
  return found;
}

/**
 * Returns the distinct terms by which a question searches texts in several languages. Function words of the question's own language are
 * left out for all languages: German "die" isn't English "die", and "how many" occurs in every other text. If a question has no other
 * words, only its stop words are left out.
 */
export function analyzeQuestion(question: string, languages: readonly Language[]): Set<string> {
  const [own = "en"] = toStemmed([detectLanguage(question) ?? "en"]);
  const stemmed = toStemmed(languages);
  const { stopWords, functionWords } = getLexicon(own);
  const words = splitWords(question);
  const content = words.filter((word) => !functionWords.has(word));
  const searched = content.length > 0 ? content : words.filter((word) => !stopWords.has(word));
  return new Set(searched.flatMap((word) => getAskedTerms(word, stemmed)));
}

/**
 * Returns the terms that say what a question is about, without the question words of any of the languages, unless there are no other words.
 * The question's own language is always included.
 */
export const getContentTerms = (text: string, languages: readonly Language[] = []): ReadonlySet<string> =>
  new Set(findContentWords(text, languages).flatMap((word) => word.terms));

/** The words of `getContentTerms`, each with its terms. Pairs of Chinese, Japanese and Korean characters count as words. */
export function getContentWords(text: string, languages: readonly Language[] = []): (readonly string[])[] {
  const words = findContentWords(text, languages).flatMap(({ word, terms }) =>
    isPaired(word) ? withoutHiragana(terms).map((pair) => [pair]) : [terms],
  );
  return [...new Map(words.filter(({ length }) => length > 0).map((terms) => [terms[0], terms])).values()];
}

/** Japanese writes endings and particles in Hiragana, so pairs with it say little, unless there are no others. */
function withoutHiragana(pairs: readonly string[]): readonly string[] {
  const others = pairs.filter((pair) => !/\p{sc=Hiragana}/u.test(pair));
  return others.length > 0 ? others : pairs;
}

function findContentWords(text: string, languages: readonly Language[]): { word: string; terms: readonly string[] }[] {
  const own = detectLanguage(text);
  const stemmed = toStemmed(own === undefined ? languages : [own, ...languages]);
  const asked = own !== undefined && isStemmed(own) ? [own] : [...stemmed, "en" as const];
  const content = splitWords(text).filter((word) => {
    if (isPaired(word)) return !/^\p{sc=Hiragana}+$/u.test(word);
    return !asked.some((language) => getLexicon(language).functionWords.has(word));
  });
  return content.map((word) => ({ word, terms: getAskedTerms(word, stemmed) }));
}

const toStemmed = (languages: readonly Language[]): StemmedLanguage[] => [...new Set(languages)].filter(isStemmed);

/** The terms of a question's word. Texts may have an Arabic word without the particle that is joined to it in the question. */
function getAskedTerms(word: string, languages: readonly StemmedLanguage[]): readonly string[] {
  const bare = withoutArabicParticle(word);
  return bare === word ? getTerms(word, languages) : [word, bare].flatMap((one) => getTerms(one, languages));
}

function getTerms(word: string, languages: readonly StemmedLanguage[]): readonly string[] {
  const known = languages.length === 1 && languages[0] ? getLexicon(languages[0]).terms.get(word) : undefined;
  if (known) return known;
  if (word.length > maxWordLetters) return [];
  if (isPaired(word)) return splitPairs(word);
  const [first = "en", ...others] = chooseByScript(word, languages);
  const terms = getTermsIn(word, first);
  return others.length === 0 ? terms : [...new Set([terms, ...others.map((one) => getTermsIn(word, one))].flat())];
}

function getTermsIn(word: string, language: StemmedLanguage): readonly string[] {
  const { terms, stopWords } = getLexicon(language);
  const known = terms.get(word);
  if (known) return known;
  const parts = language === "de" ? splitCompound(withUmlauts(word)) : [];
  const made = stopWords.has(word) ? [] : [word, ...parts].map((part) => stem(part, language));
  if (terms.size >= maxCachedWords) terms.clear();
  terms.set(word, made);
  return made;
}

function stem(word: string, language: StemmedLanguage): string {
  const written = language === "de" ? withUmlauts(word) : word;
  return foldWord(/\p{N}/u.test(word) ? word : stemmers[language](written));
}

/** Rewrites `ae`, `oe` and `ue` as umlauts (the Snowball stemmer's variant German2), since many keyboards lack them. */
const withUmlauts = (word: string): string =>
  word.replace(/ae|oe|(?<![aeq])ue/g, (digraph) => ({ ae: "ä", oe: "ö", ue: "ü" })[digraph] ?? digraph);
