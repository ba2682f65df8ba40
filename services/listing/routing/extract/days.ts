import { Temporal } from "temporal-polyfill";
import { concepts, monthNumbers, weekdayNumbers } from "../languages/index.ts";
import homonymTable from "../tables/homonyms.json" with { type: "json" };
import { Concept } from "../text/concept.ts";
import { fitsAt, pattern } from "../text/pattern.ts";
import { alternatives, mayName, splitWords } from "./calendar-names.ts";
import { findNumbers } from "./numbers.ts";

const { dayBeforeYesterday, today, tomorrow, yesterday } = concepts;

/** A day in a message. `date` is what the user wrote and may not exist in the calendar. */
export interface Day {
  start: number;
  end: number;
  date: string;
  /** "today" and "yesterday" stay symbolic, because their date depends on the timezone. */
  word?: "today" | "yesterday";
  /** Set if the user named a weekday. 1 is Monday. */
  weekday?: number;
}

const months = alternatives(monthNumbers);
const weekdays = alternatives(weekdayNumbers);
const year = "(?:(?:19|20|21)\\d{2})";
const edge = "(?<![\\p{L}\\p{M}\\p{N}])";
const rim = "(?![\\p{L}\\p{M}\\p{N}])";

const isoDate = /(?<![\d-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d-])/g;
const compactDate = /(?<!\d)(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)/g;
const numericDate = /(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(20\d{2})(?!\d)/g;
const dayMonth = pattern(
  `${edge}(?<!\\b(?:top|best|first) (?=\\d+ (?:(?:of|de|di|del|von|van) |(?:${months})${rim}(?!,? \\d))))(\\d{1,2})(?:st|nd|rd|th|er|[.ºª])?(?: |-)?(?:of |de |di |van |ten )?(${months})${rim}\\.?(?:,? (?:of |de |del )?(${year})(?!\\d))?`,
  "g",
);
const monthDay = pattern(
  `${edge}(?=[a-z])(${months})\\.?,? (?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?![\\d\\p{L}]|:\\d)(?!,? ?\\d{1,2}(?!\\d))(?:(?:,| of)? ?(${year})(?!\\d))?`,
  "g",
);
const ordinals =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first".split(
    " ",
  );
const ordinalMonth = pattern(
  `\\b(${ordinals.toReversed().join("|")}) (?:day )?of (${months})${rim}(?:,? (${year})(?!\\d))?|\\b(${months}) (?:the )?(${ordinals.toReversed().join("|")})(?![\\p{L}-])(?:,? (${year})(?!\\d))?`,
  "g",
);
// "on the 15th", "dia 15", "am 15.", "15日": the latest day of that number.
const dayAlone = pattern(
  String.raw`\b(?:the|el|le|il|de) (\d{1,2})(?:st|nd|rd|th|er|e|º|ª)(?![\p{L}\d])(?! (?:place|most|best|rank\w*|spot|position|top))
  |\b(?:(?:el |no )?dia|el|le|il) (\d{1,2})(?=[\s,.!?]*$)|\bam (\d{1,2})\.|(?<![\d月월]|[月월] |(?:最近|過去|过去|直近|ここ|최근|지난) ?)(\d{1,2}) ?(?:日(?!前|間|间)|号|號|일(?! ?(?:전|간|동안)))`,
  "g",
);
const cjkDate = /(?:(\d{4}) ?[年년] ?)?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日号號일]/g;
const weekday = pattern(
  `${edge}(last |past |previous |vorigen |letzten |vergangenen |afgelopen )?(?<![a-z]{3} no )(${weekdays})(?:'?s)?${rim}(?!\\.\\p{L})( passad[oa]| pasado| dernier| scors[oa])?`,
  "g",
);
// "segunda" is also "second".
const shortPortuguese = /^(?:segunda|terca|quarta|quinta|sexta)$/;
const inPortuguese = (text: string, start: number, end: number): boolean =>
  /\b(?:na|nesta|desta|da|de|desde|desde a|ultima) $/.test(text.slice(0, start)) &&
  !/^ (?:coloca|posi|semana|vez|edi|op|parte|fase)/.test(text.slice(end));
const beforeDate = /^,? ?(?:(?:the|den|der|le|el|il|de) (?=\d))?/;
const cjkWeekday = /(?:周|星期|週)[一二三四五六日]|[月火水木金土日]曜日?|[월화수목금토일]요일/g;
const agoAfter = pattern(
  ` (?:days? (?:ago|back|before|earlier)|dias atras|giorni fa|dagen geleden|dni temu|gun once(?:ki|sinin)?|дн(?:я|ей) назад|दिन पहले)| ?(?:日前|天前|天之前|일 ?전)`,
  "y",
);
const agoBefore = /(?<=(?:hace|il y a|vor|ha) )/y;
const agoUnit = pattern(String.raw` (?:dias?|jours?|tagen?)(?![\p{L}\p{M}\p{N}])`, "y");

/** "a year ago today" is a day, "a year ago" a year. */
const anniversary =
  /\b(?:(?:an?|one|(\d{1,3})) (week|month|year)s? ago today|(?:this|the same|same) day last (week|month|year))\b/;

const mayBeAgo = /\b(?:ago|back|before|earlier|atras|fa|geleden|temu|once\w*|hace|il y a|vor|ha)\b|назад|पहले|前|전/;
const mayBeOrdinal = /(?:first|second|third|th)\b/;
const mayBeHoliday =
  /mas|navidad|noel|nacht|natal|kerst|boxing|new year|silvester|halloween|valentine|patrick|women|april fool|independence|july|thanksgiving|black friday|cyber/;

const fixedHolidays: [pattern: string, month: number, day: number][] = [
  ["christmas eve|nochebuena", 12, 24],
  ["christmas(?: day)?|xmas(?: day)?|navidad|noel|weihnachten|natal|natale|kerst", 12, 25],
  ["boxing day", 12, 26],
  ["new year'?s eve|silvester", 12, 31],
  ["new year'?s(?: day)?|new year", 1, 1],
  ["halloween", 10, 31],
  ["valentine'?s?(?: day)?", 2, 14],
  ["st\\.? patrick'?s(?: day)?", 3, 17],
  ["(?:international )?women'?s day", 3, 8],
  ["april fool'?s?(?: day)?", 4, 1],
  ["(?:us )?independence day|(?:the )?4th of july|(?:the )?fourth of july", 7, 4],
];
const holidayName = fixedHolidays.map(([source]) => source).join("|");
const holiday = pattern(
  `${edge}(?:(last) )?(${holidayName}|thanksgiving|black friday|cyber monday)${rim}(?:,? (?:of |in )?(${year})(?!\\d)| (last year|this year))?`,
  "g",
);

/** All days in a folded text, in order. Without a year, the most recent such day. */
export function findDays(text: string, now: Temporal.PlainDate): Day[] {
  const days: Day[] = [];
  const add = (start: number, length: number, date: string, said?: Pick<Day, "word" | "weekday">): void => {
    const end = start + length;
    if (!days.some((day) => start < day.end && day.start < end)) days.push({ start, end, date, ...said });
  };
  const before = (days: number): string => now.subtract({ days }).toString();

  const words = splitWords(text);
  if (/\d/.test(text)) {
    for (const m of text.matchAll(isoDate)) add(m.index, m[0].length, toIsoDate(m[1], m[3], m[4]));
    for (const m of text.matchAll(compactDate)) add(m.index, m[0].length, toIsoDate(m[1], m[2], m[3]));
    for (const m of text.matchAll(numericDate)) {
      const monthFirst = m[2] === "/" && Number(m[1]) <= 12;
      add(m.index, m[0].length, monthFirst ? toIsoDate(m[4], m[1], m[3]) : toIsoDate(m[4], m[3], m[1]));
    }
    for (const m of text.matchAll(cjkDate)) add(m.index, m[0].length, recent(now, Number(m[2]), Number(m[3]), m[1]));
    if (mayName(monthNumbers, words)) {
      for (const m of text.matchAll(dayMonth)) {
        add(m.index, m[0].length, recent(now, monthNumbers.get(m[2] ?? "") ?? 0, Number(m[1]), m[3]));
      }
      for (const m of text.matchAll(monthDay)) {
        add(m.index, m[0].length, recent(now, monthNumbers.get(m[1] ?? "") ?? 0, Number(m[2]), m[3]));
      }
    }
  }
  if (mayBeOrdinal.test(text) && mayName(monthNumbers, words)) {
    for (const m of text.matchAll(ordinalMonth)) {
      const day = ordinals.indexOf(m[1] ?? m[5] ?? "") + 1;
      add(m.index, m[0].length, recent(now, monthNumbers.get(m[2] ?? m[4] ?? "") ?? 0, day, m[3] ?? m[6]));
    }
  }
  for (const m of text.matchAll(dayAlone)) {
    const day = Number(m[1] ?? m[2] ?? m[3] ?? m[4]);
    const month = latestMonthWith(now, day);
    if (month !== undefined) add(m.index, m[0].length, month.toPlainDate({ day }).toString());
  }
  if (mayBeAgo.test(text)) {
    for (const { start, end, value } of findNumbers(text)) {
      const said =
        fitsAt(agoAfter, text, end) ??
        (fitsAt(agoBefore, text, start) === undefined ? undefined : fitsAt(agoUnit, text, end));
      if (said !== undefined && value >= 0 && value <= maxAgoDays) add(start, said - start, before(value));
    }
  }
  const sameDay = anniversary.exec(text);
  if (sameDay !== null) {
    const unit = sameDay[2] ?? sameDay[3] ?? "year";
    const past = now.subtract({ [`${unit}s`]: Number(sameDay[1] ?? 1) });
    add(sameDay.index, sameDay[0].length, past.toString());
  }
  if (mayBeHoliday.test(text)) {
    for (const m of text.matchAll(holiday)) add(m.index, m[0].length, holidayDate(now, m[2] ?? "", m[3], m[4]));
  }
  if (mayName(weekdayNumbers, words)) {
    for (const m of text.matchAll(weekday)) {
      // "Friday, 13 November" is one day.
      const end = m.index + m[0].length;
      const gap = beforeDate.exec(text.slice(end))?.[0].length ?? 0;
      if (days.some(({ start }) => start >= end && start <= end + gap)) continue;
      const name = m[2] ?? "";
      if (shortPortuguese.test(name) && !inPortuguese(text, m.index, end)) continue;
      const strictlyBefore = m[1] !== undefined || m[3] !== undefined;
      const weekday = weekdayNumbers.get(m[2] ?? "") ?? 1;
      add(m.index, m[0].length, before(daysSince(now, weekday, strictlyBefore)), { weekday });
    }
  }
  for (const m of text.matchAll(cjkWeekday)) {
    const weekday = weekdayNumbers.get(m[0]) ?? 1;
    add(m.index, m[0].length, before(daysSince(now, weekday, false)), { weekday });
  }
  const relative: [Concept, daysAgo: number, Day["word"]?][] = [
    [dayBeforeYesterday, 2],
    [yesterday, 1, "yesterday"],
    [today, 0, "today"],
    [tomorrow, -1],
  ];
  for (const [concept, daysAgo, word] of relative) {
    const found = concept.find(text);
    if (found !== undefined && !isAttribute(text, found) && !isHomonym(text, found))
      add(found.start, found.end - found.start, before(daysAgo), word && { word });
  }
  return days.sort((one, other) => one.start - other.start);
}

/** The word belongs to another language or phrase, as the words around it tell: "hier" is French or German, "Morgen" a time of day. */
function isHomonym(text: string, { start, end }: { start: number; end: number }): boolean {
  return homonyms.get(text.slice(start, end))?.isIn(text) ?? false;
}

const homonyms = new Map(Object.entries(homonymTable).map(([word, signs]) => [word, new Concept(signs)]));

/** "daily" in "daily planners" is a kind of planner; in "daily ranking" it is a time. */
export function isAttribute(text: string, { start, end }: { start: number; end: number }): boolean {
  if (!/^(?:daily|weekly|monthly)$/.test(text.slice(start, end))) return false;
  if (/\b(?:my|our|their|for a) $/.test(text.slice(0, start))) return true;
  const next = /^[ ,]+([a-z]+)/.exec(text.slice(end))?.[1];
  return next !== undefined && !listWords.test(next);
}

const listWords =
  /^(?:top|best|leader\w*|rank\w*|digest|winners?|lists?|charts?|recap|results?|products?|launches|posts|most|highlights?|trend\w*|reports?|summary|roundup|hits|votes|upvotes|please|pls|and|or|for|in|of|on|standings|stats)$/;

const maxAgoDays = 36_600;

function toIsoDate(yearText = "", month = "", day = ""): string {
  return `${yearText}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

function recent(now: Temporal.PlainDate, month: number, day: number, yearText?: string): string {
  const date = `${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  if (yearText !== undefined) return `${yearText}-${date}`;
  return `${now.toString().slice(5) < date ? now.year - 1 : now.year}-${date}`;
}

function latestMonthWith(now: Temporal.PlainDate, day: number): Temporal.PlainYearMonth | undefined {
  if (day < 1 || day > 31) return undefined;
  let month = now.toPlainYearMonth();
  while (month.daysInMonth < day || (month.equals(now.toPlainYearMonth()) && day > now.day)) {
    month = month.subtract({ months: 1 });
  }
  return month;
}

function daysSince(now: Temporal.PlainDate, dayOfWeek: number, strictlyBefore: boolean): number {
  const days = (now.dayOfWeek - dayOfWeek + 7) % 7;
  return days === 0 && strictlyBefore ? 7 : days;
}

function holidayDate(now: Temporal.PlainDate, name: string, yearText?: string, relativeYear?: string): string {
  const inYear = (chosen: number): Temporal.PlainDate => {
    const fixed = fixedHolidays.find(([source]) => pattern(`^(?:${source})$`).test(name));
    if (fixed !== undefined) return Temporal.PlainDate.from({ year: chosen, month: fixed[1], day: fixed[2] });
    // Thanksgiving is the fourth Thursday of November.
    const first = Temporal.PlainDate.from({ year: chosen, month: 11, day: 1 });
    const thanksgiving = first.add({ days: ((4 - first.dayOfWeek + 7) % 7) + 21 });
    return thanksgiving.add({ days: name === "black friday" ? 1 : name === "cyber monday" ? 4 : 0 });
  };
  if (yearText !== undefined) return inYear(Number(yearText)).toString();
  if (relativeYear === "last year") return inYear(now.year - 1).toString();
  const thisYear = inYear(now.year);
  if (relativeYear === "this year" || Temporal.PlainDate.compare(thisYear, now) <= 0) return thisYear.toString();
  return inYear(now.year - 1).toString();
}
