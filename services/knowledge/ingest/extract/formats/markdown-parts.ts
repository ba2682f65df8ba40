/** In a block with more links than this, no link targets are kept, because finding each one searches the whole block. */
export const maxExaminedLinks = 100;

/** A block with more links than this keeps none. They are references in dense prose, and would outnumber its words. */
const maxLinksPerBlock = 3;

export const toOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** A block's text followed by its links with web addresses. This keeps sentences whole, so that they can be searched and quoted. */
export function appendLinks(text: string, links: readonly { text: string; url: string }[]): string {
  if (links.length > maxExaminedLinks) return text;
  const targets = new Map<string, string>();
  for (const link of links) {
    const words = toOneLine(link.text);
    if (words === "" || !/^https?:\/\//i.test(link.url) || text.includes(link.url)) continue;
    const before = targets.get(link.url);
    targets.set(link.url, before === undefined ? words : `${before} ${words}`);
    if (targets.size > maxLinksPerBlock) return text;
  }
  if (targets.size === 0 || text.trim() === "") return text;
  const only = targets.size === 1 ? [...targets][0] : undefined;
  if (only !== undefined && only[1] === toOneLine(text)) return `[${only[1]}](${only[0]})`;
  return `${text.trimEnd()} ${[...targets].map(([url, words]) => `[${words}](${url})`).join(" ")}`;
}

/** Suffixes of ordinal numbers and titles in European languages, which are often raised: "1st", "2e", "3º". */
const ordinal = /^(?:st|nd|rd|th|e|er|re|ère|me|ème|de|ste|te|o|a|os|as|º|ª)$/i;

/**
 * The end of a unit or variable. Its powers are written with superscript characters, "m³", which a search for "m3" finds. After longer
 * words, a superscript is a note.
 */
const unit = /(?<!\p{L})\p{L}{1,2}$/u;

const raised: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from("-−–0123456789", (sign, index) => [sign, "⁻⁻⁻⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(index)]),
);

/** What a part of a line is, if it doesn't stand in the line. */
export type Script = "super" | "sub" | "root" | "numerator" | "denominator";

/**
 * Superscript or subscript text after the words before it: "10^16", "x^(n+1)", "1010_2". Nothing is marked if plain text reads, and is
 * searched, the same: "1st", "H2O", "Brand®", "[1]". Fractions and roots of formulas are in one line: "1/2", "(a+b)/c", "√2".
 */
export function formatScript(kind: Script, text: string, before: string): string {
  const content = text.trim();
  if (kind === "numerator") return `${/[\p{L}\p{N}]$/u.test(before) ? " " : ""}${group(content)}`;
  if (kind === "denominator") return `/${group(content)}`;
  if (kind === "root") return `√${group(content)}`;
  if (content === "" || !/[\p{L}\p{N})\]]$/u.test(before)) return text;
  const isAfterDigit = /\d$/.test(before);
  if (kind === "sub") return isAfterDigit && /^[\p{L}\p{N}]/u.test(content) ? `_${content}` : text;
  const isWord = /^\p{L}{2,}$/u.test(content) || (isAfterDigit && ordinal.test(content));
  if (unit.test(before) && /^[-−–]?\d$/.test(content)) return [...content].map((sign) => raised[sign]).join("");
  if (isWord || !/^[-+−–]?[\p{L}\p{N}(]/u.test(content)) return text;
  return `^${group(content)}`;
}

/** A part of a formula in parentheses, unless it is a single number or variable. */
const group = (content: string): string => (/^[-+−–]?√?[\p{L}\p{N}.,]+$/u.test(content) ? content : `(${content})`);
