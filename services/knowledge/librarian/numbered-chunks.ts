import type { Citation } from "@agent-backends/contract";
import type { Hit } from "../search/hybrid-search.ts";

/** What the model is given of a chunk. */
export interface NumberedChunk {
  /** The number by which the answer refers to it: `[n]`. */
  n: number;
  title: string;
  source: string;
  page?: number;
  heading?: string;
  content: string;
}

/** The chunks of one answer, numbered from 1 across all its searches; one that is found again keeps its number. */
export class NumberedChunks {
  readonly #hits: Hit[] = [];

  number(found: readonly Hit[]): NumberedChunk[] {
    return found.map((hit) => {
      let position = this.#hits.findIndex((one) => one.document.id === hit.document.id && one.index === hit.index);
      if (position < 0) position = this.#hits.push(hit) - 1;
      return {
        n: position + 1,
        title: hit.document.title,
        source: hit.document.source,
        ...(hit.page !== undefined && { page: hit.page }),
        ...(hit.heading !== undefined && { heading: hit.heading }),
        content: hit.text,
      };
    });
  }

  /** Whether a chunk has this number. */
  has(number: number): boolean {
    return number >= 1 && number <= this.#hits.length;
  }

  /**
   * What an answer rests on: the chunks that its marks refer to; when there are none, all it was given, unless it says by its
   * mark that the documents do not tell. What it says in words depends on its language.
   */
  citedBy({ numbers, saysNothingFound }: { numbers: ReadonlySet<number>; saysNothingFound: boolean }): Citation[] {
    const all = this.#hits.map((hit, position) => toCitation(hit, position + 1));
    const cited = all.filter(({ n }) => numbers.has(n));
    if (cited.length === 0 && saysNothingFound) return [];
    return cited.length > 0 ? cited : all;
  }
}

function toCitation({ document, text, start, end, page, heading, sheet, slide }: Hit, n: number): Citation {
  return {
    n,
    title: document.title,
    source: document.source,
    hash: document.hash,
    document_id: document.id,
    ...(page !== undefined && { page }),
    ...(heading !== undefined && { heading }),
    ...(sheet !== undefined && { sheet }),
    ...(slide !== undefined && { slide }),
    ...(document.url !== undefined && { url: document.url }),
    quote: text,
    start,
    end,
  };
}
