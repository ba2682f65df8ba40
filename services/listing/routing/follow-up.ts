import { findColors, findLimit, findNumbers, findOnlyNumber, findParticleCount } from "./findings/counts.ts";
import { extractQuery, isGeneric } from "./findings/query.ts";
import { withoutCorrected } from "./findings/refusals.ts";
import type { Shift } from "./findings/shift.ts";
import { findShift } from "./findings/shift.ts";
import type { Period } from "./findings/times.ts";
import { findBareTime, findTime } from "./findings/times.ts";
import { endOfWords, findUnknown } from "./findings/words.ts";
import { findBareZone, findTimezone } from "./findings/zones.ts";
import { parse } from "./languages/index.ts";
import type { Reading } from "./reading.ts";
import type { Chart, Place } from "./text/chart.ts";

/** Emoji that ask for confetti by themselves. */
const celebrationPicture = /[🎉🎊🥳🍾🎆🎇🥂🪅]/u;

/** The changes that a message makes to the previous request. */
export interface FollowUp {
  /** The message refers to the previous one in words: "and …", "only …". Otherwise it may be a request of its own. */
  marked: boolean;
  limit?: number;
  timeframe?: string;
  /** "of all time" */
  isTimeless?: true;
  /** A few words of the message are unknown, but too few for another topic: "trop long, trois suffisent". */
  isTentative?: true;
  /** The timeframe only moves the end of the previous one. */
  extends?: true;
  /** Multiplies the previous count. */
  factor?: number;
  /** A time relative to the previous one: "the week after". */
  shift?: Shift;
  /** The time zone that the message names. */
  tz?: string;
  ascending?: boolean;
  /** "the other way round" */
  reverses?: true;
  /** "the next five" */
  continues?: true;
  /** "again" */
  repeats?: true;
  colors?: string[];
  particleCount?: number;
  /** What to search for instead: "what about time tracking?" */
  query?: string;
}

/** Longer messages are never follow-ups. */
const maxCharacters = 120;

const plainWords = [
  "followingOn",
  "insteadOf",
  "correcting",
  "addingNothing",
  "repeating",
  "continuing",
  "wantingMore",
  "politeness",
  "firsts",
];
const politeness = new Set(["politeness"]);
const openingWords = new Set(plainWords);

/** Reads a message as a change to the previous request. Undefined if the message is a request of its own. */
export function readFollowUp(reading: Reading): FollowUp | undefined {
  const { message } = reading;
  if (message.text.length > maxCharacters || message.text.startsWith("/")) return undefined;
  const kept = withoutCorrected(message.text);
  const isCorrected = kept !== message.text;
  const text = isCorrected ? kept : reading.text;
  if (celebrationPicture.test(text)) return undefined;
  const all = parse(text);
  const hide = (...places: (Place | undefined)[]): Chart => all.within(0, text.length, places);
  const begin = endOfWords(all, openingWords);
  const zone = findTimezone(all, true) ?? findBareZone(all, begin);
  const unzoned = hide(zone);
  const { time, shift } = findTimeOrShift(unzoned, reading, begin);
  // Nothing has launched on a future day yet: "see you tomorrow".
  if (time !== undefined && isDate.test(time.timeframe) && time.timeframe > reading.today.toString()) return undefined;
  const timeless = hide(zone, shift, time);
  const [factor] = timeless.all("factor");
  const limit = factor ? undefined : (findLimit(timeless) ?? (shift ? undefined : findOnlyNumber(timeless)));
  const rest = hide(zone, shift, time, limit, factor);

  // "mais" is "but" in French, and "mais votados" is "most voted" in Portuguese.
  const beginning = endOfWords(rest, politeness);
  const isRanking = rest.endAt("descending", beginning) !== undefined;
  const refuses = !isCorrected && reading.text !== message.text;
  const marked =
    (!isRanking && !refuses && rest.endAt("followingOn", beginning) !== undefined) ||
    rest.has("insteadOf") ||
    (rest.has("correcting") && !rest.has("descending")) ||
    isCorrected;
  // In "the best one" the limit is "best one", so the rest no longer contains "best".
  const isBest = (timeless.has("choosing") ? timeless : rest).has("descending");
  const order = timeless.has("fewestVotes") ? true : isBest ? false : undefined;
  const asksForCount = rest.has("howMany");
  const repeats = rest.has("repeating") && !rest.has("thanking");
  const reverses = rest.has("reversing");
  const continues =
    rest.has("continuing") || (!repeats && !reverses && !shift && order === undefined && rest.has("wantingMore"));
  // "the worst" refers to the shown list. "worst launches of today" is a request of its own.
  const names = rest.all("anyProduct").some(({ start, end }) => !/^ones?$/.test(text.slice(start, end)));
  // "Which launches are the best?" is a request of its own.
  const chooses = timeless.has("choosing") && time === undefined && (order === true || (order === false && !names));
  const isOfTheList = chooses || (order === true && time === undefined && !names);
  const ascending = marked || continues || reverses || isOfTheList || rest.has("sorting") ? order : undefined;
  const colors = findColors(rest);
  const particleCount = findParticleCount(timeless);
  const isTimeless = time === undefined && rest.has("allTime");
  const count = limit?.limit ?? (marked && order !== true && rest.has("onlyFirst") ? 1 : undefined);
  const found: FollowUp = {
    marked,
    ...(count !== undefined && { limit: count }),
    ...(isTimeless && { isTimeless }),
    ...(time && { timeframe: time.timeframe }),
    ...(time && rest.has("extending") && { extends: true }),
    ...(factor && { factor: Number(factor.meaning) }),
    ...(shift && { shift: { span: shift.span, steps: shift.steps, moves: shift.moves } }),
    ...(zone && { tz: zone.tz }),
    ...(ascending !== undefined && { ascending }),
    ...(continues && { continues }),
    ...(repeats && { repeats }),
    ...(reverses && { reverses }),
    ...(colors.length > 0 && { colors }),
    ...(particleCount !== undefined && { particleCount }),
  };
  const changesNothing = Object.keys(found).length === 1;
  if (changesNothing && !asksForCount) return undefined;
  if (changesNothing) found.repeats = true;
  if ((found.repeats ?? found.continues) && all.has("stopping")) return undefined;
  const words = [...plainWords, "howMany", "reversing", "extending"];
  // "top 5" and "launches of today" are requests of their own. "and the top 5" and "the next launches" are not.
  const ofLists = ["anyProduct", "descending", "onlyFirst", "allTime"];
  if (marked || continues || chooses || (asksForCount && time === undefined)) words.push(...ofLists);
  if (chooses) words.push("choosing", "choosingWords");
  if (asksForCount) words.push("countingShown");
  if (ascending !== undefined) words.push("fewestVotes", "sorting");
  // "from worst to best"
  if (ascending === true) words.push("descending");
  if (colors.length > 0 || particleCount !== undefined) words.push("color", "particles");
  const unknown = findUnknown(rest, new Set(words));
  if (unknown.length === 0) return found;
  // "I can't keep up. Three best ones, please?"
  if (rest.has("descending") && rest.has("anyProduct")) return undefined;
  const hasFinding = shift ?? time ?? zone ?? limit ?? factor ?? ascending ?? (reverses || undefined);
  // "Thanks, see you on Friday."
  const isFarewell = rest.has("thanking") && !marked;
  if (hasFinding === undefined || refuses || isFarewell || isAboutElse(rest, unknown)) return undefined;
  if ((limit?.limit ?? 0) > maxLikelyItems) return undefined;
  const isNumberOnly = (limit ?? factor) !== undefined && (shift ?? time ?? zone) === undefined;
  // A number is weaker evidence for a follow-up than a time.
  const maxWords = isNumberOnly ? maxWordsBesideNumber : maxWordsBesideTime;
  return countWords(text, unknown) <= maxWords ? { ...found, isTentative: true } : undefined;
}

/** The time that a message names. "неделю" is this week, and "неделю назад" is the week before. */
function findTimeOrShift(chart: Chart, { today }: Reading, begin: number): { time?: Period; shift?: Shift & Place } {
  const found = findTime(chart, () => today);
  const named = findShift(chart, "shift", found);
  if (named !== undefined) return { shift: named };
  const time = found ?? findBareTime(chart, begin, today);
  const beside = findShift(chart, "move");
  const isPart = time && beside && beside.start <= time.start && beside.end > time.end;
  return time !== undefined && !isPart ? { time } : beside !== undefined ? { shift: beside } : {};
}

const maxSubjectWords = 5;

/** What a message asks for instead of the previous search: "time tracking" for "and what about time tracking?". */
export function findSubject({ message, text, chart }: Reading): string | undefined {
  if (text.length > maxCharacters) return undefined;
  const start = endOfWords(chart, new Set(["politeness", "followingOn", "askingAbout"]));
  const subject = { start, end: text.length };
  const asks = chart.all("askingAbout").some((one) => one.start < start);
  if (!asks || countWords(text, [subject]) > maxSubjectWords) return undefined;
  const about = chart.within(start, text.length);
  // "what about the second one?", "how about you?" and "what about our launch?" aren't about other products.
  if (about.endAt("definite", start) !== undefined || about.has("place", ...notSearched)) return undefined;
  const query = extractQuery(message, chart, subject, []);
  return isGeneric(query) ? undefined : query;
}

const notSearched = ["self", "you", "confetti", "launchCraft", "weighing", "ranking", "thanking"];

const maxWordsBesideItem = 1;

/** The place of the shown item that a message is about: 2 for "tell me more about the second one". */
export function findItem({ text, chart, today }: Reading): number | undefined {
  const [item] = chart.all("place");
  const [about] = chart.all("aboutOne");
  if (text.length > maxCharacters || item === undefined || about === undefined) return undefined;
  const rest = chart.within(0, text.length, [item, about]);
  // "and the first three", "and the first of March"
  const isElse = findNumbers(rest).length > 0 || findTime(rest, () => today) !== undefined;
  if (isElse || rest.has("ranking", "allTime")) return undefined;
  const unknown = findUnknown(rest, new Set(["aboutOne", "anyProduct", "thanking", ...plainWords]));
  return countWords(text, unknown) > maxWordsBesideItem ? undefined : Number(item.meaning);
}

/** The message only refuses the previous action: "no confetti please", "stop it". */
export function refusesOnly({ message, text, chart }: Reading): boolean {
  if (message.text.length > maxCharacters) return false;
  if (text !== message.text) return true;
  const refusal = new Set(["stopping", "politeness", "thanking", "addingNothing", "color", "particles"]);
  return chart.has("stopping") && findUnknown(chart, refusal).length === 0 && !praising.test(text);
}

/** "not bad", "no problem", "no way" */
const praising = /\bno(?:t)? (?:bad|problem|worries|way)\b/;

const isDate = /^\d{4}-\d{2}-\d{2}$/;
/** Next to unknown words, a larger number is a year or an amount. */
const maxLikelyItems = 500;
const maxWordsBesideTime = 4;
const maxWordsBesideNumber = 3;
const countedWord =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,3}|[\p{L}\p{M}\p{N}'-]+?(?=$|[^\p{L}\p{M}\p{N}'-]|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])/gu;

function countWords(text: string, places: readonly Place[]): number {
  const words = places.map(({ start, end }) => text.slice(start, end));
  // Neighbours of a script without spaces are one word.
  const joined = words
    .map((word, index) => (places[index]?.end === places[index + 1]?.start ? word : `${word} `))
    .join("");
  return joined.match(countedWord)?.length ?? 0;
}

const otherTopics = [
  "weighing",
  "anyProduct",
  "productKind",
  "productTopic",
  "kindAbroad",
  "ranking",
  "searching",
  "launchCraft",
  "confetti",
  "self",
];
/** The unknown words have a topic of their own, or are about the user's own launch. */
const isAboutElse = (chart: Chart, unknown: readonly Place[]): boolean =>
  unknown.some(({ start }) => chart.at(start).some(({ category }) => otherTopics.includes(category)));
