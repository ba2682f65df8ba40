import { isTimezone, parseTimezone } from "../../timeframe/timezone.ts";
import { concepts } from "../languages/index.ts";
import otherPlaces from "../tables/places.json" with { type: "json" };
import { fold } from "../text/fold.ts";
import { pattern } from "../text/pattern.ts";

const { productKind, productTopic } = concepts;

/** A timezone in a message: an IANA name, or the user's text if no such zone exists. */
export interface TimezonePhrase {
  start: number;
  end: number;
  tz: string;
}

const zonesByPlace = new Map<string, string>();
for (const zone of Intl.supportedValuesOf("timeZone")) {
  if (!zone.includes("/") || zone.startsWith("Etc/")) continue;
  zonesByPlace.set(fold(zone.slice(zone.lastIndexOf("/") + 1)).replaceAll("_", " "), zone);
}
for (const [zone, names] of Object.entries(otherPlaces)) {
  for (const name of names.split("|")) zonesByPlace.set(name, zone);
}

const ianaName = pattern(
  String.raw`(?<![\p{L}\p{N}/:.])(?:tz|timezone|time zone)?[=: ]{0,2}\(?((?:africa|america|antarctica|arctic|asia|atlantic|australia|brazil|canada|chile|etc|europe|indian|mexico|pacific|us)/[a-z0-9_+-]+(?:/[a-z0-9_+-]+)?)(?![\p{L}/])`,
);
/** Looks like an IANA time zone but isn't one, for example "in Mars/Phobos". */
const zoneShaped = pattern(
  String.raw`(?<=(?<![\p{L}\p{N}])(?:in|at|for|to|from|\() ?)([a-z_]{3,}/[a-z_]{3,}(?:/[a-z_]{3,})?)(?= ?(?:time(?: ?zone)?|tz|clock|please|pls|\)|[,.?!;]|$))`,
);
const asField = pattern(
  String.raw`\b(?:tz|timezone|time zone)(?: ?[=:] ?| is | )['"]?([\p{L}][\p{L}\d_+-]*(?:/[\p{L}\d_+-]+)*(?: [\p{L}]+){0,2}|[+-]\d{1,2}(?::?\d{2})?)`,
);
const introducing = /\b(?:in|using|with|use|my)(?: the| my)? $/;
const offset = pattern(String.raw`(?<![\p{L}\d])(?:utc|gmt) ?([+-]) ?(\d{1,2})(?::?(\d{2}))?(?!\d)`);
const abbreviation = pattern(
  String.raw`(?<![\p{L}\d/+-])\(?(utc|gmt|pst|pdt|edt|cet|cest|jst|kst|bst|aest|aedt|msk|sgt|hkt|nzst|nzdt|brt|sast|(?<=\bin |\()(?:pt|et|ct|mt|est|cst|mst|ist)|(?:pt|et|ct|mt|est|cst|mst|ist)(?=[\s).?!]*$))\)?(?![\p{L}\d/+-])`,
);
const beforeTime = pattern(
  String.raw`((?:[\p{L}.]+ ){0,2}[\p{L}]+)(?:'s)?[- ](?:standard |daylight |local |summer )?(?:time ?zone|timezone|tz|time|zeit|uhrzeit|saati(?:yle|ne gore)?)(?![\p{L}-])`,
  "g",
);
const afterTime = pattern(
  String.raw`(?:time ?zone|timezone|tz|time|local time|hora|horario|heure|fuso|ora|tijd|czasu?|zeit|clock|calendar)(?: (?:in|of|at|de|du|von|del|di|van|for))? ((?:[\p{L}.]+ ){0,2}[\p{L}]+)`,
  "g",
);
const inPlace = pattern(
  String.raw`\b(?:in|at|from|for|here in|according to|en|a|em|aqui em) (?=((?:[\p{L}]+ ){0,2}[\p{L}]+))`,
  "g",
);
/** A place without a preposition: "Tokyo here, what's up?", "last week (Paris)", "today's top, Madrid". */
const placeAlone = pattern(
  String.raw`^[\s,]*((?:[\p{L}.]+ ){0,2}[\p{L}]+)(?: here\b|:)|[(,] ?((?:[\p{L}.]+ ){0,2}[\p{L}]+)(?:\)|[\s.!?]*$)`,
  "g",
);
const mayNameZone =
  /\/|time|zone|tz|clock|hora|heure|fuso|\bora\b|tijd|czas|zeit|utc|gmt|[pec][sd]t\b|[jk]st\b|\b(?:[pemc]t|ist|mst|mdt|cest|bst|ae[sd]t|msk|sgt|hkt|nz[sd]t|brt|sast)\b|時間|时间|時区|시간|врем|москве|мск|समय|\bsaat/;
const cjkPlaces: [RegExp, string][] = [
  [/(?:北京|中国|上海)(?:时间|時間|时区)/, "Asia/Shanghai"],
  [/(?:日本|東京|东京)(?:時間|时间|标准时间|標準時)/, "Asia/Tokyo"],
  [/(?:한국|서울) ?시간/, "Asia/Seoul"],
  [pattern(String.raw`(?:московск\p{L}+ времен\p{L}+|по москве|по мск)`), "Europe/Moscow"],
  [/(?:भारतीय समय|भारत समय)/, "Asia/Kolkata"],
  [/(?:太平洋时间|太平洋時間|태평양 ?시간)/, "America/Los_Angeles"],
];

/**
 * The timezone in a folded text: an IANA name, "tz …", a place or a zone with "time" ("Berlin time", "pacific time",
 * "hora de Madrid"), a common abbreviation, or, where `withPlaces` is set, "in Tokyo".
 */
export function findTimezone(text: string, withPlaces: boolean): TimezonePhrase | undefined {
  if (!mayNameZone.test(text) && !(withPlaces && / (?:in|at|from|for|to|en|a|em) |\bhere\b|[(,:]/.test(` ${text}`)))
    return undefined;
  const iana = ianaName.exec(text);
  if (iana?.[1] !== undefined) return phrase(iana, toZoneName(iana[1]));
  const utcOffset = offset.exec(text);
  if (utcOffset !== null) return phrase(utcOffset, offsetZone(utcOffset));
  const field = asField.exec(text);
  if (
    field?.[1] !== undefined &&
    !/^(?:does|do|is|of|are|should|to|in|for|tracker|converter|tool|app|planner)/.test(field[1])
  ) {
    const place = placeAtStart(field[1]);
    const [word = ""] = field[1].split(" ");
    const named = place ?? { zone: toZoneName(word), length: word.length };
    // Without "=" or ":" the word must be a known zone: "tz handling" is not one.
    if (
      place !== undefined ||
      /[=:/]/.test(field[0]) ||
      isTimezone(named.zone) ||
      introducing.test(text.slice(0, field.index))
    ) {
      return { start: field.index, end: field.index + field[0].indexOf(field[1]) + named.length, tz: named.zone };
    }
  }
  const shaped = zoneShaped.exec(text);
  if (shaped?.[1] !== undefined && !productTopic.isIn(shaped[1]) && !productKind.isIn(shaped[1]))
    return phrase(shaped, toZoneName(shaped[1]));
  for (const [pattern, zone] of cjkPlaces) {
    const match = pattern.exec(text);
    if (match !== null) return phrase(match, zone);
  }
  for (const match of text.matchAll(beforeTime)) {
    const place = placeAtEnd(match[1] ?? "");
    if (place !== undefined) {
      const start = match.index + (match[1]?.length ?? 0) - place.length;
      return { start, end: match.index + match[0].length, tz: place.zone };
    }
  }
  for (const match of text.matchAll(afterTime)) {
    const place = placeAtStart(match[1] ?? "");
    if (place !== undefined) {
      return { start: match.index, end: match.index + match[0].indexOf(match[1] ?? "") + place.length, tz: place.zone };
    }
  }
  const short = abbreviation.exec(text);
  if (short?.[1] !== undefined) return phrase(short, zonesByPlace.get(short[1]) ?? "UTC");
  if (!withPlaces) return undefined;
  for (const match of text.matchAll(placeAlone)) {
    const [whole, first, second] = match;
    const zone = zonesByPlace.get(first ?? second ?? "");
    if (zone !== undefined) return { start: match.index, end: match.index + whole.length, tz: zone };
  }
  for (const match of text.matchAll(inPlace)) {
    const place = placeAtStart(match[1] ?? "");
    if (place !== undefined && place.zone !== zonesByPlace.get("ph")) {
      return { start: match.index, end: match.index + match[0].length + place.length, tz: place.zone };
    }
  }
  return undefined;
}

/** The zone of "UTC+9". The names in the IANA database have the opposite sign, and half hours are those of a country. */
function offsetZone([written, sign, hours, minutes = "00"]: RegExpExecArray): string {
  const zone =
    Number(minutes) === 0
      ? `Etc/GMT${Number(hours) === 0 ? "" : sign === "+" ? "-" : "+"}${Number(hours)}`
      : (zonesByPlace.get(`utc${sign}${Number(hours)}:${minutes}`) ?? "");
  return isTimezone(zone) ? zone : written.toUpperCase();
}

function phrase(match: RegExpExecArray, tz: string): TimezonePhrase {
  return { start: match.index, end: match.index + match[0].length, tz };
}

function placeAtEnd(words: string): { zone: string; length: number } | undefined {
  const parts = words.split(" ");
  for (let from = 0; from < parts.length; from++) {
    const name = parts.slice(from).join(" ");
    // "Berliner Zeit", "Tokioter Zeit"
    const zone =
      zonesByPlace.get(name) ?? zonesByPlace.get(name.replace(/er$/, "")) ?? zonesByPlace.get(name.replace(/ter$/, ""));
    if (zone !== undefined) return { zone, length: name.length };
  }
  return undefined;
}

function placeAtStart(words: string): { zone: string; length: number } | undefined {
  const parts = words.split(" ");
  for (let count = parts.length; count > 0; count--) {
    const name = parts.slice(0, count).join(" ");
    const zone = zonesByPlace.get(name);
    if (zone !== undefined) return { zone, length: name.length };
  }
  return undefined;
}

function toZoneName(text: string): string {
  return isTimezone(text)
    ? parseTimezone(text)
    : text
        .split("/")
        .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
        .join("/");
}
