// Control characters, plus bidirectional overrides and separators, which reorder or break the text around them.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\s]+/gu;
// Underscores inside a word, full stops outside URLs, and ampersands that start no entity are harmless. An exclamation mark turns the
// following bracket into an image; marked does so even if the bracket is escaped.
const marks = /[\\`*[\]<|~]|!(?=[\\[])|(?<=\])\(|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<=\S)\.(?=\p{L})|(?<=\/)\//gu;
const entity = /&(?=#?\w+;)/g;
/**
 * Where to break a bare URL or e-mail address so that it doesn't become a link: before "@", after the colon of "https:" and after "www".
 */
const addressJoints = /(?=@)|(?<=[a-z]:)(?=\/)|(?<=www)(?=\\?\.)/gi;
/**
 * U+2060 is invisible and causes no line break. An escape wouldn't help: renderers such as remark-gfm look for URLs after removing escapes.
 */
const wordJoiner = "\u2060";

/**
 * Puts text on one line: line breaks and control characters become spaces, lone surrogates U+FFFD. Truncates to `max` characters with an
 * ellipsis.
 */
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

/** Reverses {@link escapeMarkdown}, for one line. */
export const unescapeMarkdown = (text: string): string =>
  text
    .replaceAll(wordJoiner, "")
    .replaceAll("&amp;", "&")
    .replaceAll(/\\(?=[^\p{L}\p{N}\s])/gu, "");

/** Escapes text so that Markdown displays it literally, on one line. */
export function escapeMarkdown(text: string, max?: number): string {
  return oneLine(text, max).replace(marks, "\\$&").replace(addressJoints, wordJoiner).replace(entity, "&amp;");
}

/** A Markdown link, or only the label if the URL isn't http or https. */
export function buildMarkdownLink(label: string, address: string, max?: number): string {
  const text = escapeMarkdown(label, max);
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return text;
  const destination = new URL(address).href.replace(/[()|<>\\`*\s]/g, percentEncode).replace(entity, "&amp;");
  return `[${text}](${destination})`;
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
