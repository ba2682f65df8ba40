import type { Citation } from "@agent-backends/contract";
import type { Hit } from "../search/hybrid-search.ts";
import type { Place } from "../store/document.ts";
import type { AnswerMarks } from "./answer-marks.ts";
import { findClaim, findSupport } from "./supporting.ts";

/** Maximum number of marks with the same number whose statements are compared with the chunk. */
const maxClaims = 8;

/** A chunk in the form that the model sees. */
export interface NumberedChunk extends Place {
  /** The answer refers to the chunk as `[n]`. */
  n: number;
  title: string;
  source: string;
  /** The header row of the table in which `content` begins. */
  table_header?: string;
  content: string;
}

/** The chunks of one answer, numbered from 1 across all its searches. A chunk that is found again keeps its number. */
export class NumberedChunks {
  readonly #hits: Hit[] = [];

  number(found: readonly Hit[]): NumberedChunk[] {
    return found.map((hit) => {
      let position = this.#hits.findIndex((one) => isSameChunk(one, hit));
      if (position < 0) position = this.#hits.push(hit) - 1;
      return {
        n: position + 1,
        title: hit.document.title,
        source: hit.document.source,
        page: hit.page,
        slide: hit.slide,
        sheet: hit.sheet,
        heading: hit.heading,
        table_header: hit.tableHeader,
        content: hit.text,
      };
    });
  }

  has(number: number): boolean {
    return number >= 1 && number <= this.#hits.length;
  }

  /**
   * The chunks that an answer's marks refer to. An answer without marks cites all chunks, unless it has the mark which says that the
   * documents don't answer. The answer's words can't decide that, because they depend on the language.
   */
  getCitations({ text, references, saysNothingFound }: AnsweredText): Citation[] {
    if (references.length === 0 && saysNothingFound) return [];
    return this.#hits.flatMap((hit, position) => {
      const n = position + 1;
      const marks = references.filter((reference) => reference.n === n);
      if (references.length > 0 && marks.length === 0) return [];
      const claims = marks.slice(0, maxClaims).map(({ offset }) => findClaim(text, offset));
      return toCitation(hit, n, claims);
    });
  }
}

/** Compares namespaces too: the same content has the same id in every namespace. */
const isSameChunk = (one: Hit, other: Hit): boolean =>
  one.document.id === other.document.id && one.index === other.index && one.namespace === other.namespace;

/** An answer whose marks have been read. */
type AnsweredText = Pick<AnswerMarks, "text" | "references" | "saysNothingFound">;

/** The citation of a chunk for the statements that carry its mark. Its place is that of the sentence that supports them. */
function toCitation(hit: Hit, n: number, claims: readonly string[]): Citation {
  const { document, text, start, end } = hit;
  const support = findSupport(text, claims);
  return {
    n,
    title: document.title,
    source: document.source,
    hash: document.hash,
    document_id: document.id,
    ...(hit.namespace !== undefined && { namespace: hit.namespace }),
    ...placeAt(hit, support?.start ?? 0),
    url: document.url,
    quote: text,
    start,
    end,
    ...(support?.isClear && { supporting: { start: start + support.start, end: start + support.end } }),
  };
}

/** The place of a character in a chunk, by its offset in the chunk's text. */
function placeAt(hit: Hit, offset: number): Place {
  const { page, slide, sheet, heading } = hit.sections?.findLast((section) => section.offset <= offset) ?? hit;
  return { page, slide, sheet, heading };
}
