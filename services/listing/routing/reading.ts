import type { Temporal } from "temporal-polyfill";
import { isTimezone } from "../timeframe/timezone.ts";
import type { Filters } from "./findings/conditions.ts";
import { findFilters } from "./findings/conditions.ts";
import type { LimitPhrase } from "./findings/counts.ts";
import { findLimit } from "./findings/counts.ts";
import { extractQuery, hasQuotes, isGeneric } from "./findings/query.ts";
import { withoutCorrected, withoutRefusals } from "./findings/refusals.ts";
import type { Period } from "./findings/times.ts";
import { findTime } from "./findings/times.ts";
import { findTopic, findUnknownTopic } from "./findings/topic.ts";
import type { TimezonePhrase } from "./findings/zones.ts";
import { findTimezone } from "./findings/zones.ts";
import { isExactly, parse, writesDayFirst } from "./languages/index.ts";
import { blankOut } from "./text/characters.ts";
import type { Chart, Place } from "./text/chart.ts";
import { fold } from "./text/fold.ts";
import type { Message, Sentence } from "./text/message.ts";
import { readMessage, splitSentences } from "./text/message.ts";

const slashedDate = /(?<![\d/])(\d{1,2})\/(0?[1-9]|1[0-2])\/(\d{4})(?![\d/])/g;

/** Converts "04/11/2026" to "04.11.2026", a date that starts with the day, if the text's language writes the day first. */
const withDayFirst = (text: string): string =>
  text.search(slashedDate) >= 0 && writesDayFirst(text) ? text.replaceAll(slashedDate, "$1.$2.$3") : text;

/** A parsed message: its sentences, without refused requests ("no confetti, please"). */
export class Reading {
  readonly message: Message;
  readonly text: string;
  /** Whether the message refuses something: "no confetti please". */
  readonly isRefusal: boolean;
  readonly chart: Chart;
  readonly filters: Filters;
  /** The timezone named anywhere in the message. */
  readonly timezone: TimezonePhrase | undefined;
  readonly sentences: SentenceReading[];
  readonly #getDate: (timezone: string | undefined) => Temporal.PlainDate;
  #today?: Temporal.PlainDate;

  /** @param dateIn returns today's date in a timezone; undefined means the default zone */
  constructor(input: string, dateIn: (timezone: string | undefined) => Temporal.PlainDate) {
    this.message = readMessage(input);
    const corrected = withoutCorrected(withDayFirst(this.message.text));
    this.filters = findFilters(parse(corrected));
    // Exclusions are hidden from the other finders: "AI" in "except AI", "300" in "more than 300 votes".
    const wanted = blankOut(corrected, this.filters.places);
    this.text = withoutRefusals(wanted);
    this.isRefusal = this.text !== wanted;
    this.chart = parse(this.text);
    const places = splitSentences(this.text);
    // "We are a team in Lisbon. Who won yesterday?" names no zone.
    const isRanked = ({ start }: Place): boolean =>
      places.some(
        (one) => one.start <= start && start < one.end && this.chart.within(one.start, one.end).has("ranking"),
      );
    this.timezone = findTimezone(this.chart, { place: isRanked });
    this.#getDate = dateIn;
    // Hide the zone's name from the other finders, such as "time" in "Berlin time".
    const isWhole = places.length === 1 && this.timezone === undefined;
    this.sentences = places.map((place) => {
      const chart = isWhole ? this.chart : this.chart.within(place.start, place.end, [this.timezone]);
      return new SentenceReading(this, place, chart);
    });
  }

  /** Today in the zone in which the whole message is resolved. */
  get today(): Temporal.PlainDate {
    const named = this.timezone?.tz;
    // An unknown zone is refused later, along with the timeframe.
    this.#today ??= this.#getDate(named !== undefined && isTimezone(named) ? named : undefined);
    return this.#today;
  }
}

/** One sentence of a message. */
export class SentenceReading {
  readonly reading: Reading;
  readonly place: Sentence;
  readonly text: string;
  readonly chart: Chart;
  /** The time that the sentence names. */
  readonly time: Period | undefined;
  /** The number of items that the sentence asks for. */
  readonly limit: LimitPhrase | undefined;
  readonly #isLiteral: boolean;
  #query?: string;

  constructor(reading: Reading, place: Sentence, chart: Chart) {
    this.reading = reading;
    this.place = place;
    this.text = reading.text.slice(place.start, place.end);
    this.chart = chart;
    this.#isLiteral = hasQuotes(this.text) || chart.has("named");
    this.time = findTime(this.chart, () => reading.today);
    this.limit = findLimit(this.chart, this.time);
  }

  /** Whether the time may be the topic of the launches: "Halloween games", "weekend trips". */
  get isTheme(): boolean {
    return this.time?.kind === "on mdny" || this.time?.kind === "weekend";
  }

  /** The time, if it is separate from the search query. */
  get separateTime(): Period | undefined {
    return this.isTheme || this.#isLiteral ? undefined : this.time;
  }

  /** Whether the timeframe is a single future day, on which nothing has launched yet. */
  get isFuture(): boolean {
    const timeframe = this.time?.timeframe ?? "";
    return /^\d{4}-\d{2}-\d{2}$/.test(timeframe) && timeframe > this.reading.today.toString();
  }

  /** The topic. In "AI yesterday" it stands alone: nothing else remains beside the time. */
  get topic(): string | undefined {
    const found = findTopic(this.chart);
    if (
      found !== undefined ||
      this.separateTime === undefined ||
      this.chart.has("ranking", "like", "launching", "exists")
    )
      return found;
    const rest = fold(this.query);
    return isExactly("topicAlone", rest) ? findTopic(parse(rest), "topicAlone") : undefined;
  }

  /** Unknown words in the position of a topic, as written. */
  get unknownTopic(): string | undefined {
    const found = this.chart.has("built") ? undefined : findUnknownTopic(this.chart, this.place);
    return found && this.reading.message.written(found);
  }

  /** The search query: the sentence without limit, time, timezone and filler words. Empty if only generic words remain. */
  get query(): string {
    this.#query ??= this.#findQuery();
    return this.#query;
  }

  #findQuery(): string {
    const { message, timezone } = this.reading;
    const time = this.separateTime;
    // Finds "from" in "note apps from yesterday".
    const link = time && this.chart.all("timePreposition").find(({ end }) => end === time.start - 1);
    const limit = this.#isLiteral ? undefined : this.limit;
    const query = extractQuery(message, this.chart, this.place, [timezone, time, link, limit]);
    return !this.#isLiteral && isGeneric(query) ? "" : query;
  }
}
