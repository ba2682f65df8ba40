import type { Temporal } from "temporal-polyfill";
import { isTimezone } from "../timeframe/timezone.ts";
import type { LimitPhrase } from "./extract/limit.ts";
import { findLimit } from "./extract/limit.ts";
import { findName } from "./extract/names.ts";
import type { Period } from "./extract/periods.ts";
import { extractQuery, isGeneric, isLiteral } from "./extract/query.ts";
import { findTimeframe } from "./extract/timeframe.ts";
import type { TimezonePhrase } from "./extract/timezone.ts";
import { findTimezone } from "./extract/timezone.ts";
import { concepts, wordPatterns } from "./languages/index.ts";
import type { Message, Sentence } from "./text/message.ts";
import { readMessage, splitSentences } from "./text/message.ts";
import { withoutRefusals } from "./text/negation.ts";
import { blank, pattern } from "./text/pattern.ts";

const { fewestVotes, ranking } = concepts;

/** A parsed message: its sentences, without the requests it refuses ("no confetti, please"). */
export class Reading {
  readonly message: Message;
  readonly text: string;
  readonly #dateIn: (timezone: string | undefined) => Temporal.PlainDate;
  #today?: Temporal.PlainDate;
  readonly sentences: SentenceReading[];
  #timezone?: { found: TimezonePhrase | undefined };

  /** @param dateIn today's date in a timezone; undefined means the default zone */
  constructor(input: string, dateIn: (timezone: string | undefined) => Temporal.PlainDate) {
    this.message = readMessage(input);
    this.text = withoutRefusals(this.message.text, blank);
    this.#dateIn = dateIn;
    const { timezone } = this;
    // Hide the zone's name from the other finders, such as "time" in "Berlin time".
    this.sentences = splitSentences(blankOut(this.text, [timezone])).map(
      (sentence) => new SentenceReading(this, sentence),
    );
  }

  /** Today in the zone in which the whole message is resolved. */
  get today(): Temporal.PlainDate {
    const named = this.timezone?.tz;
    // An unknown zone is refused later, with the timeframe.
    this.#today ??= this.#dateIn(named !== undefined && isTimezone(named) ? named : undefined);
    return this.#today;
  }

  /** The timezone that is named anywhere in the message. */
  get timezone(): TimezonePhrase | undefined {
    this.#timezone ??= { found: findTimezone(this.text, ranking.isIn(this.text)) };
    return this.#timezone.found;
  }
}

const prepositionOfTime = pattern(`(?<![^\\s])(?:${wordPatterns.timePreposition})(?: the)? $`);

/** One sentence of a message. Findings are computed on first use. */
export class SentenceReading {
  readonly reading: Reading;
  readonly text: string;
  readonly question: boolean;
  readonly exclaimed: boolean;
  readonly start: number;
  #time?: { found: Period | undefined };
  #limit?: { found: LimitPhrase | undefined };
  #query?: string;

  constructor(reading: Reading, sentence: Sentence) {
    this.reading = reading;
    this.text = sentence.text;
    this.question = sentence.question;
    this.exclaimed = sentence.exclaimed;
    this.start = sentence.start;
  }

  /** The sentence asks for those with the fewest votes. */
  get ascending(): boolean {
    return fewestVotes.isIn(this.text);
  }

  /** The time that the sentence names. */
  get time(): Period | undefined {
    this.#time ??= { found: findTimeframe(this.text, this.reading.today) };
    return this.#time.found;
  }

  /** The timeframe is a single future day, on which nothing has launched yet. */
  get isFuture(): boolean {
    const timeframe = this.time?.timeframe ?? "";
    return /^\d{4}-\d{2}-\d{2}$/.test(timeframe) && timeframe > this.reading.today.toString();
  }

  /** How many items the sentence asks for. */
  get limit(): LimitPhrase | undefined {
    this.#limit ??= { found: findLimit(blankOut(this.text, [this.time])) };
    return this.#limit.found;
  }

  /** The search query: the sentence without limit, time, timezone and filler words. Empty if only generic words remain. */
  get query(): string {
    if (this.#query === undefined) {
      // Keep quoted and explicitly named queries as they are: "The Best of Today".
      const query = this.#extract(blankOut(this.text, [this.#timeWithPreposition(), this.limit]));
      this.#query = isLiteral(this.text) ? this.literalQuery : isGeneric(query) ? "" : query;
    }
    return this.#query;
  }

  /** The search query if a number or a time is part of a name: "the product named Yesterday". */
  get literalQuery(): string {
    return this.#extract(this.text);
  }

  /** The first capitalised product name. */
  get name(): string | undefined {
    const { message } = this.reading;
    return findName(message.raw.slice(message.rawIndex(this.start), message.rawIndex(this.start + this.text.length)));
  }

  /** The text for the model: marks replace time and limit, and the closing "?" or "!" is kept. */
  get marked(): string {
    const marked = mark(mark(this.text, this.time, this.isFuture ? "\ue005" : "\ue001"), this.limit, "\ue002");
    return marked + (this.question ? "?" : this.exclaimed ? "!" : "");
  }

  #timeWithPreposition(): { start: number; end: number } | undefined {
    if (this.time === undefined) return undefined;
    const [preposition = ""] = prepositionOfTime.exec(this.text.slice(0, this.time.start)) ?? [];
    return { start: this.time.start - preposition.length, end: this.time.end };
  }

  #extract(text: string): string {
    return extractQuery(this.reading.message, text, this.start);
  }
}

/** Replaces spans of the text with a character that no finder reads. */
export function blankOut(text: string, spans: ({ start: number; end: number } | undefined)[]): string {
  let blanked = text;
  for (const span of spans) {
    if (span === undefined) continue;
    blanked = blanked.slice(0, span.start) + blank.repeat(span.end - span.start) + blanked.slice(span.end);
  }
  return blanked;
}

/** Replaces a span with a mark, padded to keep positions. */
function mark(text: string, span: { start: number; end: number } | undefined, sign: string): string {
  if (span === undefined) return text;
  return text.slice(0, span.start) + sign.padEnd(span.end - span.start) + text.slice(span.end);
}
