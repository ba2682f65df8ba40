import { numberWords } from "../languages/index.ts";
import { isWordAt, pattern } from "../text/pattern.ts";

const words = new Map(numberWords);

const units = "one two three four five six seven eight nine".split(" ");
for (const [index, ten] of "twenty thirty forty fifty sixty seventy eighty ninety".split(" ").entries()) {
  for (const [one, unit] of units.entries()) words.set(`${ten}-${unit}`, (index + 2) * 10 + one + 1);
}

const digits = pattern(
  String.raw`-?\d{1,3}(?:,\d{3})+(?!\d)|-?\d{1,15}(?:k?(?![\d\p{L}-])|(?='?[iu](?![\p{L}\d]))|(?=[dhw](?![\p{L}\d'-]))|(?=[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]))`,
  "y",
);
/** Number words that have another meaning in another language. They count only next to these words. */
const guarded: Readonly<Record<string, { value: number; beside: RegExp }>> = {
  due: {
    value: 2,
    beside:
      /^due (?:giorni|settimane|mesi|anni|ore|prodotti|migliori|piu|lanci|primi|vincitori)\b|\b(?:primi|prime|prossim[ie]|altr[ie]) due\b/,
  },
  on: { value: 10, beside: /^(?<=\b(?:en iyi|ilk|top|populer) )on\b|^on (?:urun|lansman|uygulama)/ },
  once: { value: 11, beside: /^once (?:mejores|productos|mas|primeros|lanzamientos)\b/ },
};
/** "dos" is "two" in Spanish and "of the" in Portuguese. */
const notCounting = /^dos (?:ultimos|melhores|mais|produtos|lancamentos|primeiros)\b|^dos \ue000/;
const countable = /^(?:couple|pair|dozen|hundred|thousand)$/;

const factor = /(?:(?:an? )?half(?: a)? |an? |two |one )(?=[a-z])/y;
const latinWord = pattern(
  String.raw`(?:(?![\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}])+(?:[- ](?:one|two|three|four|five|six|seven|eight|nine)(?<=ty[- ][a-z]+)(?! (?:day|week|month|year)s?\b))?(?![\p{L}\p{M}])`,
  "y",
);
const mayHoldWords = pattern(String.raw`[\p{Script=Han}\p{Script=Hangul}]`);
const unspaced = [...words.keys()]
  .filter((word) => mayHoldWords.test(word))
  .sort((one, other) => other.length - one.length);

/** A number in a text, in digits or words: "7", "1,000", "2k", "ten", "half a dozen", "十". */
export interface NumberPhrase {
  start: number;
  end: number;
  value: number;
}

/** The numbers of the latest texts. Several finders look at the same text. */
const cachedTexts = new Map<string, readonly NumberPhrase[]>();
const maxCachedTexts = 32;

/** All numbers in a folded text, in order. */
export function findNumbers(text: string): readonly NumberPhrase[] {
  const known = cachedTexts.get(text);
  if (known !== undefined) return known;
  const found: NumberPhrase[] = [];
  let at = 0;
  while (at < text.length) {
    const number = numberAt(text, at);
    if (number === undefined) at++;
    else {
      found.push(number);
      at = number.end;
    }
  }
  if (cachedTexts.size >= maxCachedTexts) cachedTexts.clear();
  cachedTexts.set(text, found);
  return found;
}

function numberAt(text: string, start: number): NumberPhrase | undefined {
  const unit = text.charCodeAt(start);
  if ((unit >= 0x30 && unit <= 0x39) || unit === 0x2d) {
    // Skip digits within a longer number. The hyphen in "top-3" is not a minus sign.
    if (/\d/.test(text.charAt(start - 1)) || (unit === 0x2d && isWordAt(text, start - 1))) return undefined;
    digits.lastIndex = start;
    const [match] = digits.exec(text) ?? [];
    if (match === undefined) return undefined;
    const value = Number(match.replaceAll(/[,k]/g, "")) * (match.endsWith("k") ? 1000 : 1);
    return { start, end: start + match.length, value };
  }
  if (unit > 0x2e7f && mayHoldWords.test(text.charAt(start))) {
    const word = unspaced.find((one) => text.startsWith(one, start));
    return word === undefined ? undefined : { start, end: start + word.length, value: words.get(word) ?? 0 };
  }
  if (!isWordAt(text, start) || (isWordAt(text, start - 1) && text.charCodeAt(start - 1) < 0x2e80)) return undefined;
  factor.lastIndex = start;
  const [prefix = ""] = factor.exec(text) ?? [];
  return wordAt(text, start, prefix) ?? (prefix === "" ? undefined : wordAt(text, start, ""));
}

function wordAt(text: string, start: number, prefix: string): NumberPhrase | undefined {
  latinWord.lastIndex = start + prefix.length;
  const [word = ""] = latinWord.exec(text) ?? [];
  const value = words.get(word.replace(" ", "-")) ?? guardedValue(text, start, word);
  if (value === undefined || (prefix !== "" && !countable.test(word)) || notCounting.test(text.slice(start)))
    return undefined;
  const end = start + prefix.length + word.length;
  if (prefix.includes("half")) return { start, end, value: Math.floor(value / 2) };
  return { start, end, value: prefix === "two " ? 2 * value : value };
}

function guardedValue(text: string, start: number, word: string): number | undefined {
  const guard = guarded[word];
  if (guard === undefined) return undefined;
  const around = text.slice(Math.max(0, start - 12));
  return guard.beside.test(text.slice(start)) || guard.beside.test(around) ? guard.value : undefined;
}
