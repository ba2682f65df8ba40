import type { Citation } from "@agent-backends/contract";
import type { Hit } from "../search/hybrid-search.ts";

/** A chunk as the model sees it. */
export interface NumberedChunk {
  /** The answer refers to it as `[n]`. */
  n: number;
  title: string;
  source: string;
  page?: number;
  heading?: string;
  content: string;
}

/** The chunks of one answer, numbered from 1 across all its searches. A chunk that is found again keeps its number. */
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
        page: hit.page,
        heading: hit.heading,
        content: hit.text,
      };
    });
  }

  /** Whether a chunk has this number. */
  has(number: number): boolean {
    return number >= 1 && number <= this.#hits.length;
  }

  /**
   * The chunks that an answer's marks refer to. Without marks these are all chunks, unless the answer has the mark that the
   * documents do not tell. Its words can't decide that, since they depend on the language.
   */
  getCitations({ numbers, saysNothingFound }: { numbers: ReadonlySet<number>; saysNothingFound: boolean }): Citation[] {
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
    page,
    heading,
    sheet,
    slide,
    url: document.url,
    quote: text,
    start,
    end,
  };
}
