import { fold } from "../text/fold.ts";

const languages = ["en", "es", "fr", "de", "pt", "it", "nl", "pl", "tr", "ru", "hi"];

/** Month names, long and short, in all the languages, folded and without a point. */
export const monthNumbers = names(12, (index) => new Date(Date.UTC(2026, index, 15)), "month");

/** Weekday names, folded; 1 is Monday. The short ones only in English, others are too often words of their own. */
export const weekdayNumbers = names(7, (index) => new Date(Date.UTC(2026, 5, 1 + index)), "weekday");

for (const [short, month] of Object.entries({ sept: 9, mrt: 3, enero: 1, set: 9 })) monthNumbers.set(short, month);
for (const [index, name] of ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].entries())
  weekdayNumbers.set(name, index + 1);
for (const [name, day] of Object.entries({ tues: 2, weds: 3, thur: 4, thurs: 4 })) weekdayNumbers.set(name, day);
// The cases in which Russian and Polish name a day: "в пятницу", "w środę".
for (const [name, day] of Object.entries({ среду: 3, пятницу: 5, субботу: 6, srode: 3, sobote: 6, niedziele: 7 })) {
  weekdayNumbers.set(name, day);
}
for (const [index, character] of ["月", "火", "水", "木", "金", "土", "日"].entries()) {
  weekdayNumbers.set(`${character}曜日`, index + 1);
  weekdayNumbers.set(`${character}曜`, index + 1);
}
for (const [index, character] of ["一", "二", "三", "四", "五", "六", "日"].entries()) {
  for (const week of ["周", "星期", "週"]) weekdayNumbers.set(`${week}${character}`, index + 1);
}
for (const [index, character] of ["월", "화", "수", "목", "금", "토", "일"].entries())
  weekdayNumbers.set(`${character}요일`, index + 1);

function names(count: number, day: (index: number) => Date, part: "month" | "weekday"): Map<string, number> {
  const found = new Map<string, number>();
  for (const language of languages) {
    // Within a date many languages inflect the name: "октябрь", but "17 октября".
    const styles: Intl.DateTimeFormatOptions[] =
      part === "month"
        ? [{ month: "long" }, { month: "short" }, { month: "long", day: "numeric" }]
        : [{ weekday: "long" }];
    for (const style of styles) {
      const format = new Intl.DateTimeFormat(language, { ...style, timeZone: "UTC" });
      for (let index = 0; index < count; index++) {
        const name = format.formatToParts(day(index)).find(({ type }) => type === part)?.value ?? "";
        const folded = fold(name).replace(/\.$/, "");
        if (folded.length >= 3 && !found.has(folded)) found.set(folded, index + 1);
      }
    }
  }
  return found;
}

const firstWords = new Map<Map<string, number>, Set<string>>();

/** Whether a word of the text begins one of the names: a cheap test before an expensive pattern. */
export function mayName(numbers: Map<string, number>, words: readonly string[]): boolean {
  let known = firstWords.get(numbers);
  if (known === undefined) {
    known = new Set([...numbers.keys()].map((name) => name.split(/[- ]/)[0] ?? name));
    firstWords.set(numbers, known);
  }
  return words.some((word) => known.has(word));
}

/** The names as alternatives of a regular expression, longest first, without groups. */
export function alternatives(numbers: Map<string, number>): string {
  const sorted = [...numbers.keys()].sort((one, other) => other.length - one.length);
  return `(?:${sorted.map((name) => name.replaceAll("-", "[- ]")).join("|")})`;
}
