const words: Record<string, number> = {};

// One list for all languages; words that mean something else in another one ("once", "due", "on") are left out.
const vocabulary: Record<number, string> = {
  1: "one single",
  2: "two couple pair dos deux zwei dois duas twee dwa dwie iki два две दो 二 两 兩 두",
  3: "three tres trois drei tre drie trzy uc три तीन 三 세",
  4: "four cuatro quatre vier quatro quattro cztery dort четыре चार 四 네",
  5: "five cinco cinq funf cinque vijf piec bes пять पांच पाँच 五 다섯",
  6: "six seis sechs zes szesc alti шесть छह 六 여섯",
  7: "seven siete sept sieben sete sette zeven siedem yedi семь सात 七 일곱",
  8: "eight ocho huit acht oito otto osiem sekiz восемь आठ 八 여덟",
  9: "nine nueve neuf neun nove negen dziewiec dokuz девять नौ 九 아홉",
  10: "ten diez dix zehn dez dieci tien dziesiec десять दस 十 열",
  11: "eleven elf onze undici",
  12: "twelve dozen doce douze zwolf doze dodici twaalf dwanascie двенадцать",
  13: "thirteen",
  14: "fourteen",
  15: "fifteen quince quinze funfzehn quindici vijftien pietnascie пятнадцать पंद्रह 十五",
  16: "sixteen",
  17: "seventeen",
  18: "eighteen",
  19: "nineteen",
  20: "twenty veinte vingt zwanzig vinte venti twintig dwadziescia yirmi двадцать बीस 二十 스무",
  25: "twenty-five veinticinco",
  30: "thirty treinta trente dreisig trinta trenta dertig trzydziesci otuz тридцать तीस 三十",
  40: "forty",
  50: "fifty cincuenta cinquante funfzig cinquenta cinquanta vijftig piecdziesiat elli пятьдесят पचास 五十",
  100: "hundred cien cent hundert cem cento honderd sto yuz сто सौ 一百",
  1000: "thousand",
};
for (const [value, list] of Object.entries(vocabulary)) {
  for (const word of list.split(" ")) words[word] = Number(value);
}

const byLength = Object.keys(words).sort((one, other) => other.length - one.length);
const spaced = byLength.filter((word) => /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Devanagari}-]+$/u.test(word));
const unspaced = byLength.filter((word) => !spaced.includes(word));

/** A number in digits or words, as the source of a regular expression without groups. */
export const numberSource = `(?:-?\\d{1,3}(?:,\\d{3})+|-?\\d{1,15}k?(?![\\d\\p{L}-])|-?\\d{1,15}(?=[\\p{Script=Han}\\p{Script=Hangul}\\p{Script=Hiragana}\\p{Script=Katakana}])|(?:(?:an? )?half a |an? |two |one )?(?<![\\p{L}])(?:${spaced.join("|")})(?![\\p{L}\\p{M}])|${unspaced.join("|")})`;

/** The value of a text that {@link numberSource} matched. */
export function numberFrom(text: string): number {
  const digits = /^(-?)([\d,]+)(k?)$/.exec(text);
  if (digits !== null) return Number(`${digits[1]}${digits[2]?.replaceAll(",", "")}`) * (digits[3] === "k" ? 1000 : 1);
  const [, factor, word = text] = /^((?:an? )?half a |an? |two |one )?(\S+)$/u.exec(text) ?? [];
  const value = words[word] ?? Number.NaN;
  if (factor === undefined) return value;
  if (factor.includes("half")) return Math.floor(value / 2);
  return factor.startsWith("two") ? 2 * value : value;
}
