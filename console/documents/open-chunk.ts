import type { SearchResponse } from "@agent-backends/client";
import type { AssistantMessage } from "../conversations/messages.ts";
import { findClaims } from "../markdown/claims.ts";
import type { Range } from "./chunk-marks.ts";
import { findSupportingSentences } from "./supporting-sentences.ts";

export interface OpenChunk extends Place {
  namespace: string;
  documentId: string;
  title: string;
  source: string;
  quote: string;
  start: number;
  end: number;
  url?: string | undefined;
  /** The parts of the quote that support the claims, as offsets in the document. */
  supports: readonly Range[];
}

/** The chunks that an answer cites, in order. `opened` is the clicked citation mark with its claim. */
export function toCitedChunks(
  { text, citations, namespace }: AssistantMessage,
  opened: { n: number; claim?: string | undefined },
  currentNamespace: string,
): OpenChunk[] {
  return citations.map(({ document_id: documentId, supporting, ...citation }) => {
    const claims = citation.n === opened.n && opened.claim ? [opened.claim] : findClaims(text, citation.n);
    const isWithin = supporting && supporting.start >= citation.start && supporting.end <= citation.end;
    const supports = isWithin ? [supporting] : findSupports(citation, claims);
    return { ...citation, namespace: namespace ?? currentNamespace, documentId, supports };
  });
}

export function toFoundChunks({ namespace, query, results }: SearchResponse): OpenChunk[] {
  return results.map(({ title, content: quote, metadata: { document_id: documentId, ...metadata } }) => {
    const supports = findSupports({ quote, start: metadata.start }, [query]);
    return { ...metadata, namespace, documentId, title, quote, supports };
  });
}

function findSupports({ quote, start }: { quote: string; start: number }, claims: readonly string[]): Range[] {
  return findSupportingSentences(quote, claims).map((range) => ({
    start: start + range.start,
    end: start + range.end,
  }));
}

/** The position of a chunk in its document. */
interface Place {
  page?: number | undefined;
  slide?: number | undefined;
  sheet?: string | undefined;
  heading?: string | undefined;
}

/** A place for readers: `page 2 · Prices › Children`. Empty if nothing is known. */
export function formatPlace({ title, page, slide, sheet, heading }: Place & { title: string }): string {
  const parts = [
    page !== undefined && `page ${page}`,
    slide !== undefined && `slide ${slide}`,
    sheet !== undefined && `sheet “${sheet}”`,
    heading !== undefined && formatHeading(heading, title),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** The headings above a chunk without the document's title: `Prices › Children` for `House rules > Prices > Children`. */
function formatHeading(heading: string, title: string): string {
  const path = heading.split(" > ");
  return (path[0] === title ? path.slice(1) : path).join(" › ");
}

/** A document's source for readers: a file's path or an address. */
export function formatSource(source: string): string {
  return /^(text|markdown):/.test(source) ? "pasted text" : source.replace(/^(file|url):/, "");
}
