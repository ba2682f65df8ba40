import { concepts, wordPatterns } from "../languages/index.ts";
import { blank, fitsAt, pattern } from "../text/pattern.ts";
import type { NumberPhrase } from "./numbers.ts";
import { findNumbers } from "./numbers.ts";

const { anyProduct, firsts, productKind, ranking } = concepts;

// Units after a number that isn't a limit: days, votes, percent and so on.
const otherUnit = pattern(
  String.raw`
  [ ]?(?:%|(?:days?|weeks?|months?|years?|hours?|hrs?|minutes?|mins?|seconds?|h|(?<! )w|bit|kb|mb|gb|px|(?:am|pm)(?! ?${blank})|x|d|upvotes?
  |votes?|stars?|dias?|semanas?|meses|jours?|semaines?|mois|tagen?|wochen?|monaten?|giorni|settimane|mesi|dagen
  |weken|maanden|dni|tygodni\p{L}*|gun|hafta|ay)(?!['\p{L}])|дн|недел|месяц|दिन|हफ्|महीन|日|週|天|周|个月|年|月
  |일(?!\p{L})|주(?!\p{L})|개월|[./:]\d|-\d|(?:st|nd|rd|th)\b)
`,
  "y",
);

/** Before a number: "limit 7", "max=5", "top 10", "the first five", "up to 8". */
const counting = pattern(`(?<=(?<![\\p{L}\\p{N}])(?:${wordPatterns.counting})(?:-(?=\\d)| ?[=:]? ?))`, "y");
const outOf = / ?(?:of|from) \d/y;
const countingEast =
  /(?<=(?:前|トップ|上位|상위|톱|탑|베스트|ベスト|最初の|最高の|最新の|排名前)\s?)(?!.{1,3}? ?(?:周|週|天|个月|日|月|年))/y;
const counterEast = pattern(String.raw` ?(?:个|個|款|件|つ|選|选|개|가지|名|位(?!置)|大(?=\p{L})|条|項|项)`, "y");
const firstPlace = /^ ?[位名]/;
/** Before a number: "give me 3", "list 5 from yesterday". */
const asking = pattern(`(?<=(?<!\\p{L})(?:${wordPatterns.asking})(?: (?:${wordPatterns.askingFor}|${blank}+))* )`, "y");
/** Before the one at the top: "just the number one from yesterday". */
const askingRank = pattern(
  `(?<=(?<!\\p{L})(?:${wordPatterns.asking}|${wordPatterns.counting})(?: (?:${wordPatterns.askingFor}))* (?:${wordPatterns.rank}) ?)`,
  "y",
);
/** Before the only number of a message: "unas 12 de ayer". */
const onlyFillers = pattern(`^[\\s,/]*(?:(?:${wordPatterns.askingFor})[\\s,]+)*$`);
const wordEnd = /(?= |$|[,.!?])/y;
const startsItem = pattern(String.raw`(?<![\p{L}\p{N}#.:/-])`, "y");
const line = /(?:of (?:them|those|these|the)|rows?|lines?|entries|names|spots|places)(?![a-z])/y;
const itemWord = pattern(String.raw`[\p{L}][\p{L}\p{M}'-]* `, "y");

const joined = /(?<![a-z0-9])(?:top|best)(\d{1,6})(?![\da-z])/;
/** "rank 1 and 2", "places 1 to 3". */
const lastRank = /(?<=\b(?:ranks?|places?|spots?|positions?) \d{1,3} ?(?:and|to|-|through|&) ?)/y;

/** "Which one won", but not "which one product won": a pronoun, not a number. */
const pronoun = /\b(?:which|this|that|any|every|each|no|another) one$/;

/** The requested number of items and its place in the text. */
export interface LimitPhrase {
  start: number;
  end: number;
  limit: number;
}

const alone = new RegExp(
  `^[\\s,]*(?:(?:from|of|for|in|on|during|de|del|von|der|da|di|van|z|за|の|的)?[\\s]*${blank}[\\s${blank}]*)?(?:please|pls)?[\\s.!?]*$`,
);

/** A field name before the number: "limit 5", "max=3". */
const limitName = /\b(?:limit(?:ed)?(?: to)?|max(?:imum)?(?: of)?|count|num)(?: ?[=:])? ?$/;
const beforeRead = new RegExp(`^ (?:from|of|for|de|del|von|der|da|di|van|z|за) ?${blank}`);

type Test = (text: string, number: NumberPhrase) => boolean;
const counts: Test = (text, { end }) => fitsAt(otherUnit, text, end) === undefined;
const tests: Test[] = [
  (text, number) =>
    fitsAt(counting, text, number.start) !== undefined &&
    fitsAt(outOf, text, number.end) === undefined &&
    counts(text, number),
  (text, { start }) => fitsAt(countingEast, text, start) !== undefined,
  (text, { value, end }) =>
    fitsAt(counterEast, text, end) !== undefined && !(value === 1 && firstPlace.test(text.slice(end))),
  (text, number) => fitsAt(lastRank, text, number.start) !== undefined && counts(text, number),
  (text, number) =>
    fitsAt(startsItem, text, number.start) !== undefined && counts(text, number) && isBeforeItems(text, number.end),
  (text, number) =>
    fitsAt(asking, text, number.start) !== undefined &&
    fitsAt(wordEnd, text, number.end) !== undefined &&
    counts(text, number),
  (text, { value, start, end }) =>
    value === 1 && fitsAt(askingRank, text, start) !== undefined && fitsAt(wordEnd, text, end) !== undefined,
  // "yesterday, best, 3"
  (text, { start, end }) => /[,:] ?$/.test(text.slice(0, start)) && alone.test(text.slice(end)),
  // "5 for today please, by votes"
  (text, number) =>
    /^[\s,/]*$/.test(text.slice(0, number.start)) && counts(text, number) && beforeRead.test(text.slice(number.end)),
  // Nothing else remains: "3 last week", "4 from yesterday".
  (text, { start, end }) => onlyFillers.test(text.slice(0, start).replaceAll(blank, "")) && alone.test(text.slice(end)),
];

/** False for a number of days, votes and so on. */
export const countsItems = counts;

/** The limit that a folded text asks for, unclamped: 10 for "top ten", 500 for "top 500". */
export function findLimit(text: string): LimitPhrase | undefined {
  const written = joined.exec(text);
  if (written?.[1] !== undefined && !isYear(Number(written[1]))) {
    const end = written.index + written[0].length;
    return { limit: Number(written[1]), start: end - written[1].length, end };
  }
  const numbers = findNumbers(text).filter(
    ({ value, start }) => Number.isSafeInteger(value) && !isYear(value) && !isPronoun(text, start),
  );
  for (const test of tests) {
    const number = numbers.find((one) => test(text, one));
    if (number !== undefined) {
      const [name = ""] = limitName.exec(text.slice(0, number.start)) ?? [];
      const end = fitsAt(counterEast, text, number.end) ?? number.end;
      return { limit: number.value, start: number.start - name.length, end };
    }
  }
  return undefined;
}

function isPronoun(text: string, start: number): boolean {
  const end = start + "one".length;
  return pronoun.test(text.slice(0, end)) && !anyProduct.startsIn(text.slice(end).trimStart());
}

const maxWordsBetween = 2;

/** "five best", "25 posts", "3 most upvoted", "10 new results". */
function isBeforeItems(text: string, end: number): boolean {
  if (text.charAt(end) !== " ") return false;
  let at = end + 1;
  if (fitsAt(line, text, at) !== undefined) return true;
  for (let words = 0; words <= maxWordsBetween; words++) {
    if ([ranking, firsts, anyProduct, productKind].some((concept) => concept.endAt(text, at) !== undefined))
      return true;
    const next = fitsAt(itemWord, text, at);
    if (next === undefined) return false;
    at = next;
  }
  return false;
}

function isYear(value: number): boolean {
  return value >= 2005 && value <= 2100;
}
