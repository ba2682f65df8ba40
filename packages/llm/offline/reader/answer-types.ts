import type { ListName } from "../languages/index.ts";
import { buildWordPattern, lazy, matcher, noLetter, noWord } from "../languages/index.ts";

/** The type of value that a question asks for. */
export type AnswerType = "person" | "version" | "time" | "duration" | "number" | "money" | "place" | "reason";

/** Creates a function that tells whether a question, without accents, matches a list. */
const asks = (list: ListName) => matcher(list, noWord, "u");

/** Checked in order: the first match wins. */
const questions = (["version", "duration", "money", "number", "time", "person", "place", "reason"] as const).map(
  (type) => [type, asks(`questions.${type}`)] as const,
);
const keywords = (["money", "duration", "number", "time"] as const).map(
  (type) => [type, asks(`keywords.${type}`)] as const,
);

/** Quantities that a number can measure, and values such as phone numbers, whose digits don't count anything. */
const measures = (
  ["age", "weight", "length", "size", "phone", "email", "address", "code", "temperature", "colour"] as const
).map((name) => [name, asks(`questions.${name}`)] as const);
/** Quantities that a question can also name by their unit: "How many calories …?" */
const units = [
  ["weight", matcher("values.weights", noLetter)],
  ["energy", matcher("values.energies", noLetter)],
  ["volume", matcher("values.volumes", noLetter)],
] as const;
export type Measure = (typeof measures | typeof units)[number][0];

/** The quantity that a question (without accents) asks for, if it isn't a count. */
export function findMeasure(plain: string): Measure | undefined {
  const [, first = ""] = counted().exec(plain) ?? [];
  return findFirst(measures, plain) ?? findFirst(units, first);
}

const findFirst = <Name>(tests: readonly (readonly [Name, (text: string) => boolean])[], text: string) =>
  tests.find(([, fits]) => fits(text))?.[0];

/** "How often": the answer is a number of times, or a word for a frequency. */
export const asksFrequency = asks("questions.frequency");
export const asksYear = asks("questions.year");
export const asksHour = asks("questions.hour");
const asksWeekday = asks("questions.weekday");
/** Whether a question asks for days, such as "Are you open on Saturdays?" */
export const asksWhichDay = (question: string, plain: string): boolean =>
  asksWeekday(plain) || (hasWeekday(question) && findFirst(questions, plain) === undefined);
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
  const plain = stripAccents(beforeFurtherOpening(question));
  if (asksWeekday(plain)) return "time";
  // "Who can see phone numbers?" asks for no number.
  if (!beginsWho().test(plain) && findMeasure(plain)) return "number";
  return findFirst(questions, plain) ?? (hasWeekday(question) ? "time" : findKeywordType(plain));
}

/** The text up to the question word of a subordinate clause: "What can I do when it rains?" asks for no time. */
function beforeFurtherOpening(question: string): string {
  const first = opening().exec(question);
  if (!first) return question;
  const start = first.index + first[0].length;
  return question.slice(0, start) + question.slice(start).replace(fromFurtherOpening(), "");
}

const opening = lazy(() => buildWordPattern("words.openings", noLetter));
const fromFurtherOpening = lazy(() => {
  const and = buildWordPattern("words.and", ["(?<!\\p{L})", "\\s"]);
  return `(?<!${and})${buildWordPattern("words.furtherOpenings", noLetter)}[^]*$`;
});
const beginsWho = lazy(() => `^\\W*${buildWordPattern("words.who", noLetter)}`, "u");

const namesPrice = asks("questions.prices");

/** Finds the type of value that keywords ask for, such as "late fee first reminder". Price words count in any question. */
function findKeywordType(plain: string): AnswerType | undefined {
  if (beginsYesOrNo().test(plain)) return undefined;
  if (namesPrice(plain)) return "money";
  if (plain.split(/\s+/).length > maxKeywords) return undefined;
  return findFirst(keywords, plain);
}

/** Whether a question only asks whether there is something: "Do you have a pool?" */
export const asksExistence = (question: string): boolean => beginsExistence().test(stripAccents(question));

const beginsExistence = lazy(() => `^\\W*${buildWordPattern("questions.existence", noWord)}`, "u");

const maxKeywords = 6;
/** Whether a question asks for yes or no: "Are pets allowed?" */
export const asksYesOrNo = (question: string): boolean => beginsYesOrNo().test(stripAccents(question));

const beginsYesOrNo = lazy(() => `^${buildWordPattern("questions.yesOrNo", noWord)}`, "u");

/** The noun that "how many" counts, with the words after it: "guests can stay". Undefined for units. */
export function findCounted(question: string): string | undefined {
  const [, first = "", others = ""] = counted().exec(stripAccents(question)) ?? [];
  return first === "" || unit().test(first) ? undefined : first + others;
}

const counted = lazy(
  () => String.raw`(?<!\w)${buildWordPattern("questions.count")}\s*(\p{L}+)((?:\s\p{L}+){0,2})`,
  "u",
);
/** Units are counted as in "60 euros", and their parts are no years. */
const unit = lazy(() => `^${buildWordPattern("values.countedUnits")}$`, "u");
