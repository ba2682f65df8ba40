import type { Language } from "@agent-backends/language";
import { anything, buildWordPattern, lazy, matcher, noLetter, noWord } from "../../languages/index.ts";
import { hasNumberInLetters } from "../../text/number-words.ts";
import type { AnswerType, Measure } from "../answer-types.ts";
import {
  asksFrequency,
  asksHour,
  asksWhichDay,
  asksYear,
  findCounted,
  findMeasure,
  hasWeekday,
  stripAccents,
} from "../answer-types.ts";
import { hasCount } from "./counts.ts";
import { hasHour } from "./hours.ts";
import { namesSomeone } from "./names.ts";

const hasFrequency = matcher("values.frequencies", noLetter);
const hasMonth = matcher(["values.months", "values.shortMonths"], noWord);
const hasTimeWord = matcher("values.times", noWord);
const hasCentury = matcher("values.centuries", anything);
/** For example "Wed-Fri" or "Di–Fr 10–18 Uhr". */
const shortWeekday = lazy(() => {
  const ambiguous = String.raw`(?<!\p{L})${buildWordPattern("values.ambiguousWeekdays")}\.?(?=\s?[–,/-]|\s\p{Nd})`;
  return `${buildWordPattern("values.shortWeekdays", noLetter)}|${ambiguous}`;
}, "u");
const hasDay = (text: string): boolean => hasWeekday(text) || shortWeekday().test(text);
/** A date without its year, such as "bis 31.12." */
const shortDate = lazy(
  () =>
    String.raw`(?<!\p{L})${buildWordPattern("values.dayPrepositions")}\s+(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?!\d)`,
);
/** For example "30. August 2024", "May 3, 2026" or "3/9/18". A part of a date isn't a count. */
const date = lazy(() => {
  const month = buildWordPattern("values.months");
  const forms = [
    String.raw`\d{1,2}\.?\s+(?:de\s+)?${month}\.?(?:\s+(?:de\s+)?\d{4})?`,
    String.raw`${month}\.?\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?`,
    String.raw`\d{1,4}[./-]\d{1,2}[./-]\d{2,4}`,
  ];
  return String.raw`(?<!\p{L})(?:${forms.join("|")})(?![\p{L}\p{N}])`;
}, "giu");
/** A year, or numbers that form a date or a time. */
const dateNumber =
  /^(?:1\d{3}|20\d{2})$|(?<!\d)\d{1,2}[:/-]\d{1,2}(?!\d)|(?<!\d)\d{4}[/-]\d{1,2}(?!\d)|(?<!\d)\d{1,2}[/-](?:19|20)\d{2}$|\d\.\d{1,2}\.\d|^(?:0?\d|1\d|2[0-4])h[0-5]?\d?$/;
const yearNumber = /^(?:1\d{3}|20\d{2})$|[./-](?:1\d{3}|20\d{2})$|^(?:1\d{3}|20\d{2})[./-]/;

const hasTimeUnit = matcher(["values.timeUnits", "values.furtherTimeUnits"], noLetter);
/** "3 to 5 hours" is no price of what "charge" names. The currency SEK looks like seconds. */
const numberOfTimeUnits = lazy(() => {
  const number = String.raw`\p{Nd}[\p{Nd}.,]*`;
  const unit = buildWordPattern(["values.timeUnits", "values.furtherTimeUnits"]);
  return String.raw`${number}(?:\s*(?:[-–]|\p{L}{1,3})\s*${number})?\s*(?!SEK)${unit}(?!\p{L})`;
}, "giu");
/** For example "a year". */
const singleTimeUnit = lazy(
  () =>
    String.raw`(?<!\p{L})${buildWordPattern("values.one")}\s+(?:\p{L}+\s+)?${buildWordPattern("values.singleTimeUnits")}(?!\p{L})`,
);
/** A duration without a number: "until revoked". */
const hasOpenEnd = matcher("values.openEnds", noLetter);

const hasCurrency = matcher("values.currencies", noLetter);
const hasPriceWord = matcher("values.prices", noWord);
const namesPrice = matcher("values.priceNames", ["", noLetter[1]]);
/** Whether the name of a column, sheet or file says that the values below are prices, even without a currency symbol. */
export const speaksOfPrices = (name: string): boolean => namesPrice(name.replaceAll("_", " "));

/** For example "From 18" or "unter 12 Jahren". */
const limitOfAge = lazy(() => {
  const article = String.raw`(?:${buildWordPattern("values.articlesOfAges")}\s)?`;
  const unit = String.raw`(?:${buildWordPattern(["values.clockUnits", "values.furtherClockUnits"])}|euro?s?)(?!\p{L})`;
  const number = String.raw`\p{Nd}+(?![\p{L}\p{N}])(?!\s?[%€$£:.,]\p{Nd}?|\s${unit})`;
  const years = String.raw`\p{L}+\s${buildWordPattern("values.yearsOfAge")}(?!\p{L})`;
  return String.raw`(?<!\p{L})${buildWordPattern("values.ageLimits")}\s${article}(?:${number}|${years})`;
});
const hasAge = matcher("values.ages", noLetter);
const measures: Record<Measure, (text: string) => boolean> = {
  age: (text) => hasAge(text) || limitOfAge().test(text),
  weight: matcher("values.weights", noLetter),
  length: matcher("values.lengths", noLetter),
  size: matcher("values.sizes", noLetter),
  energy: matcher("values.energies", noLetter),
  volume: matcher("values.volumes", noLetter),
  // A postal code has five digits.
  phone: (text) => /(?:\p{Nd}[\s/().-]{0,2}){6}/u.test(text),
  email: (text) => /\S@\S/u.test(text),
  address: matcher("values.streets", noLetter),
  code: (text) => /\p{Nd}{2}|(?<!\p{L})\p{Lu}{3}|[`"“„»]/u.test(text),
  temperature: matcher("values.temperatures", noLetter),
  colour: matcher("values.colours", noLetter),
};

const blank = /_{3,}/;
const links = /\]\([^)]*\)|https?:\S+/g;
/** Section numbers, list markers and references to paragraphs or tables. They aren't values. */
const numbering = lazy(() => {
  const marker = String.raw`^\s*(?:\d{1,3}\.)+\d*\s+|^\s*\p{Nd}{1,3}[.)-]\s+|^[\s*_]*\(\d{1,3}\p{L}?\)`;
  return String.raw`${marker}|(?:§+|(?<!\p{L})${buildWordPattern("values.references")})\s*\d[\d.]*\p{L}?`;
}, "giu");

/** Whether a text has a value of the type, in digits or letters, that isn't in the question. */
export function hasAnswerOfType(
  text: string,
  type: Exclude<AnswerType, "place" | "reason">,
  question: { text: string; language: Language | undefined },
): boolean {
  const plain = text.replaceAll(links, "").replaceAll(numbering(), "").replaceAll("_", " ");
  // Where the author left a blank, there is no value.
  if (blank.test(text)) return false;
  const body = type === "number" ? plain.replaceAll(date(), "") : plain;
  const numbers = body.match(/(?<![\p{sc=Latn}\p{N}])\p{Nd}+(?:[.,:/-]\p{Nd}+)*/gu) ?? [];
  const newNumbers = numbers.filter((number) => !question.text.includes(number));
  const hasNumber = () => newNumbers.length > 0 || hasNumberInLetters(body, question.language);
  const asked = stripAccents(question.text);
  switch (type) {
    case "number": {
      const measure = findMeasure(asked);
      if (measure) return measures[measure](plain);
      if (findCounted(question.text) !== undefined) return hasCount(body, question);
      return hasNumber() || (asksFrequency(asked) && hasFrequency(body));
    }
    case "money":
      return (
        hasCurrency(body) ||
        (newNumbers.length > 0 &&
          hasPriceWord(body) &&
          /\p{Nd}/u.test(body.replaceAll(date(), "").replaceAll(numberOfTimeUnits(), "")))
      );
    case "duration":
      return (hasTimeUnit(body) && (hasNumber() || singleTimeUnit().test(body))) || hasOpenEnd(body);
    case "time":
      if (asksWhichDay(question.text, asked)) return hasDay(body);
      if (asksYear(asked)) return newNumbers.some((number) => yearNumber.test(number)) || hasCentury(body);
      if (asksHour(asked)) return hasHour(body) || newNumbers.some((number) => /^\d{1,2}[:.h]\d{2}$/.test(number));
      return (
        hasHour(body) ||
        shortDate().test(body) ||
        newNumbers.some((number) => dateNumber.test(number)) ||
        hasMonth(body) ||
        hasDay(body) ||
        hasTimeWord(body) ||
        (hasNumber() && hasTimeUnit(body))
      );
    case "version":
      return /(?<![\p{L}\p{N}.])v?\p{Nd}+\.\p{Nd}/u.test(text);
    case "person":
      return namesSomeone(body, question);
  }
}
