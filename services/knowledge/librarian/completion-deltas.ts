import type { Annotation, ChatCompletionChunk, Citation } from "@agent-backends/contract";
import { knowledgeLimits } from "@agent-backends/contract";
import type { AnswerEvent } from "./answer.ts";

/** A piece of an answer in OpenAI's format. The annotations are sent once, as the last delta. */
export type CompletionDelta = { content: string } | { annotations: Annotation[] };

type StreamedAnnotation = NonNullable<ChatCompletionChunk["choices"][number]["delta"]["annotations"]>[number];

/** A chunk that the content refers to, with its number there and the position of its first mark. */
interface Cited {
  n: number;
  start: number;
  end: number;
}

/**
 * An answer as the deltas of a chat completion. Marks are numbered from 1 in the order of their first use, because clients such as Open
 * WebUI take `[n]` for the n-th annotated source.
 */
export async function* completionDeltas(
  answer: AsyncIterable<AnswerEvent>,
): AsyncGenerator<CompletionDelta, void, undefined> {
  const cited = new Map<number, Cited>();
  let readLength = 0;
  let contentLength = 0;
  for await (const event of answer) {
    if (event.type === "citations") {
      yield { annotations: toAnnotations(event.citations, cited, contentLength) };
    } else if (event.type === "text") {
      let content = "";
      let end = 0;
      for (const reference of event.references) {
        const offset = reference.offset - readLength;
        content += event.text.slice(end, offset);
        const n = cited.get(reference.n)?.n ?? cited.size + 1;
        const mark = `[${n}]`;
        const start = contentLength + content.length;
        // A model may repeat a mark thousands of times, so only the first one is annotated.
        if (!cited.has(reference.n)) cited.set(reference.n, { n, start, end: start + mark.length });
        content += mark;
        end = offset + `[${reference.n}]`.length;
      }
      content += event.text.slice(end);
      readLength += event.text.length;
      contentLength += content.length;
      yield { content };
    }
  }
}

/** Drops citations, which contain whole chunks, once an event gets too large for streaming clients to read. */
export function fitEvent(annotations: readonly Annotation[]): StreamedAnnotation[] {
  let bytes = countBytes(annotations.map(({ citation: _, ...annotation }) => annotation));
  return annotations.map(({ citation, ...annotation }) => {
    const added = countBytes(citation);
    if (bytes + added > knowledgeLimits.annotationsBytes) return annotation;
    bytes += added;
    return { ...annotation, citation };
  });
}

const countBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** An answer without marks is based as a whole on all the chunks it was given. */
function toAnnotations(
  citations: readonly Citation[],
  cited: ReadonlyMap<number, Cited>,
  contentLength: number,
): Annotation[] {
  const annotations = citations.map((citation) => {
    const { n, start, end } = cited.get(citation.n) ?? { n: citation.n, start: 0, end: contentLength };
    // Clients such as Open WebUI merge sources with the same title or address, and would then open another source at each later mark.
    const isShared = (key: "title" | "url") =>
      citations.some((other) => other !== citation && other[key] === citation[key]);
    const title = isShared("title") ? `${citation.title} [${n}]` : citation.title;
    const address = isShared("url") ? toChunkUrl(citation) : citation.url;
    return {
      type: "url_citation" as const,
      url_citation: { start_index: start, end_index: end, title, url: address ?? toUrn(citation) },
      citation: { ...citation, n },
    };
  });
  return annotations.sort((one, other) => one.citation.n - other.citation.n);
}

/** The address of one of several chunks of a page. Browsers strip the part after `:~:` and hide it from the page's scripts. */
function toChunkUrl({ url, start, end }: Citation): string | undefined {
  return url && `${url}${url.includes("#") ? "" : "#"}:~:char=${start},${end}`;
}

/** OpenAI's clients need an address, so build a URN. Its fragment is a range of characters (RFC 5147). */
const toUrn = ({ document_id, start, end }: Citation): string =>
  `urn:agent-backends:document:${encodeURIComponent(document_id)}#char=${start},${end}`;
