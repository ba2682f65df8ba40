import { isWordAt, pattern } from "../text/pattern.ts";

const words = new Map<string, number>();

// One list for all languages; words with another meaning in another language ("once", "due", "on") are left out.
const vocabulary: Record<number, string> = {
  0: "zero cero",
  1: "one single",
  2: "two couple pair dos deux zwei dois duas twee dwa dwie iki два две दो 二 两 兩 두 اثنان اثنين",
  3: "three tres trois drei tre drie trzy uc три तीन 三 세 ثلاثه ثلاثة ثلاث الثلاثة",
  4: "four cuatro quatre vier quatro quattro cztery dort четыре चार 四 네 اربعة اربع",
  5: "five cinco cinq funf cinque vijf piec bes пять पांच पाँच 五 다섯 خمسة خمس",
  6: "six seis sechs zes szesc alti шесть छह 六 여섯 ستة ست",
  7: "seven siete sept sieben sete sette zeven siedem yedi семь सात 七 일곱 سبعة سبع",
  8: "eight ocho huit acht oito otto osiem sekiz восемь आठ 八 여덟 ثمانية ثمان",
  9: "nine nueve neuf neun nove negen dziewiec dokuz девять नौ 九 아홉 تسعة تسع",
  10: "ten diez dix zehn dez dieci tien dziesiec десять दस 十 열 عشرة عشر",
  11: "eleven elf onze undici jedenascie одиннадцать ग्यारह 十一",
  12: "twelve dozen doce douze zwolf doze dodici dozzina docena dutzend douzaine duzia dozijn tuzin duzine twaalf dwanascie двенадцать बारह 十二",
  13: "thirteen trece treize dreizehn treze tredici dertien trzynascie тринадцать तेरह",
  14: "fourteen catorce quatorze vierzehn catorze quattordici veertien czternascie четырнадцать चौदह",
  15: "fifteen quince quinze funfzehn quindici vijftien pietnascie пятнадцать पंद्रह 十五",
  16: "sixteen dieciseis seize sechzehn dezesseis sedici zestien szesnascie шестнадцать",
  17: "seventeen diecisiete siebzehn dezessete diciassette zeventien siedemnascie семнадцать",
  18: "eighteen dieciocho achtzehn dezoito diciotto achttien osiemnascie восемнадцать",
  19: "nineteen diecinueve neunzehn dezenove diciannove negentien dziewietnascie девятнадцать",
  20: "twenty veinte vingt zwanzig vinte venti twintig dwadziescia yirmi двадцать बीस 二十 스무",
  25: "veinticinco venticinque vijfentwintig पच्चीस 二十五",
  30: "thirty treinta trente dreisig trinta trenta dertig trzydziesci otuz тридцать तीस 三十",
  40: "forty cuarenta quarante vierzig quarenta quaranta veertig czterdziesci kirk сорок चालीस 四十",
  50: "fifty cincuenta cinquante funfzig cinquenta cinquanta vijftig piecdziesiat elli пятьдесят पचास 五十",
  60: "sixty sesenta soixante sechzig sessenta sessanta zestig szescdziesiat altmis шестьдесят साठ 六十",
  70: "seventy setenta siebzig settanta zeventig siedemdziesiat yetmis семьдесят",
  80: "eighty ochenta achtzig oitenta ottanta tachtig osiemdziesiat seksen восемьдесят",
  90: "ninety noventa neunzig novanta negentig dziewiecdziesiat doksan девяносто",
  100: "hundred cien cent hundert cem cento honderd sto yuz сто सौ 一百",
  1000: "thousand",
};
for (const [value, list] of Object.entries(vocabulary)) {
  for (const word of list.split(" ")) words.set(word, Number(value));
}

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

/** All numbers in a folded text, in order. */
export function findNumbers(text: string): NumberPhrase[] {
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
