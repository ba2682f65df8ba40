const segmenters = new Map<"word" | "sentence", Intl.Segmenter>();

/** Created on first use, because loading the dictionaries would slow down the start of processes that never need them. */
export function segmenter(granularity: "word" | "sentence"): Intl.Segmenter {
  const known = segmenters.get(granularity);
  if (known) return known;
  const created = new Intl.Segmenter("und", { granularity });
  segmenters.set(granularity, created);
  return created;
}

/** Scripts that are written without spaces between words. */
export const unspacedScript =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/**
 * Scripts that are indexed by pairs of characters. Dictionaries find Chinese and Japanese words only roughly, and may split a question
 * differently from a text. Korean words end with particles that no dictionary removes.
 */
const pairedScript = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー々]+/u;
const pairedRuns = new RegExp(pairedScript, "gu");

/** A number with separators, or a word that may contain apostrophes and combining marks. */
const tokens = /\p{Nd}+(?:[.,]\p{Nd}+)+|[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu;
/** The same tokens in ASCII text, found three times as fast. */
const asciiTokens = /\d+(?:[.,]\d+)+|[a-z\d]+(?:'[a-z]+)*/g;
const latinWord = /^[a-z\d\u00df-\u024f]+$/;
const thousands = /^[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*$/;

const latinMarks = /[\u0300-\u036f]/g;
/** Letters that Unicode doesn't decompose into a base letter and a mark. */
const plainLetters: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};
/** Arabic vowel signs and the character that stretches words (tatweel). */
const arabicMarks = /[\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]/g;
const arabicLetters: Record<string, string> = {
  آ: "ا",
  أ: "ا",
  إ: "ا",
  ٱ: "ا",
  ى: "ي",
  ی: "ي",
  ک: "ك",
  ة: "ه",
  ؤ: "و",
  ئ: "ي",
};

export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Converts text to lower case in Unicode's compatibility form, with ASCII digits and unified variants of Arabic letters. */
export function normalize(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(arabicMarks, "")
    .replaceAll("٫", ".")
    .replace(/[\u0622-\u06cc]/g, (letter) => arabicLetters[letter] ?? letter)
    .replace(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));
}

/**
 * Removes accents from a word. Vowel signs of scripts other than Latin, Greek and Cyrillic stay, because words would lose their meaning.
 */
export function foldWord(word: string): string {
  if (isAscii(word)) return word;
  return word
    .normalize("NFD")
    .replace(latinMarks, "")
    .normalize("NFC")
    .replace(/[ßæœøłđðþı]/g, (letter) => plainLetters[letter] ?? letter);
}

/** Converts text to lower case without accents. */
export const fold = (text: string): string => foldWord(normalize(text));

/**
 * Splits a text in any script into words, in lower case, with their accents. Hyphenated terms and identifiers are split into their parts
 * (`il-6`, `max_bytes`). Of a word with apostrophes only the longest part stays (`l'acqua`, `company's`). Numbers stay whole, without
 * thousands separators: `1,000` and `1.000` become `1000`, `3,5` becomes `3.5`.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  const normal = normalize(text);
  for (const token of normal.match(isAscii(normal) ? asciiTokens : tokens) ?? []) {
    if (latinWord.test(token)) words.push(token);
    else if (/^\p{Nd}/u.test(token) && /[.,]/.test(token)) words.push(toNumber(token));
    else if (unspacedScript.test(token)) words.push(...splitUnspaced(token));
    else words.push(/['’]/.test(token) ? getLongestPart(token) : token);
  }
  return words;
}

export const toNumber = (token: string): string =>
  thousands.test(token) ? token.replace(/[.,]/g, "") : token.replaceAll(",", ".");

const getLongestPart = (token: string): string =>
  token.split(/['’]/).reduce((longest, part) => (part.length > longest.length ? part : longest));

function splitUnspaced(token: string): string[] {
  const words: string[] = [];
  let end = 0;
  for (const { 0: run, index } of token.matchAll(pairedRuns)) {
    words.push(...splitByDictionary(token.slice(end, index)), run);
    end = index + run.length;
  }
  return [...words, ...splitByDictionary(token.slice(end))];
}

function splitByDictionary(text: string): string[] {
  if (text === "" || !unspacedScript.test(text)) return text === "" ? [] : [text];
  return Array.from(segmenter("word").segment(text), ({ segment }) => segment);
}

/** The indexed form of a word: pairs of neighbouring characters in scripts without clear word boundaries, otherwise the word itself. */
export function splitPairs(word: string): string[] {
  const characters = isPaired(word) ? Array.from(word) : [];
  if (characters.length < 2) return [word];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

export const isPaired = (word: string): boolean => !isAscii(word) && pairedScript.test(word);
