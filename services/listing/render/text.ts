// Besides control characters: bidirectional overrides and separators, which reorder or break the text around them.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\s]+/gu;
// An underscore within a word is no mark, a point only within an address, and an ampersand only where it begins an entity. An
// exclamation mark makes an image of the bracket after it, in marked also where that one is escaped.
const marks = /[\\`*[\]<|~]|!(?=[\\[])|(?<=\])\(|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<=\S)\.(?=\p{L})|(?<=\/)\//gu;
const entity = /&(?=#?\w+;)/g;
/** Where a bare address would become a link: before the "@" of "me@example.com", behind the colon of "https:" and behind "www". */
const addressJoints = /(?=@)|(?<=[a-z]:)(?=\/)|(?<=www)(?=\\?\.)/gi;
/**
 * Shows nothing and breaks no line (U+2060). Renderers such as remark-gfm look for addresses once the escapes are gone, so that
 * an escape does not keep them apart.
 */
const wordJoiner = "\u2060";

/** One line of plain text: line breaks and control characters become spaces, halves of characters a sign, and more than `max` characters an ellipsis. */
export function oneLine(text: string, max = Number.POSITIVE_INFINITY): string {
  const flat = text.toWellFormed().replace(unprintable, " ").trim();
  const characters = Array.from(flat);
  return characters.length > max
    ? `${characters
        .slice(0, max - 1)
        .join("")
        .trimEnd()}…`
    : flat;
}

/** Text that Markdown shows as it is, on one line. */
export function escapeMarkdown(text: string, max?: number): string {
  return oneLine(text, max).replace(marks, "\\$&").replace(addressJoints, wordJoiner).replace(entity, "&amp;");
}

/** A Markdown link, or the label alone when the address is not http or https. */
export function markdownLink(label: string, address: string, max?: number): string {
  const text = escapeMarkdown(label, max);
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return text;
  const destination = new URL(address).href.replace(/[()|<>\\`*\s]/g, percentEncoded).replace(entity, "&amp;");
  return `[${text}](${destination})`;
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
