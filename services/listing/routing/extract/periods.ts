import { Temporal } from "temporal-polyfill";
import type { DateRange } from "../../timeframe/calendar.ts";
import { daysUntil, monthOf, weekOf } from "../../timeframe/calendar.ts";
import { maxLastDays } from "../../timeframe/grammar.ts";
import { monthNames } from "../../timeframe/names.ts";
import { concepts, monthNumbers, wordPatterns } from "../languages/index.ts";
import type { Concept } from "../text/concept.ts";
import { execAt, fitsAt, pattern } from "../text/pattern.ts";
import { alternatives, mayName, splitWords } from "./calendar-names.ts";
import { isAttribute } from "./days.ts";
import { findNumbers } from "./numbers.ts";

/** A period in a message, in the timeframe grammar. */
export interface Period {
  start: number;
  end: number;
  timeframe: string;
}

const rim = "(?![\\p{L}\\p{M}\\p{N}])";
/** Also ends within scripts that don't separate words: "7天的". */
const rimOfUnit = `(?:${rim}|(?<=[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Hangul}]))`;
const months = alternatives(monthNumbers);
const year = "(?:19|20|21)\\d{2}";

type Unit = "hours" | "days" | "weeks" | "months" | "years";
const unitNames = ["hours", "days", "weeks", "months", "years"] as const satisfies Unit[];
const unitPatterns = unitNames.map((name) => ({
  name,
  pattern: pattern(` ?(?:${wordPatterns[name]})${rimOfUnit}`, "y"),
}));
const trailingBefore = pattern(`(?<=(?:${wordPatterns.trailing}) ?)`, "y");
/** "3 derniers jours"; "top 3 last week" speaks of one week. */
const trailingAfter =
  / (?:derniers|dernieres|ultim[oa]s|letzten|last|past)(?= (?:days|weeks|months|years|hours|dias|semanas|meses|anos|jours|semaines|mois|ans|tage|wochen|monate|jahre)(?![a-z]))/y;
const bareTrailing =
  /\b(?:(?:the|this|these) )?past (week|month|year|few days|couple (?:of )?days|weeks)\b|\b(?:last|past|previous) (fortnight)\b|\blast (?:few|couple of) days\b/;
const agoAfter = / (weeks?|months?|years?) (?:ago|back)\b/y;
const oneAgo = pattern(String.raw`(?<![\p{L}\p{N}])(?:an? (week|month|year) (?:ago|back)|(week|month) before last)\b`);
const monthOfYear = pattern(
  `(?<![\\p{L}\\p{M}\\d])(?<!\\d(?:st|nd|rd|th)? )(${months})\\.?(?:'?s)?,? (?:of |de |del |van )?(${year})(?!\\d)`,
);
const monthOfRelativeYear = pattern(`(?<![\\p{L}\\p{M}\\d])(${months})(?:,| of)? (this|last) year${rim}`);
const monthEast = "(?: ?[月월])(?! ?\\d{1,2} ?[日号號일]|[间間])";
const monthInDigits = pattern(
  `(?<![\\d年년十] ?)(\\d{1,2}|十[一二]?|[一二三四五六七八九])${monthEast}|(\\d{4}) ?[年년] ?(\\d{1,2})${monthEast}|(?<![\\d-])(${year})[-/](0[1-9]|1[0-2])(?![\\d/-])`,
);
const monthAlone = pattern(
  `(?<![\\p{L}\\p{M}\\p{N}])(${months}) (?:ay(?:i|inda|inin)|के|का|की|में)${rim}|(?<![\\p{L}\\p{M}\\p{N}])(?:in|during|for|of|from|throughout|all|last|this|en|de|du|im|vom|em|di|a|w|z|we|в|за|til) (${months})${rim}(?![/]| \\d)|(?<![\\p{L}\\p{M}\\d] ?)(${months})'s(?! \\d)`,
);
// "may" and "march" are also ordinary words. Longer names need no preposition: "January leaders".
const plainMonths = [...monthNumbers.keys()].filter((name) => name.length > 4 && !/^(?:march|marca|mayis)$/.test(name));
const plainMonth = pattern(
  `(?:(?<![\\p{L}\\p{M}\\d] ?)|(?<=\\b(?:top|best|first) \\d{1,3} )|(?<=\\b(?:the|past|me|list|show|see|best|leading|winning|top|and|or|is|was|:|leaderboard|rankings?|winners|launches|products|posts|rangliste|bestenliste|classement|clasificacion|classifica|ranglijst) |(?:рейтинг|топ) ))(${plainMonths.join("|")})${rim}(?! \\d)`,
);
const yearAlone = pattern(
  String.raw`(?<![\d\p{L}:-])(?:in|of|for|during|from|throughout|year|all|en|de|del|im|von|em|di|del|van|z|w|за|в)? ?(20\d{2})(?:'?s)?(?![\d-]|:\d)|(20\d{2}) ?[年년](?! ?\d)`,
);
const quarter = pattern(
  `\\bq([1-4])(?: (?:of )?'?(${year}))?${rim}|\\b(${year}) ?q([1-4])\\b|\\b(last|this|previous|current) quarter\\b|\\b(first|second|third|fourth|1st|2nd|3rd|4th) quarter(?: of)?(?: (${year}))?`,
);
const ordinals: Readonly<Record<string, number>> = {
  first: 1,
  "1st": 1,
  second: 2,
  "2nd": 2,
  third: 3,
  "3rd": 3,
  fourth: 4,
  "4th": 4,
};
const halfOfMonth = pattern(`\\b(first|second|1st|2nd) half of (${months})${rim}(?: (?:of )?(${year}))?`);
/** "between June and August", "from May 2025 to March 2026", "June-August". */
const monthsInARow = pattern(
  `(?<![\\p{L}\\p{M}\\d])(?:(?:between|from|zwischen|von|entre|desde|de|tra|da|van|od|с|между) (${months})${rim}(?: (${year}))? ?(?:and|to|until|through|und|bis|y|a|hasta|et|e|ate|al?|en|tot|i|do|и|по|до|-)|(${months}) ?(?:-|to|through|bis)) ?(${months})${rim}(?! \\d{1,2}(?!\\d))(?: (?:of )?(${year}))?`,
);
const weekend = /\b(?:(this|last|past|previous|the|over the|on the) )?weekend(?:'?s)?\b/;
const weekNumber = /\bweek (?:number |no\.? |#)?(\d{1,2})(?: (?:of )?(20\d{2}))?(?![\d-])|\b(20\d{2})-?w(\d{2})\b/;

const phrases: [concept: Concept, timeframe: string | ((today: Temporal.PlainDate) => string)][] = [
  [concepts.weekBeforeLast, (today) => rangeText(weekOf(today, -2))],
  [concepts.monthBeforeLast, (today) => rangeText(monthOf(today, -2))],
  [concepts.lastWeek, "last week"],
  [concepts.thisWeek, "this week"],
  [concepts.lastMonth, "last month"],
  [concepts.thisMonth, "this month"],
  [concepts.lastYear, "last year"],
  [concepts.thisYear, "this year"],
  [concepts.nextWeek, (today) => rangeText(weekOf(today, 1))],
  [concepts.nextMonth, (today) => rangeText(monthOf(today, 1))],
];

const ofThePeriod =
  /^(?:(?:of|for) the|the) (?:week|month|year)(?:'s)?$|^(?:weekly|monthly)$|^(?:del?|de la|du|der|des|da|do|della|van de|van het) |^(?:haftanin|ayin|недели|неделю|месяца|месяц|года)$/;

/** A range in the timeframe grammar. */
export function rangeText({ from, to }: DateRange): string {
  return `from:${from} to:${to}`;
}

function yearRange(chosen: number): string {
  return `from:${chosen}-01-01 to:${chosen}-12-31`;
}

/** The first period in a folded text. Exact kinds are tried before vague ones. */
export function findPeriod(text: string, today: Temporal.PlainDate): Period | undefined {
  const found = (match: RegExpExecArray, timeframe: string | undefined): Period | undefined =>
    timeframe === undefined ? undefined : { start: match.index, end: match.index + match[0].length, timeframe };
  const tries: [RegExp, (match: RegExpExecArray) => string | undefined][] = [
    [
      bareTrailing,
      (match) =>
        match[1] === "week"
          ? "last 7 days"
          : match[1] === "month"
            ? "last 30 days"
            : match[1] === "year"
              ? "last 365 days"
              : match[1] === "weeks"
                ? undefined
                : match[2] === "fortnight"
                  ? "last 14 days"
                  : "last 3 days",
    ],
    [oneAgo, (match) => (match[1] ? agoTimeframe(1, match[1], today) : agoTimeframe(2, match[2] ?? "", today))],
    [quarter, (match) => quarterTimeframe(match, today)],
    [weekNumber, (match) => weekNumberTimeframe(match, today)],
    [weekend, (match) => weekendTimeframe(match, today)],
    [monthInDigits, (match) => monthInDigitsTimeframe(match, today)],
  ];
  const counted = countedPeriod(text, today);
  if (counted !== undefined) return counted;
  for (const [attempt, timeframe] of tries) {
    const match = attempt.exec(text);
    const period = match === null ? undefined : found(match, timeframe(match));
    if (period !== undefined) return period;
  }
  const namesMonth = mayName(monthNumbers, splitWords(text));
  const half = namesMonth ? halfOfMonth.exec(text) : null;
  if (half !== null) return found(half, halfOfMonthTimeframe(half, today));
  const row = namesMonth ? monthsInARow.exec(text) : null;
  if (row !== null) return found(row, monthsTimeframe(row, today));
  const dated = namesMonth ? monthOfYear.exec(text) : null;
  if (dated !== null) return found(dated, monthRange(Number(dated[2]), monthNumbers.get(dated[1] ?? "") ?? 1));
  const relative = namesMonth ? monthOfRelativeYear.exec(text) : null;
  if (relative !== null)
    return found(
      relative,
      monthRange(today.year - Number(relative[2] === "last"), monthNumbers.get(relative[1] ?? "") ?? 1),
    );
  // "of the month" yields to a more exact period: "product of the month in October".
  let loose: Period | undefined;
  for (const [concept, timeframe] of phrases) {
    const match = concept.find(text);
    if (match === undefined || isAttribute(text, match)) continue;
    const period = { ...match, timeframe: typeof timeframe === "string" ? timeframe : timeframe(today) };
    if (!ofThePeriod.test(text.slice(match.start, match.end))) return period;
    loose ??= period;
  }
  const alone = namesMonth ? (monthAlone.exec(text) ?? plainMonth.exec(text)) : null;
  if (alone !== null) {
    const month = monthNumbers.get(alone[1] ?? alone[2] ?? alone[3] ?? "") ?? 1;
    return found(alone, monthRange(latestYear(month, today), month));
  }
  const wholeYear = yearAlone.exec(text);
  return wholeYear === null ? loose : found(wholeYear, yearRange(Number(wholeYear[1] ?? wholeYear[2])));
}

/** "the last 3 weeks", "two months ago". */
function countedPeriod(text: string, today: Temporal.PlainDate): Period | undefined {
  for (const { start, end, value } of findNumbers(text)) {
    if (value < 0) continue;
    const [, agoUnit] = execAt(agoAfter, text, end) ?? [];
    const timeframe = agoUnit === undefined ? undefined : agoTimeframe(value, agoUnit, today);
    if (timeframe !== undefined) return { start, end: agoAfter.lastIndex, timeframe };
    const adjectiveEnd = fitsAt(trailingBefore, text, start) === undefined ? fitsAt(trailingAfter, text, end) : end;
    if (adjectiveEnd === undefined) continue;
    for (const unit of unitPatterns) {
      const unitEnd = fitsAt(unit.pattern, text, adjectiveEnd);
      const trailing = unitEnd === undefined ? undefined : trailingTimeframe(value, unit.name, today);
      if (unitEnd === undefined || trailing === undefined) continue;
      const wordStart = adjectiveEnd === end ? text.lastIndexOf(" ", start - 2) + 1 : start;
      return { start: Math.min(wordStart, start), end: unitEnd, timeframe: trailing };
    }
  }
  return undefined;
}

function trailingTimeframe(count: number, unit: Unit, today: Temporal.PlainDate): string | undefined {
  if (unit === "hours") return count <= 24 ? "today" : `last ${Math.ceil(count / 24)} days`;
  if (unit === "days") return `last ${count} days`;
  if (unit === "weeks") return `last ${count * 7} days`;
  const months = unit === "years" ? count * 12 : count;
  if (months > 1200) return undefined;
  const from = today.subtract({ months }).add({ days: 1 });
  const days = from.until(today).days + 1;
  return days <= maxLastDays ? `last ${days} days` : rangeText({ from, to: today });
}

function agoTimeframe(count: number, unit: string, today: Temporal.PlainDate): string | undefined {
  if (!(count >= 0 && count <= 1200)) return undefined;
  if (unit.startsWith("week")) return count === 1 ? "last week" : rangeText(weekOf(today, -count));
  if (unit.startsWith("month")) return count === 1 ? "last month" : rangeText(monthOf(today, -count));
  return yearRange(today.year - count);
}

function monthRange(chosenYear: number, month: number): string {
  if (month < 1 || month > 12) return `${chosenYear}-${String(month).padStart(2, "0")}-01`;
  return `${monthNames[month - 1]} ${chosenYear}`;
}

function monthInDigitsTimeframe(match: RegExpExecArray, today: Temporal.PlainDate): string {
  const numeral = match[1] ?? match[3] ?? match[5] ?? "";
  const month = findNumbers(numeral)[0]?.value ?? Number(numeral);
  const chosenYear = match[2] ?? match[4];
  return monthRange(chosenYear === undefined ? latestYear(month, today) : Number(chosenYear), month);
}

function latestYear(month: number, today: Temporal.PlainDate): number {
  return month > today.month ? today.year - 1 : today.year;
}

function halfOfMonthTimeframe([, half, name = "", yearText]: RegExpExecArray, today: Temporal.PlainDate): string {
  const month = monthNumbers.get(name) ?? 1;
  const first = Temporal.PlainDate.from({ year: Number(yearText ?? latestYear(month, today)), month, day: 1 });
  return half === "first" || half === "1st"
    ? rangeText({ from: first, to: first.with({ day: 15 }) })
    : rangeText({ from: first.with({ day: 16 }), to: first.with({ day: first.daysInMonth }) });
}

function monthsTimeframe(match: RegExpExecArray, today: Temporal.PlainDate): string {
  const [first, last] = [match[1] ?? match[3] ?? "", match[4] ?? ""].map((name) => monthNumbers.get(name) ?? 1);
  if (first === undefined || last === undefined) throw new RangeError(`There are no two months in ${match[0]}.`);
  const lastYear = Number(match[5] ?? latestYear(last, today));
  const firstYear = Number(match[2] ?? (first > last ? lastYear - 1 : lastYear));
  const from = Temporal.PlainDate.from({ year: firstYear, month: first, day: 1 });
  const { to } = monthOf(Temporal.PlainDate.from({ year: lastYear, month: last, day: 1 }));
  return rangeText({ from, to });
}

function quarterTimeframe(match: RegExpExecArray, today: Temporal.PlainDate): string {
  const current = Math.ceil(today.month / 3);
  const ordinal = match[6] === undefined ? undefined : ordinals[match[6]];
  let chosenYear = Number(match[2] ?? match[3] ?? match[7] ?? today.year);
  let number = Number(match[1] ?? match[4] ?? ordinal ?? current);
  if (match[5] === "last" || match[5] === "previous") number = current - 1;
  else if ((match[2] ?? match[3] ?? match[7]) === undefined && number > current) chosenYear -= 1;
  if (number === 0) [chosenYear, number] = [chosenYear - 1, 4];
  const from = Temporal.PlainDate.from({ year: chosenYear, month: number * 3 - 2, day: 1 });
  return rangeText({ from, to: from.add({ months: 3 }).subtract({ days: 1 }) });
}

function weekNumberTimeframe(match: RegExpExecArray, today: Temporal.PlainDate): string | undefined {
  const week = Number(match[1] ?? match[4]);
  if (week < 1 || week > 53) return undefined;
  // ISO 8601: the week with the year's 4 January is its first.
  const fourth = Temporal.PlainDate.from({ year: Number(match[2] ?? match[3] ?? today.year), month: 1, day: 4 });
  return rangeText(weekOf(fourth, week - 1));
}

function weekendTimeframe(match: RegExpExecArray, today: Temporal.PlainDate): string {
  const { to: sunday } = weekOf(today);
  const thisOne = daysUntil(sunday, 2);
  const started = Temporal.PlainDate.compare(thisOne.from, today) <= 0;
  if (match[1] === "this" || (started && !["last", "past", "previous"].includes(match[1] ?? "")))
    return rangeText(thisOne);
  return rangeText(daysUntil(sunday.subtract({ weeks: 1 }), 2));
}
