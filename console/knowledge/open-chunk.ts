import type { SearchResponse } from "@agent-backends/contract";
import type { AssistantMessage } from "../conversations/messages.ts";
import type { Range } from "../markdown/chunk-marks.ts";
import { findClaims } from "../markdown/claim-reader.ts";
import type { Place } from "./place.ts";
import { findSupportingSentences } from "./supporting-sentences.ts";

/** A chunk of a document, and what rests on it. */
export interface OpenChunk extends Place {
  namespace: string;
  documentId: string;
  title: string;
  source: string;
  quote: string;
  start: number;
  end: number;
  url?: string | undefined;
  /** What of the quote supports the claims made with it; offsets in the document, as `start`. */
  supports: readonly Range[];
}

/** The chunks that an answer cites, in its order. `opened` says what a mark that was used stands for. */
export function chunksOfAnswer(
  { text, citations, namespace }: AssistantMessage,
  opened: { n: number; claim?: string | undefined },
  currentNamespace: string,
): OpenChunk[] {
  return citations.map(({ document_id: documentId, supporting, ...citation }) => {
    const claims = citation.n === opened.n && opened.claim ? [opened.claim] : findClaims(text, citation.n);
    const isWithin = supporting && supporting.start >= citation.start && supporting.end <= citation.end;
    const supports = isWithin ? [supporting] : supportsOf(citation, claims);
    return { ...citation, namespace: namespace ?? currentNamespace, documentId, supports };
  });
}

/** The chunks that a search found. */
export function chunksOfSearch({ namespace, query, results }: SearchResponse): OpenChunk[] {
  return results.map(({ title, content: quote, metadata: { document_id: documentId, ...metadata } }) => {
    const supports = supportsOf({ quote, start: metadata.start }, [query]);
    return { ...metadata, namespace, documentId, title, quote, supports };
  });
}

function supportsOf({ quote, start }: { quote: string; start: number }, claims: readonly string[]): Range[] {
  return findSupportingSentences(quote, claims).map((range) => ({
    start: start + range.start,
    end: start + range.end,
  }));
}
