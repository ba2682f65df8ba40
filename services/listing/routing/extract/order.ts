import { concepts } from "../languages/index.ts";
import { pattern } from "../text/pattern.ts";

const { fewestVotes } = concepts;

const bottomOfMany = /\bbottom (?:\d|two\b|three\b|four\b|five\b|ten\b|twenty\b|launches\b|products\b|posts\b)/;

/** The text asks for the fewest votes first. */
export const isAscending = (text: string): boolean => fewestVotes.isIn(text) || bottomOfMany.test(text);

/** The hash sign with a place: "#1", "rank 3". */
export const place = pattern(
  String.raw`(?:^|[^\p{L}\p{N}&])#\s?\d{1,3}(?!\w)|\b(?:rank(?:s|ed)?|places?|spots?|positions?) \d`,
);

/** Asking for an order: "posts, highest first", "sort by votes". */
export const ordering = pattern(String.raw`
  \b(?:top|best)\d+\b|\b(?:sort|order|rank)(?:[ _-]?by)? ?[=:] ?(?:up)?votes?\b|\b(?:up)?votes? (?:desc\w*|first|high\w* to low\w*)\b|\b(?:ilk|primeros|primeras|premiers|premieres|primi|primeiros|ersten|pierwsz\p{L}+) \d|前 ?(?:\d|[二三四五六七八九十两])|第一|\d ?(?:위|位)|\b(?:sort|order|rank)(?:ed|s
  |ing)?(?: \p{L}+){0,3} by\b|\b(?:highest|most \w+|best|top) first\b
  |\bmost (?:up[ -]?)?(?:voted|liked|loved|hyped|shared|saved|viewed|visited|clicked|praised|starred|followed|commented|discussed|mentioned|talked about|bookmarked|favou?rited|supported|endorsed|appreciated|reviewed|celebrated|admired)\b
  |\brank (?:all|every|the|them|every\w*|products?|launches|posts)\b
`);
