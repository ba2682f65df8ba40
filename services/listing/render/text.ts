// Besides control characters: bidirectional overrides and separators, which reorder or break the text around them.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\s]+/gu;
// An underscore within a word is no mark, and an ampersand only where it begins an entity.
const marks = /[\\`*[\]<|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
const entity = /&(?=#?\w+;)/g;

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
  return oneLine(text, max).replace(marks, "\\$&").replace(entity, "&amp;");
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
