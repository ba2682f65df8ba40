import type { ListName } from "../languages/index.ts";
import { anyOf, lazy, matcher, noLetter, noWord } from "../languages/index.ts";

/** The type of value that a question asks for. */
export type AnswerType = "person" | "version" | "time" | "duration" | "number" | "money" | "place" | "reason";

/** Creates a function that tells whether a question, without accents, matches a list. */
const asks = (list: ListName) => matcher(list, noWord, "u");

/** Checked in order: the first match wins. */
const questions: [AnswerType, (plain: string) => boolean][] = [
  ["version", asks("questions.version")],
  ["duration", asks("questions.duration")],
  ["money", asks("questions.money")],
  ["number", asks("questions.number")],
  ["time", asks("questions.time")],
  ["person", asks("questions.person")],
  ["place", asks("questions.place")],
  ["reason", asks("questions.reason")],
];
const keywords: typeof questions = [
  ["money", asks("keywords.money")],
  ["number", asks("keywords.number")],
  ["time", asks("keywords.time")],
];

/** Quantities that a number can measure, and values such as phone numbers, whose digits don't count anything. */
const measures = {
  age: asks("questions.age"),
  weight: asks("questions.weight"),
  length: asks("questions.length"),
  size: asks("questions.size"),
  phone: asks("questions.phone"),
  email: asks("questions.email"),
  address: asks("questions.address"),
  code: asks("questions.code"),
  temperature: asks("questions.temperature"),
};
/** Quantities that a question can also name by their unit: "How many calories …?" */
const units = {
  weight: matcher("values.weights", noLetter),
  energy: matcher("values.energies", noLetter),
  volume: matcher("values.volumes", noLetter),
};
export type Measure = keyof typeof measures | keyof typeof units;

/** The quantity that a question (without accents) asks for, if it isn't a count. */
export function findMeasure(plain: string): Measure | undefined {
  const [, first = ""] = counted().exec(plain) ?? [];
  return findName(measures, plain) ?? findName(units, first);
}

const findName = <Name extends string>(tests: Record<Name, (text: string) => boolean>, text: string) =>
  (Object.keys(tests) as Name[]).find((name) => tests[name](text));

/** "How often": the answer is a number of times, or a word for a frequency. */
export const asksFrequency = asks("questions.frequency");
export const asksYear = asks("questions.year");
export const asksHour = asks("questions.hour");
const asksWeekday = asks("questions.weekday");
/** Whether a question asks for days, such as "Are you open on Saturdays?" */
export const asksWhichDay = (question: string, plain: string): boolean =>
  asksWeekday(plain) || (hasWeekday(question) && !questions.some(([, asksFor]) => asksFor(plain)));
export const hasWeekday = matcher("values.weekdays", noWord);

/** Converts text to lower case without accents. Unlike `fold` it keeps the variants of Arabic letters, which the patterns contain. */
export const stripAccents = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ß", "ss");

/** The type of value that a question asks for, or undefined if its question words don't show one. */
export function findAnswerType(question: string): AnswerType | undefined {
  const plain = stripAccents(question);
  if (asksWeekday(plain)) return "time";
  if (findMeasure(plain)) return "number";
  const asked = questions.find(([, asksFor]) => asksFor(plain))?.[0];
  return asked ?? (hasWeekday(question) ? "time" : findKeywordType(plain));
}

const namesPrice = asks("questions.prices");

/** Finds the type of value that keywords ask for, such as "late fee first reminder". Price words count in any question. */
function findKeywordType(plain: string): AnswerType | undefined {
  if (beginsYesOrNo().test(plain)) return undefined;
  if (namesPrice(plain)) return "money";
  if (plain.split(/\s+/).length > maxKeywords) return undefined;
  return keywords.find(([, asksFor]) => asksFor(plain))?.[0];
}

const maxKeywords = 6;
const beginsYesOrNo = lazy(() => `^${anyOf("questions.yesOrNo", noWord)}`, "u");

/** The noun that "how many" counts, with the words after it: "guests can stay". Undefined for units. */
export function findCounted(question: string): string | undefined {
  const [, first = "", others = ""] = counted().exec(stripAccents(question)) ?? [];
  return first === "" || unit().test(first) ? undefined : first + others;
}

const counted = lazy(() => String.raw`(?<!\w)${anyOf("questions.count")}\s*(\p{L}+)((?:\s\p{L}+){0,2})`, "u");
/** Units are counted as in "60 euros", and their parts are no years. */
const unit = lazy(() => `^${anyOf("values.countedUnits")}$`, "u");
