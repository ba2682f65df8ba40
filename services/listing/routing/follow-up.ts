import { findColors } from "./extract/colors.ts";
import { findLimit } from "./extract/limit.ts";
import { findNumbers } from "./extract/numbers.ts";
import { findParticleCount, particles } from "./extract/particles.ts";
import type { Period } from "./extract/periods.ts";
import { findTimeframe } from "./extract/timeframe.ts";
import { findTimezone } from "./extract/timezone.ts";
import type { Reading } from "./reading.ts";
import { blankOut } from "./reading.ts";
import { fitsAt, pattern } from "./text/pattern.ts";
import { politeness } from "./vocabulary/advising.ts";
import { celebrationPicture } from "./vocabulary/celebrating.ts";
import type { Concept } from "./vocabulary/concept.ts";
import type { Span } from "./vocabulary/following.ts";
import {
  addingNothing,
  allTime,
  continuing,
  descending,
  followingOn,
  insteadOf,
  onlyFirst,
  repeating,
  reversing,
  shifts,
  sorting,
  thanking,
  wantingMore,
} from "./vocabulary/following.ts";
import { anyProduct } from "./vocabulary/products.ts";
import { fewestVotes, firsts, isAscending } from "./vocabulary/ranking.ts";
import { howMany } from "./vocabulary/requests.ts";

/** What a message changes in what was asked for before it. */
export interface FollowUp {
  /** It says in words that it goes on: "and …", "only …". Without them it might stand for itself. */
  marked: boolean;
  limit?: number;
  timeframe?: string;
  /** "of all time" */
  isTimeless?: true;
  /** A time that is meant from the one before: "the week after". */
  shift?: { span: Span; steps: number };
  /** The zone that it names. */
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
}

/** Follow-ups are short; longer messages are complete in themselves. */
const maxCharacters = 120;
const separators = pattern(
  String.raw`[\s,.!?…:;'"()¿¡&+\ue000\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\p{Extended_Pictographic}\u200d\ufe0f-]+`,
  "y",
);
/** "no more" */
const refusing = /\b(?:no|not|never|stop|enough|without|kein\w*|nicht|pas|non|nao|niet|geen|nie)\b|n't\b/;
const latinWord = /[a-z]+/y;

const plainWords = [followingOn, insteadOf, addingNothing, repeating, continuing, wantingMore, politeness, firsts];
/** "3 weeks before that"; more is no figure that anyone means. */
const maxSteps = 1_000;

/** What a message changes in the one before, when it says nothing else; undefined for a message that is complete in itself. */
export function readFollowUp(reading: Reading): FollowUp | undefined {
  const { text } = reading;
  if (text.length > maxCharacters || text.startsWith("/") || celebrationPicture.test(text)) return undefined;
  const zone = findTimezone(text, true);
  const unzoned = blankOut(text, [zone]);
  const shift = findShift(unzoned, reading);
  const time = shift === undefined ? findTime(unzoned, reading) : undefined;
  const timeless = blankOut(unzoned, [shift, time]);
  const limit = findLimit(timeless) ?? findOnlyNumber(timeless);
  const rest = blankOut(timeless, [limit]);

  const beginning = endOfWords(rest, [politeness], false);
  // "mais" is "but" in French, and "mais votados" is "most voted" in Portuguese.
  const isRanking = descending.endAt(rest, beginning) !== undefined;
  const refuses = text !== reading.message.text;
  const marked = (!isRanking && !refuses && followingOn.endAt(rest, beginning) !== undefined) || insteadOf.isIn(rest);
  const order = isAscending(timeless) ? true : descending.isIn(rest) ? false : undefined;
  const asksForCount = howMany.isIn(rest);
  const repeats = repeating.isIn(rest) && !thanking.isIn(rest);
  const reverses = reversing.isIn(rest);
  const continues = continuing.isIn(rest) || (!repeats && !reverses && order === undefined && wantingMore.isIn(rest));
  const ascending = marked || continues || sorting.isIn(rest) ? order : undefined;
  const colors = findColors(rest);
  const particleCount = findParticleCount(timeless);
  const isTimeless = time === undefined && allTime.isIn(rest);
  const count = limit?.limit ?? (marked && onlyFirst.isIn(rest) ? 1 : undefined);
  const found: FollowUp = {
    marked,
    ...(count !== undefined && { limit: count }),
    ...(isTimeless && { isTimeless }),
    ...(time && { timeframe: time.timeframe }),
    ...(shift && { shift: { span: shift.span, steps: shift.steps } }),
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
  const words = [...plainWords, howMany, reversing];
  // "top 5" and "launches of today" are complete; "and the top 5" and "the next launches" are not.
  if (marked || continues || (asksForCount && time === undefined))
    words.push(anyProduct, descending, onlyFirst, allTime);
  if (ascending !== undefined) words.push(fewestVotes, sorting);
  const isWhole = endOfWords(rest, words, colors.length > 0 || particleCount !== undefined) === rest.length;
  return isWhole ? found : undefined;
}

/** "the day before", but not "the day before yesterday". */
function findShift(text: string, reading: Reading) {
  for (const [span, steps, phrases] of shifts) {
    const found = phrases.find(text);
    if (found === undefined) continue;
    if (findTimeframe(text.slice(found.end), reading.today) !== undefined) continue;
    const number = findNumbers(text).find(({ end }) => end === found.start - 1);
    const counted = number !== undefined && number.value <= maxSteps ? number : undefined;
    return { start: counted?.start ?? found.start, end: found.end, span, steps: steps * (counted?.value ?? 1) };
  }
  return undefined;
}

/** The time of a message, of which a month may be all that it says: "what about May?". */
function findTime(text: string, reading: Reading): Period | undefined {
  const time = findTimeframe(text, reading.today);
  if (time !== undefined) return time;
  const start = endOfWords(text, plainWords, false);
  const preposition = "in ";
  const alone = findTimeframe(preposition + text.slice(start), reading.today);
  return alone && { ...alone, start, end: start + alone.end - preposition.length };
}

function findOnlyNumber(text: string) {
  const [number, ...others] = findNumbers(text);
  if (number === undefined || others.length > 0) return undefined;
  return { start: number.start, end: number.end, limit: number.value };
}

/** How far a text holds nothing but such words, and the words of confetti where it is about that. */
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

function endOfConfettiWord(text: string, at: number): number | undefined {
  const end = fitsAt(latinWord, text, at);
  const word = text.slice(at, end);
  return findColors(word).length > 0 ? end : particles.endAt(text, at);
}
