import { findColors } from "./extract/colors.ts";
import { countsItems, findLimit } from "./extract/limit.ts";
import { findNumbers } from "./extract/numbers.ts";
import { findParticleCount } from "./extract/particles.ts";
import type { Period } from "./extract/periods.ts";
import { extractQuery, isGeneric } from "./extract/query.ts";
import type { Shift } from "./extract/shift.ts";
import { findNamedShift, findShift } from "./extract/shift.ts";
import { findTimeframe } from "./extract/timeframe.ts";
import { findTimezone } from "./extract/timezone.ts";
import { concepts, itemPhrases, wordPatterns } from "./languages/index.ts";
import type { Reading } from "./reading.ts";
import { blankOut } from "./reading.ts";
import { withoutRefusedFindings } from "./refused-findings.ts";
import type { Concept } from "./text/concept.ts";
import { fitsAt, pattern } from "./text/pattern.ts";

const {
  aboutOne,
  addingNothing,
  allTime,
  anyProduct,
  askingAbout,
  choosing,
  choosingWords,
  confetti,
  continuing,
  correcting,
  countingShown,
  descending,
  extending,
  fewestVotes,
  firsts,
  followingOn,
  howMany,
  insteadOf,
  kindAbroad,
  launchCraft,
  onlyFirst,
  particles,
  politeness,
  productKind,
  productTopic,
  ranking,
  repeating,
  reversing,
  searching,
  self,
  sorting,
  stopping,
  thanking,
  wantingMore,
  weighing,
  you,
} = concepts;

/** Multiples of the previous count. */
const factors = [
  [2, concepts.double],
  [0.5, concepts.half],
] as const;
/** Follows a number that counts something other than launches. */
const countedElse = pattern(String.raw`
  ^ ?(?:\w+ )?(?:(?:up)?votes?|comments?|stars?|points|likes|days?|hours?|minutes|weeks?|months?|years?|people|users|visitors|makers|hunters
  |screenshots|images|times|votos?|stimmen|voti|stemmen|comentarios|kommentare|tage|dias|jours|giorni|dagen|personas|leute)\b
`);
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
const separators = pattern(
  String.raw`[\s,.!?…:;'"()¿¡&+\ue000\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\p{Extended_Pictographic}\u200d\ufe0f-]+`,
  "y",
);
/** "no more" */
const refusing = /\b(?:no|not|never|stop|enough|without|kein\w*|nicht|pas|non|nao|niet|geen|nie)\b|n't\b/;
const latinWord = /[a-z]+/y;
/** A word, or one character of a script without spaces. */
const word = pattern(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{M}\p{N}'])+`,
  "y",
);

const plainWords = [
  followingOn,
  insteadOf,
  correcting,
  addingNothing,
  repeating,
  continuing,
  wantingMore,
  politeness,
  firsts,
];
/** Reads a message as a change to the previous request. Undefined if the message is a request of its own. */
export function readFollowUp(reading: Reading): FollowUp | undefined {
  const { message } = reading;
  if (message.text.length > maxCharacters || message.text.startsWith("/")) return undefined;
  const kept = withoutRefusedFindings(message.text, [
    findZone,
    (part) => findTime(part, reading),
    (part) => findNumbers(part)[0],
  ]);
  const text = kept === message.text ? reading.text : kept;
  if (celebrationPicture.test(text)) return undefined;
  const zone = findZone(text);
  const unzoned = blankOut(text, [zone]);
  const named = findNamedShift(unzoned, reading.today);
  const alone = named === undefined ? findTime(unzoned, reading) : undefined;
  const beside = named === undefined ? findShift(unzoned) : undefined;
  // "неделю" is this week, and "неделю назад" is not.
  const isPart = alone && beside && beside.start <= alone.start && beside.end > alone.end;
  const time = isPart ? undefined : alone;
  const shift = named ?? (time === undefined ? beside : undefined);
  // Nothing has launched on a future day yet: "see you tomorrow".
  if (time !== undefined && isDate.test(time.timeframe) && time.timeframe > reading.today.toString()) return undefined;
  const timeless = blankOut(unzoned, [shift, time]);
  const factor = factors.find(([, phrases]) => phrases.isIn(timeless));
  const limit = factor ? undefined : (findLimit(timeless) ?? (shift ? undefined : findOnlyNumber(timeless)));
  const rest = blankOut(timeless, [limit, factor?.[1].find(timeless)]);

  const beginning = endOfWords(rest, [politeness], false);
  // "mais" is "but" in French, and "mais votados" is "most voted" in Portuguese.
  const isRanking = descending.endAt(rest, beginning) !== undefined;
  const refuses = reading.text !== message.text && kept === message.text;
  const marked =
    (!isRanking && !refuses && followingOn.endAt(rest, beginning) !== undefined) ||
    insteadOf.isIn(rest) ||
    (correcting.isIn(rest) && !descending.isIn(rest)) ||
    kept !== message.text;
  // In "the best one" the limit is "best one", so the rest no longer contains "best".
  const isBest = descending.isIn(choosing.isIn(timeless) ? timeless : rest);
  const order = fewestVotes.isIn(timeless) ? true : isBest ? false : undefined;
  const asksForCount = howMany.isIn(rest);
  const repeats = repeating.isIn(rest) && !thanking.isIn(rest);
  const reverses = reversing.isIn(rest);
  const continues =
    continuing.isIn(rest) || (!repeats && !reverses && !shift && order === undefined && wantingMore.isIn(rest));
  // "the worst" refers to the shown list. "worst launches of today" is a request of its own.
  const names = anyProduct.isIn(rest.replaceAll(shownOnes, ""));
  // "Which launches are the best?" is a request of its own.
  const chooses = choosing.isIn(timeless) && time === undefined && (order === true || (order === false && !names));
  const isOfTheList = chooses || (order === true && time === undefined && !names);
  const ascending = marked || continues || reverses || isOfTheList || sorting.isIn(rest) ? order : undefined;
  const colors = findColors(rest);
  const particleCount = findParticleCount(timeless);
  const isTimeless = time === undefined && allTime.isIn(rest);
  const count = limit?.limit ?? (marked && order !== true && onlyFirst.isIn(rest) ? 1 : undefined);
  const found: FollowUp = {
    marked,
    ...(count !== undefined && { limit: count }),
    ...(isTimeless && { isTimeless }),
    ...(time && { timeframe: time.timeframe }),
    ...(time && extending.isIn(rest) && { extends: true }),
    ...(factor && { factor: factor[0] }),
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
  if ((found.repeats ?? found.continues) && refusing.test(text)) return undefined;
  const words = [...plainWords, howMany, reversing, extending];
  // "top 5" and "launches of today" are requests of their own. "and the top 5" and "the next launches" are not.
  if (marked || continues || (asksForCount && time === undefined))
    words.push(anyProduct, descending, onlyFirst, allTime);
  if (chooses) words.push(choosing, choosingWords, anyProduct, descending, onlyFirst, allTime);
  if (asksForCount) words.push(countingShown);
  if (ascending !== undefined) words.push(fewestVotes, sorting);
  // "from worst to best"
  if (ascending === true) words.push(descending);
  const unknown = unknownIn(rest, words, colors.length > 0 || particleCount !== undefined);
  if (unknown === "") return found;
  // "I can't keep up. Three best ones, please?"
  if (descending.isIn(rest) && anyProduct.isIn(rest)) return undefined;
  const hasFinding = shift ?? time ?? zone ?? limit ?? factor ?? ascending ?? (reverses || undefined);
  // "Thanks, see you on Friday."
  const isFarewell = thanking.isIn(rest) && !marked;
  if (hasFinding === undefined || refuses || isFarewell || isAboutElse(unknown)) return undefined;
  if ((limit?.limit ?? 0) > maxLikelyItems) return undefined;
  const isNumberOnly = (limit ?? factor) !== undefined && (shift ?? time ?? zone) === undefined;
  return isLittle(unknown, isNumberOnly) ? { ...found, isTentative: true } : undefined;
}

const maxSubjectWords = 5;
/** Starts what refers to the shown items: "the price", "its maker". */
const definite = pattern(`^(?:${wordPatterns.definite})(?![\\p{L}\\p{N}])`);

/** What a message asks for instead of the previous search: "time tracking" for "and what about time tracking?". */
export function findSubject({ message, text }: Reading): string | undefined {
  if (text.length > maxCharacters) return undefined;
  const start = endOfWords(text, [politeness, followingOn, askingAbout], false);
  const subject = text.slice(start);
  if (!askingAbout.isIn(text.slice(0, start)) || lengthInWords(subject) > maxSubjectWords) return undefined;
  // "what about the second one?", "how about you?" and "what about our launch?" aren't about other products.
  const isAboutPrevious = definite.test(subject) || itemPhrases.some((phrases) => phrases.isIn(subject));
  const isOther = [self, you, confetti, launchCraft, weighing, ranking, thanking].some((topic) => topic.isIn(subject));
  const query = isAboutPrevious || isOther ? "" : extractQuery(message, subject, start);
  return isGeneric(query) ? undefined : query;
}

const maxWordsBesideItem = 1;

/** The place of the shown item that a message is about: 2 for "tell me more about the second one". */
export function findItem(reading: Reading): number | undefined {
  const { text } = reading;
  if (text.length > maxCharacters || !aboutOne.isIn(text)) return undefined;
  const place = itemPhrases.findIndex((phrases) => phrases.isIn(text));
  const phrases = itemPhrases[place];
  if (phrases === undefined) return undefined;
  const rest = blankOut(text, [phrases.find(text), aboutOne.find(text)]);
  // "and the first three", "and the first of March"
  if (findNumbers(rest).length > 0 || findTime(rest, reading) !== undefined || ranking.isIn(rest) || allTime.isIn(rest))
    return undefined;
  const unknown = unknownIn(rest, [aboutOne, anyProduct, thanking, ...plainWords], false);
  return lengthInWords(unknown) > maxWordsBesideItem ? undefined : place + 1;
}

/** Refers to the shown items without naming them. */
const shownOnes = /\bones?\b/g;

/** The message only refuses the previous action: "no confetti please", "stop it". */
export function refusesOnly({ message, text }: Reading): boolean {
  if (message.text.length > maxCharacters) return false;
  if (text !== message.text) return true;
  const refusal = [stopping, politeness, thanking, addingNothing];
  return stopping.isIn(text) && unknownIn(text, refusal, true) === "" && !praising.test(text);
}

/** "not bad", "no problem", "no way" */
const praising = /\bno(?:t)? (?:bad|problem|worries|way)\b/;

const isDate = /^\d{4}-\d{2}-\d{2}$/;
/** Next to unknown words, a larger number is a year or an amount. */
const maxLikelyItems = 500;
function findZone(text: string) {
  return findTimezone(text, true) ?? findAfterPreposition(text, (part) => findTimezone(part, true));
}

/** The timeframe of a message. A month may stand alone: "what about May?". */
function findTime(text: string, reading: Reading): Period | undefined {
  const time = findTimeframe(text, reading.today);
  if (time !== undefined) return time;
  return findAfterPreposition(text, (part) => findTimeframe(part, reading.today));
}

/** "segunda" is a weekday only after "na". */
const prepositions = ["in ", "na "];

/** Finds what is only recognised after a preposition, as if one stood at the start of the message. */
function findAfterPreposition<Found extends { start: number; end: number }>(
  text: string,
  find: (part: string) => Found | undefined,
): Found | undefined {
  const start = endOfWords(text, plainWords, false);
  for (const preposition of prepositions) {
    const found = find(preposition + text.slice(start));
    if (found !== undefined) return { ...found, start, end: start + found.end - preposition.length };
  }
  return undefined;
}

function findOnlyNumber(text: string) {
  const [number, ...others] = findNumbers(text);
  if (number === undefined || others.length > 0 || !countsItems(text, number)) return undefined;
  if (countedElse.test(text.slice(number.end)) || text.slice(number.start, number.end) === "one") return undefined;
  return { start: number.start, end: number.end, limit: number.value };
}

/** Index up to which the text only contains these concepts, and confetti words if `aboutConfetti` is set. */
function endOfWords(text: string, concepts: readonly Concept[], aboutConfetti: boolean): number {
  let at = fitsAt(separators, text, 0) ?? 0;
  while (at < text.length) {
    let end: number | undefined;
    for (const concept of concepts) {
      const found = concept.endAt(text, at);
      if (found !== undefined && (end === undefined || found > end)) end = found;
    }
    end ??= aboutConfetti ? endOfConfettiWord(text, at) : undefined;
    if (end === undefined) break;
    at = fitsAt(separators, text, end) ?? end;
  }
  return at;
}

/** The words of the text that belong to none of these concepts. */
function unknownIn(text: string, concepts: readonly Concept[], aboutConfetti: boolean): string {
  let unknown = "";
  for (let at = 0; at < text.length; ) {
    const start = at + endOfWords(text.slice(at), concepts, aboutConfetti);
    const end = start < text.length ? (fitsAt(word, text, start) ?? start + 1) : start;
    unknown += (start > at ? " " : "") + text.slice(start, end);
    at = end;
  }
  return unknown.trim();
}

function endOfConfettiWord(text: string, at: number): number | undefined {
  const end = fitsAt(latinWord, text, at);
  const word = text.slice(at, end);
  return findColors(word).length > 0 ? end : particles.endAt(text, at);
}

const maxWordsBeside = 4;
/** A number is weaker evidence for a follow-up than a time. */
const maxWordsBesideNumber = 3;
const wordsBeside = pattern(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,3}|[\p{L}\p{M}\p{N}'-]+?(?=$|[^\p{L}\p{M}\p{N}'-]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])`,
  "g",
);
const lengthInWords = (text: string): number => text.match(wordsBeside)?.length ?? 0;

const otherTopics = [
  weighing,
  anyProduct,
  productKind,
  productTopic,
  kindAbroad,
  ranking,
  searching,
  launchCraft,
  confetti,
];
/** The remaining words have a topic of their own, or are about the user's own launch. */
const isAboutElse = (text: string): boolean => otherTopics.some((topic) => topic.isIn(text)) || self.isIn(text);

/** The remaining words are too few for another topic. */
const isLittle = (text: string, isBesideNumber: boolean): boolean =>
  lengthInWords(text) <= (isBesideNumber ? maxWordsBesideNumber : maxWordsBeside);
