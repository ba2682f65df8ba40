import type { Language } from "@agent-backends/language";
import { buildWordPattern, lazy } from "../../languages/index.ts";
import { hasNumberInLetters } from "../../text/number-words.ts";
import { stripAccents } from "../answer-types.ts";
import { hourAfterPreposition, hourWithUnit } from "./hours.ts";

/** Numbers that count something else: amounts of money, times, durations, years, temperatures, percentages. */
const otherMeasure = lazy(() => {
  const end = String.raw`(?!\p{L})`;
  const number = String.raw`\p{Nd}[\p{Nd}.,]*`;
  const hour = String.raw`\p{Nd}{1,2}`;
  const clock = String.raw`${hour}(?:[.:]\p{Nd}{2})?`;
  const unitAfterRange = buildWordPattern(["values.clockUnits", "values.furtherClockUnits"]);
  return [
    String.raw`${clock}\s?[–-]\s?${clock}\s?${buildWordPattern("values.clockUnits")}${end}`,
    String.raw`[€$£]\s?${number}`,
    String.raw`${number}(?:[\s\u202f]\p{Nd}{3})*\s?(?:[€$£%°]|${buildWordPattern("values.amountUnits")}${end})`,
    String.raw`${hour}\s?[:h]\s?\p{Nd}{0,2}${end}`,
    String.raw`(?<!\p{L})${buildWordPattern("values.beforeHour")}\s${hour}(?!\p{Nd})`,
    String.raw`${hour}\s${buildWordPattern("values.rangeWords")}\s${hour}\s?${unitAfterRange}${end}`,
  ].join("|");
}, "giu");
const phoneNumber = /(?<![\p{L}\p{N}])(?:\+\p{Nd}{2}|0)\p{Nd}+(?:[\s/-]\p{Nd}{2,})+/gu;
const spanOfTime = lazy(
  () =>
    String.raw`(?<![\p{L}\p{N}])(?:\p{Nd}[\p{N}.,–-]*\s)?[\p{L}\p{N}.,–-]+\s${buildWordPattern("values.timeUnits")}(?!\p{L})`,
  "giu",
);

/**
 * Whether a text has a number that may count what "how many" asks for. A year counts only together with the counted noun: "2000 members".
 */
export function hasCount(
  text: string,
  { text: asked, language }: { text: string; language: Language | undefined },
): boolean {
  const body = [otherMeasure(), spanOfTime(), phoneNumber, hourWithUnit(), hourAfterPreposition()].reduce(
    (rest, pattern) => rest.replaceAll(pattern, " "),
    text,
  );
  if (hasNumberInLetters(body, language)) return true;
  const known = stripAccents(asked);
  return [
    ...body.matchAll(
      /(?<![\p{sc=Latn}\p{N}])(\p{Nd}+(?:[.,:/-]\p{Nd}+)*)(?![\p{Nd}]|(?![kKmM]\b)\p{sc=Latn})\s*(\p{L}{4})?/gu,
    ),
  ].some(
    ([, number = "", next]) =>
      !asked.includes(number) &&
      (!/^(?:1[5-9]|20)\d{2}$/.test(number) || (next !== undefined && known.includes(stripAccents(next)))),
  );
}
