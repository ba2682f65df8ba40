import type { Candidate } from "./evidence.ts";

/** Context is added up to this length of a quote. */
const maxQuoteCharacters = 700;
const maxStatementCharacters = 900;
const maxFollowing = 3;
const maxItems = 12;

/** A sentence that begins like this needs the one before it. */
const reference =
  /^\W*(?:it|its|this|that|these|those|they|he|she|his|her|their|there|such|er|sie|es|dies\w*|diese\w*|dabei|dazu|damit|dadurch|il|elle|ils|elles|ce|cela|ceci|cette|ces|este|esta|esto|ese|esa|él|ella|ellos|questo|questa|questi|esso|essa|ele|ela|isso|hij|zij|ze|het|dit|dat|deze|он|она|оно|они|это|эт\p{L}+|これ|それ|この|その|他|她|它|这|该)(?:\P{L}|$)/iu;

/** What a document has that looks like the mark of a citation. */
const marks = /\s*\[\d{1,3}\]/g;

/**
 * A statement in the document's words, with the mark of its chunk and what it needs to be understood: the sentence that it refers
 * to, the items that it announces, the sentence after it.
 */
export function quote({ chunk, position }: Candidate, said: string): string {
  const mark = `[${chunk.chunk.number}]`;
  const getText = (at: number) => shorten(chunk.getText(at).replaceAll(marks, ""));
  const statement = getText(position);
  const unit = chunk.units[position];
  const intro = chunk.findIntro(position);
  if (/[:：]$/.test(statement)) {
    const announced = listAnnounced({ chunk, position }, getText);
    if (announced.length > 0) return `${statement} ${announced.join("; ")} ${mark}`;
  }
  if (unit?.kind === "item" && intro >= 0) return `${getText(intro)} ${statement} ${mark}`;
  if (unit?.kind === "row") return `${statement} ${mark}`;
  const isNeighbour = (at: number) => {
    const other = chunk.units[at];
    return (
      other !== undefined && other.kind === unit?.kind && !said.includes(getText(at)) && !/[?？؟]\s*$/.test(getText(at))
    );
  };
  const before = isNeighbour(position - 1) && reference.test(statement) ? `${getText(position - 1)} ` : "";
  let whole = `${before}${statement} ${mark}`;
  for (let at = position + 1; at <= position + maxFollowing && isNeighbour(at); at++) {
    if (whole.length + getText(at).length > maxQuoteCharacters) break;
    whole += ` ${getText(at)} ${mark}`;
  }
  return whole;
}

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

function shorten(statement: string): string {
  if (statement.length <= maxStatementCharacters) return statement;
  return `${statement
    .slice(0, maxStatementCharacters - 1)
    .toWellFormed()
    .trimEnd()}…`;
}
