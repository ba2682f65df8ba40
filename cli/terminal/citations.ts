import type { Citation } from "@agent-backends/client";
import type { Output } from "./output.ts";

const maxQuoteCharacters = 200;

/** Notes for answers that the provider cut short. */
export const cutNotes = {
  length: "The answer was cut off: it reached the provider's length limit.",
  content_filter: "The answer was cut off by the provider's content filter.",
};

/** Position of a chunk in its document: "p. 3, Refunds". */
export function describePlace({
  page,
  slide,
  sheet,
  heading,
}: Pick<Citation, "page" | "slide" | "sheet" | "heading">): string {
  const places = [page && `p. ${page}`, slide && `slide ${slide}`, sheet && `sheet ${sheet}`, heading];
  return places.filter(Boolean).join(", ");
}

/** Puts text on one line and truncates it. */
export function oneLine(text: string, maxCharacters: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1).trimEnd()}…` : line;
}

/** The sentence that supports the statement, if the service found one, else the start of the chunk. */
function supportingQuote({ quote, start, supporting }: Citation): string {
  return supporting ? quote.slice(supporting.start - start, supporting.end - start) : quote;
}

/**
 * Formats the citations, one per line. The offline provider's answers already end with titles and sources, so only the quotes are added.
 */
export function formatCitations(citations: readonly Citation[], answer: string, out: Output): string {
  const isListed = /\n\nSources: \[/.test(answer);
  return citations.map((citation) => `${formatCitation(citation, isListed, out)}\n`).join("");
}

function formatCitation(citation: Citation, isListed: boolean, out: Output): string {
  const { n, title, source, namespace } = citation;
  const place = [namespace, describePlace(citation)].filter(Boolean).join(", ");
  const quote = oneLine(supportingQuote(citation), maxQuoteCharacters);
  if (isListed) return `${out.style("cyan", `[${n}]`)} “${quote}”`;
  return [
    `${out.style("cyan", `[${n}]`)} ${out.style("bold", title)} ${out.style("dim", [source, place].filter(Boolean).join(" · "))}`,
    `    “${quote}”`,
  ].join("\n");
}
