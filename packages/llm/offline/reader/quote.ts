import { buildWordPattern, lazy } from "../languages/index.ts";
import type { Candidate } from "./read-chunk.ts";

/** Sentences after a statement are added until the quote has this length. */
const maxQuoteCharacters = 700;
const maxFollowing = 2;
const maxStatementCharacters = 900;
/** Short answers such as "Yes." and "Certainly." are complete by themselves. The reason follows. */
const maxShortAnswerCharacters = 12;
const maxItems = 12;

/** A sentence that starts with such a word needs the sentence before it. */
const reference = lazy(() => String.raw`^\W*${buildWordPattern("words.pronouns")}(?:\P{L}|$)`);

/**
 * Quotes a statement literally, with the mark of its chunk and the context that it needs: the sentence that it refers to, the items that it
 * announces, the sentences after it.
 *
 * @param said earlier answers, whose sentences aren't added again
 */
export function quote({ chunk, position, needsHeading }: Candidate, said = ""): string {
  const mark = `[${chunk.chunk.number}]`;
  if (needsHeading) return `${toPlainText(chunk.getHeading(position))} ${mark} ${quote({ chunk, position }, said)}`;
  const getText = (at: number) => shorten(toPlainText(chunk.getText(at)));
  const statement = getText(position);
  const unit = chunk.units[position];
  if (/[:：]$/.test(statement)) {
    const announced = listAnnounced({ chunk, position }, getText);
    if (announced.length > 0) return `${statement} ${announced.join("; ")} ${mark}`;
  }
  const intro = chunk.findIntro(position);
  if (unit?.kind === "item" && intro >= 0) return `${getText(intro)} ${statement} ${mark}`;
  if (unit?.kind === "row") return `${statement} ${mark}`;
  const isNeighbour = (at: number) =>
    chunk.units[at]?.kind === unit?.kind &&
    chunk.units[at]?.block === unit?.block &&
    !/[?？؟]\s*$/.test(getText(at)) &&
    (getText(at).length <= maxShortAnswerCharacters || !said.includes(getText(at)));
  const previous = isNeighbour(position - 1) ? getText(position - 1) : "";
  const isNeeded = reference().test(statement) || previous.length <= maxShortAnswerCharacters;
  const before = previous !== "" && isNeeded ? `${previous} ` : "";
  let whole = `${before}${statement} ${mark}`;
  for (let at = position + 1; at <= position + maxFollowing && isNeighbour(at); at++) {
    if (whole.length + getText(at).length > maxQuoteCharacters) break;
    whole += ` ${getText(at)} ${mark}`;
  }
  return whole;
}

/** Whether the quote of one statement contains another statement. */
export const isQuotedWith = (other: Candidate, candidate: Candidate): boolean =>
  other.chunk === candidate.chunk && quote(candidate).includes(toPlainText(other.chunk.getText(other.position)));

/** The items, rows or lines after a statement that ends with a colon. */
function listAnnounced({ chunk, position }: Candidate, getText: (at: number) => string): string[] {
  const block = chunk.units[position + 1]?.block;
  const items: string[] = [];
  let length = 0;
  for (let at = position + 1; chunk.units[at]?.block === block && items.length < maxItems; at++) {
    if (chunk.units[at]?.kind === "heading") break;
    if (chunk.units[at]?.kind === "header") continue;
    const item = getText(at);
    length += item.length;
    if (items.length > 0 && length > maxQuoteCharacters) break;
    items.push(item);
  }
  return items;
}

/** For example `<team@a.example>` or `<https://a.example>`. */
const bracketedAddress = /<([^\s<>@]+@[^\s<>@]+|https?:\/\/[^\s<>]+)>/gi;

/** Removes Markdown syntax, HTML, footnote marks, and text that looks like a citation mark. */
const toPlainText = (text: string): string =>
  text
    .replace(bracketedAddress, "$1")
    // Keep text inside code that looks like a tag.
    .replace(/(`+)(.+?)\1|<!--.*?-->|<\/?[a-z][^<>]*>/gi, (_, _ticks?: string, code?: string) => code ?? " ")
    .replace(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "$1")
    .replace(/\*\*|~~|`+|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])/g, "")
    .replace(/\\([\\`*_{}[\]()#+.!|-])/g, "$1")
    .replace(/\s*\[(?:\d{1,3}|\^[\w-]{1,30})\](?::\s*)?/g, "")
    .replace(/\s+/g, " ")
    .trim();

function shorten(statement: string): string {
  if (statement.length <= maxStatementCharacters) return statement;
  return `${statement
    .slice(0, maxStatementCharacters - 1)
    .toWellFormed()
    .trimEnd()}…`;
}
