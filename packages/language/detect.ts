import type { Language, StemmedLanguage } from "./languages.ts";
import { stemmedLanguages } from "./languages.ts";
import { stopWords } from "./stop-words.ts";
import { isAscii, splitWords } from "./words.ts";

/** Only the beginning of a text is examined: a few sentences hold dozens of stop words. */
const maxExaminedCharacters = 600;
/** Points for a stop word of the list `common`. One of the list `asking` gets 1. */
const commonWeight = 2;
/** Points for a letter that only few languages use. */
const letterWeight = 0.5;

/** Share of the letters that a script needs for its language. */
const minShareOfScript = 0.4;
const isLatin = /^[\0-\u02ff]*$/;

const letters: [RegExp, StemmedLanguage[]][] = [
  [/ß/, ["de"]],
  [/[ñ¿¡]/, ["es"]],
  [/[ãõ]/, ["pt"]],
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

/** The languages that have a word among their stop words, each with the word's points. Filled on first use. */
const weights = new Map<string, [StemmedLanguage, number][]>();

function readWeights(): typeof weights {
  if (weights.size > 0) return weights;
  for (const language of stemmedLanguages) {
    const { common, asking } = stopWords[language];
    const commonWords = new Set(splitWords(common));
    for (const word of new Set([...commonWords, ...splitWords(asking)])) {
      const known = weights.get(word) ?? [];
      known.push([language, commonWords.has(word) ? commonWeight : 1]);
      weights.set(word, known);
    }
  }
  return weights;
}

/**
 * The language of a text: that of most of its function words (Grefenstette 1995, "Comparing two language identification schemes"),
 * or of its script. Undefined for text in Latin letters without function words, such as a name or a table. Models of n-grams
 * recognise many of these too, but take 90 MB of memory.
 */
export function detectLanguage(text: string): Language | undefined {
  const examined = text.slice(0, maxExaminedCharacters);
  return detectByScript(examined) ?? detectByWords(examined);
}

/** The language of most of a text's letters, if they are of a script that only one supported language uses. */
function detectByScript(text: string): Language | undefined {
  if (isLatin.test(text)) return undefined;
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
  const points = new Map<StemmedLanguage, number>();
  const add = (language: StemmedLanguage, weight: number) => points.set(language, (points.get(language) ?? 0) + weight);
  const words = splitWords(text);
  for (const word of words) for (const [language, weight] of readWeights().get(word) ?? []) add(language, weight);
  for (const [letter, languages] of isAscii(text) ? [] : letters) {
    if (letter.test(text)) for (const language of languages) add(language, letterWeight);
  }
  const [best] = [...points].sort((one, other) => other[1] - one[1]);
  return best?.[0] ?? (/\p{sc=Cyrillic}/u.test(text) ? "ru" : undefined);
}
