import { isTimezone, parseTimezone } from "../../timeframe/timezone.ts";
import type { Chart, Place, Span } from "../text/chart.ts";
import { findValue } from "./spans.ts";

/** A timezone in a message: an IANA name, or the user's text if no such zone exists. */
export interface TimezonePhrase extends Place {
  tz: string;
}

const ianaName =
  /(?<![\p{L}\p{N}/:.])(?:tz|timezone|time zone)?[=: ]{0,2}\(?((?:africa|america|antarctica|arctic|asia|atlantic|australia|brazil|canada|chile|etc|europe|indian|mexico|pacific|us)\/[a-z0-9_+-]+(?:\/[a-z0-9_+-]+)?)(?![\p{L}/])/u;
/** Looks like an IANA time zone but isn't one, for example "in Mars/Phobos". */
const zoneShaped =
  /(?<=(?<![\p{L}\p{N}])(?:in|at|for|to|from|\() ?)([a-z_]{3,}\/[a-z_]{3,}(?:\/[a-z_]{3,})?)(?= ?(?:time(?: ?zone)?|tz|clock|please|pls|\)|[,.?!;]|$))/u;
/** A field whose name may be unknown. Without "=" or ":" it needs a preposition: "tz handling" isn't a zone. */
const asField =
  /\b(?:(?:tz|timezone|time zone)(?: ?[=:] ?| (?:is )?(?=['"]?[a-z_]+\/))|(?:in|using|with|use|my)(?: the| my)? (?:tz|timezone|time zone) (?!does|do|is|of|are|should|to|in|for|tracker|converter|tool|app|planner))['"]?([\p{L}][\p{L}\d_+-]*(?:\/[\p{L}\d_+-]+)*|[+-]\d{1,2}(?::?\d{2})?)/u;

/**
 * The timezone in a text: an IANA name, an offset, or a place with "time" ("Berlin time").
 *
 * @param mayBe whether a place without "time" may mean its zone: after a preposition ("in Tokyo"), or alone at the end
 */
export function findTimezone(
  chart: Chart,
  mayBe: Partial<Record<"place" | "bare", (place: Place) => boolean>>,
): TimezonePhrase | undefined {
  const { text } = chart;
  const named = pick(chart, "named", always);
  const written = text.includes("/") ? ianaName.exec(text) : null;
  if (written?.[1] !== undefined) return toPhrase(written, toZoneName(written[1]));
  if (named === undefined && /tz|zone/.test(text)) {
    const field = asField.exec(text);
    if (field?.[1] !== undefined) return toPhrase(field, toZoneName(field[1]));
  }
  const shaped = text.includes("/") ? zoneShaped.exec(text) : null;
  if (shaped?.[1] !== undefined) return toPhrase(shaped, toZoneName(shaped[1]));
  return named ?? pick(chart, "short", always) ?? pick(chart, "place", mayBe.place) ?? pick(chart, "bare", mayBe.bare);
}

export const always = (): boolean => true;

function pick(chart: Chart, kind: string, mayBe: ((place: Place) => boolean) | undefined): TimezonePhrase | undefined {
  const isKind = ({ meaning }: Span): boolean => (meaning.includes("/") ? kind === "named" : meaning === kind);
  const found = chart.all("zone").find((span) => isKind(span) && mayBe?.(span));
  if (found === undefined) return undefined;
  const written = chart.text.slice(found.start, found.end).toUpperCase();
  const known = zoneCategories.map((category) => findValue(found, category)).find((name) => name !== undefined);
  // "UTC+25" is no zone, and is refused later.
  const tz = known ?? (found.meaning.includes("/") ? found.meaning : written);
  return { start: found.start, end: found.end, tz };
}

const zoneCategories = ["zoneOffset", "city", "zoneName", "shortZone"];

const toPhrase = ({ index, 0: { length } }: RegExpExecArray, tz: string): TimezonePhrase => ({
  start: index,
  end: index + length,
  tz,
});

function toZoneName(text: string): string {
  if (isTimezone(text)) return parseTimezone(text);
  const parts = text.split("/");
  return parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("/");
}
