import type { Language, StemmedLanguage } from "./languages.ts";
import { stemmedLanguages } from "./languages.ts";
import { stopWords } from "./stop-words.ts";
import { vocabulary } from "./vocabulary.ts";
import { isAscii, splitWords } from "./words.ts";

/** Maximum length of the examined beginning: a few sentences contain dozens of stop words. */
const maxExaminedCharacters = 600;
/** Points for a stop word of the list `common`. A word of the list `asking` gets 1. */
const commonWeight = 2;
/** Points for a letter that only a few languages use. */
const letterWeight = 0.5;

/** Minimum share of letters in a script for the text to be in the script's language. */
const minShareOfScript = 0.4;
const ofOneLanguage = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}\p{sc=Hangul}\p{sc=Thai}\p{sc=Arabic}\p{sc=Greek}]/u;

const vietnameseLetter = /[ạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/giu;
/** Minimum share of letters that occur only in Vietnamese. Names in other languages have fewer. */
const minShareOfVietnamese = 0.05;

const letters: [RegExp, StemmedLanguage[]][] = [
  [/ß/, ["de"]],
  [/[ñ¿¡]/, ["es"]],
  [/[ãõ]/, ["pt"]],
  [/[ąęłśźżćń]/, ["pl"]],
  [/[øæ]/, ["da", "no"]],
  [/å/, ["sv", "no", "da"]],
  [/[ğış]/, ["tr"]],
  [/[őű]/, ["hu"]],
  [/[țșăţ]/, ["ro"]],
  [/[êœùû]/, ["fr"]],
  [/ö/, ["de", "sv", "fi", "tr", "hu"]],
  [/ü/, ["de", "tr", "hu"]],
  [/ä/, ["de", "fi", "sv"]],
  [/[іїєґ]/, ["uk"]],
];

/** Pairs of numbers: the index of a language in `stemmedLanguages`, and its points. */
type Weights = readonly number[];

const none: Weights = [];

/** Points of each function word. Filled on first use. */
const weights = new Map<string, number[]>();

function getWeights(word: string): Weights {
  if (weights.size === 0) readWeights();
  return weights.get(word) ?? none;
}

function readWeights(): void {
  for (const [place, language] of stemmedLanguages.entries()) {
    const { common, asking } = stopWords[language];
    const commonWords = new Set(splitWords(common));
    for (const word of new Set([...commonWords, ...splitWords(asking)])) {
      const known = weights.get(word) ?? [];
      known.push(place, commonWords.has(word) ? commonWeight : 1);
      weights.set(word, known);
    }
  }
}

/** Points of the function words at the beginning of a text, one entry per occurrence. */
function findWeights(text: string): Weights[] {
  const numbers = vocabulary.number(text);
  if (numbers === undefined) return splitWords(text.slice(0, maxExaminedCharacters)).map(getWeights);
  const known = vocabulary.facts<Weights>("languages");
  const found: Weights[] = [];
  for (let at = 0; at < numbers.length && (vocabulary.starts[at] as number) < maxExaminedCharacters; at++) {
    const number = numbers[at] as number;
    const weighed = known[number] ?? getWeights(vocabulary.words[number] ?? "");
    known[number] = weighed;
    if (weighed.length > 0) found.push(weighed);
  }
  return found;
}

/**
 * How questions begin in each language. Short questions have too few words to detect the language: "come" is Italian for "how", "was
 * kostet" has more Dutch words than German ones.
 */
const openings: [Language, RegExp][] = [
  ["en", /^\W*(?:how|when|where|what|who|which|why|can|could|does|did)\s/i],
  [
    "de",
    /^\W*(?:wer|wann|wo|warum|wieso|wie ?viele?|welche[mnrs]?|wo(?:r(?:an|auf|aus|in|über|um)|bei|durch|für|gegen|her|hin|mit|nach|von|zu)|was (?:war|waren|wird|wurde|hat|haben|machen|kostet|kosten|verdient|schuldet|bekommt|braucht|wiegt|enthält|umfasst|fehlt|kommt|liegt|ist|sind|macht|hilft|muss|passiert|bedeutet|zahlt|steht|gibt|gilt|heißt|soll|darf))\s|^\W*(?:öffnungszeiten|preise?)\W*$/i,
  ],
  [
    "fr",
    /^\W*(?:qui|quand|où|combien|pourquoi|(?:(?:[aà]|de|dans|en|pour) )?quel(?:le)?s?|puis-je|peut-on|faut-il|y a-t-il|est-ce)\s|^\W*combien d['’]|^\W*prix\W*$/i,
  ],
  ["es", /^\s*¿/],
  ["it", /^\W*(?:(?:che )?cosa|chi|dove|devo|quanti|quante|perché|a che ora)\s|^\W*c['’]è\s/i],
  ["pt", /^\W*(?:quem|onde|preciso|posso (?:fazer|ter|levar)|a que horas|qual é|até que|com que)\s/i],
  [
    "nl",
    /^\W*(?:wie (?:is|was|zijn|heeft|geeft|mag|kan|leest)|hoe(?:veel)?|waar|wanneer|waarom|welke?|mag|moet|kun)\s|^\W*wat kost\s/i,
  ],
  ["pl", /^\W*(?:kto|kiedy|gdzie|dlaczego|czy|od (?:jakiego|kiedy)|jak(?:i|a|ie)?)\s/i],
  ["ja", /^何[時人年月日]/],
  // Turkish question words are at the end of a question, or in the middle.
  ["tr", /(?<!\p{L})(?:hangi(?:si|leri)?|kaç(?:ıncı)?|kimdir?|nedir|nelerdir|neydi|nerede|ne (?:ad|zaman))(?!\p{L})/iu],
];
/** Maximum length of a question. Longer texts have enough words to detect their language. */
const maxQuestionCharacters = 100;

/**
 * Detects the language of a text: the one with the most function words in it (Grefenstette 1995, "Comparing two language identification
 * schemes"), or the one of its script. Undefined for text in Latin letters without function words, such as a name or a table. N-gram models
 * recognise many of these too, but take 90 MB of memory.
 */
export function detectLanguage(text: string): Language | undefined {
  const opening =
    text.length > maxQuestionCharacters ? undefined : openings.find(([, begins]) => begins.test(text))?.[0];
  if (opening) return opening;
  const examined = text.slice(0, maxExaminedCharacters);
  return isVietnamese(examined) ? undefined : (detectByScript(examined) ?? detectByWords(text));
}

/** Whether a text is in Vietnamese, whose syllables look like words of other languages. */
export function isVietnamese(text: string): boolean {
  const own = text.match(vietnameseLetter);
  return own !== null && own.length > minShareOfVietnamese * (text.match(/\p{L}/gu)?.length ?? 0);
}

/** The language of the script that most letters belong to, if only one supported language uses that script. */
function detectByScript(text: string): Language | undefined {
  if (isAscii(text) || !ofOneLanguage.test(text)) return undefined;
  const count = (script: RegExp) => text.match(script)?.length ?? 0;
  const kana = count(/[\p{sc=Hiragana}\p{sc=Katakana}]/gu);
  const counts: [Language, number][] = [
    [kana > 0 ? "ja" : "zh", kana + count(/\p{sc=Han}/gu)],
    ["ko", count(/\p{sc=Hangul}/gu)],
    ["th", count(/\p{sc=Thai}/gu)],
    ["ar", count(/\p{sc=Arabic}/gu)],
    ["el", count(/\p{sc=Greek}/gu)],
  ];
  const [language, most] = counts.reduce((best, next) => (next[1] > best[1] ? next : best));
  return most > minShareOfScript * count(/\p{L}/gu) ? language : undefined;
}

function detectByWords(text: string): Language | undefined {
  const points = new Float64Array(stemmedLanguages.length);
  /** Languages in order of occurrence: a tie goes to the first. */
  const met: number[] = [];
  const add = (language: number, weight: number) => {
    if (points[language] === 0) met.push(language);
    points[language] = (points[language] as number) + weight;
  };
  for (const found of findWeights(text)) {
    for (let at = 0; at < found.length; at += 2) add(found[at] as number, found[at + 1] as number);
  }
  const examined = text.slice(0, maxExaminedCharacters);
  for (const [letter, languages] of isAscii(examined) ? [] : letters) {
    if (letter.test(examined)) for (const language of languages) add(stemmedLanguages.indexOf(language), letterWeight);
  }
  const getPoints = (language: number) => points[language] ?? 0;
  const best = met.reduce((first, next) => (getPoints(next) > getPoints(first) ? next : first), met[0] ?? -1);
  return stemmedLanguages[best] ?? (/\p{sc=Cyrillic}/u.test(examined) ? "ru" : undefined);
}
