import { buildWordPattern, lazy, noLetter, noWord } from "../../languages/index.ts";

const hour = String.raw`(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d)?`;
const start = String.raw`(?<![\p{L}\p{N}])`;
const end = String.raw`(?!\p{L})`;

/** An hour with its unit, such as "9 am", "22h" or "8.30 Uhr", or with a part of the day. */
export const hourWithUnit = lazy(() => {
  const unit = buildWordPattern("values.hourUnits", ["", noWord[1]]);
  return String.raw`${start}${hour}\s?${unit}|${buildWordPattern("values.partsOfDay")}`;
}, "giu");

/** An hour after a preposition of time, unless the next word makes it a count: "at 8 on weekdays", but not "at 8 places". */
export const hourAfterPreposition = lazy(() => {
  const rest = String.raw`\s*(?:$|\.(?!\d)|[,;!?)]|[–-]|${buildWordPattern("values.afterHour")}${end})`;
  return String.raw`${start}${buildWordPattern("values.hourPrepositions")}\s+${hour}(?=${rest})`;
}, "giu");

/** A time of day written with a point: "Doors open 19.30". */
const pointedTime = lazy(() => {
  const amount = String.raw`\d|[.,]\d|\s?[%€$£]|\s?${buildWordPattern("values.unitSigns")}${end}`;
  return String.raw`(?<![\p{L}\p{N}.,€$£])(?:0\d|1\d|2[0-3])\.[0-5]\d(?!${amount})`;
});

/** A time of day in words: "at six", "noon". */
const hourInWords = lazy(() => {
  const part = String.raw`(?:${buildWordPattern("values.partsOfHour")}\s+)?`;
  const name = `${part}${buildWordPattern("values.hourNames")}${end}`;
  const named = String.raw`(?<!\p{L})${buildWordPattern("values.prepositionsOfHourNames")}\s+${name}`;
  return `${named}|${buildWordPattern("values.hoursWithoutPreposition", noLetter)}`;
});

/** Whether a text has a time of day. */
export const hasHour = (text: string): boolean =>
  [hourWithUnit, hourAfterPreposition, pointedTime, hourInWords].some((pattern) => text.search(pattern()) >= 0);
