import type { Annotation, Citation } from "@agent-backends/contract";
import type { AnswerEvent } from "./answer.ts";

/** A piece of an answer in OpenAI's shape. The annotations come once, last. */
export type CompletionDelta = { content: string } | { annotations: Annotation[] };

/** Where a mark `[n]` stands in the content. */
interface Place {
  n: number;
  start: number;
  end: number;
}

/**
 * An answer as the deltas of a chat completion. Numbers its marks from 1 in the order of their first place, because clients such as
 * Open WebUI take `[n]` for the n-th annotated source.
 */
export async function* completionDeltas(
  answer: AsyncIterable<AnswerEvent>,
): AsyncGenerator<CompletionDelta, void, undefined> {
  const numbers = new Map<number, number>();
  const places: Place[] = [];
  let readLength = 0;
  let contentLength = 0;
  for await (const event of answer) {
    if (event.type === "citations") {
      yield { annotations: toAnnotations(event.citations, { numbers, places, contentLength }) };
    } else if (event.type === "text") {
      let content = "";
      let end = 0;
      for (const reference of event.references) {
        const start = reference.offset - readLength;
        const n = numbers.get(reference.n) ?? numbers.size + 1;
        numbers.set(reference.n, n);
        content += event.text.slice(end, start);
        const place = contentLength + content.length;
        content += `[${n}]`;
        places.push({ n, start: place, end: contentLength + content.length });
        end = start + `[${reference.n}]`.length;
      }
      content += event.text.slice(end);
      readLength += event.text.length;
      contentLength += content.length;
      yield { content };
    }
  }
}

function toAnnotations(
  citations: readonly Citation[],
  { numbers, places, contentLength }: { numbers: Map<number, number>; places: Place[]; contentLength: number },
): Annotation[] {
  const cited = new Map(citations.map((citation) => [numbers.get(citation.n) ?? citation.n, citation]));
  // An answer without marks rests as a whole on all chunks that it was given.
  const whole = [...cited.keys()].map((n) => ({ n, start: 0, end: contentLength }));
  return (places.length > 0 ? places : whole).flatMap(({ n, start, end }) => {
    const citation = cited.get(n);
    if (citation === undefined) return [];
    const { title, url = toUrn(citation) } = citation;
    // Clients such as Open WebUI take sources with the same title for one.
    const isShared = citations.some((other) => other !== citation && other.title === title);
    return {
      type: "url_citation" as const,
      url_citation: { start_index: start, end_index: end, title: isShared ? `${title} [${n}]` : title, url },
      citation: { ...citation, n },
    };
  });
}

/** OpenAI's clients need an address. The fragment is that of a range of characters (RFC 5147). */
const toUrn = ({ document_id, start, end }: Citation): string =>
  `urn:agent-backends:document:${encodeURIComponent(document_id)}#char=${start},${end}`;
