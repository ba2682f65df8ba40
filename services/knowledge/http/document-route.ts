import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { DocumentResponse, DocumentsResponse } from "@agent-backends/contract";
import { documentParametersSchema, limits, problems } from "@agent-backends/contract";
import type { App } from "@agent-backends/kit/fastify";
import { piecesOfText } from "../ingest/normalise.ts";
import type { StoredDocument } from "../store/document.ts";
import { DocumentGoneError } from "../store/errors.ts";
import type { KnowledgeStore } from "../store/knowledge-store.ts";

/** A text longer than this, in UTF-16 code units, is sent a piece at a time. */
const longFromCharacters = 256 * 1024;

/** A document with its text, of which no more is in memory than a client is about to take. */
export function addDocumentRoute(app: App, store: KnowledgeStore): void {
  const read = { access: { scope: "read", takes: "document" } } as const;
  app.get(
    "/api/namespaces/:namespace/documents/:id",
    { schema: { params: documentParametersSchema }, config: read },
    async (request, reply) => {
      const { namespace, id } = request.params;
      const found = await store.readDocument(namespace, id);
      const texts = found && (await firstPieces(found.pieces));
      if (!texts) throw problems.noDocument(id, namespace);
      const about = { namespace, ...summaryOf(found), metadata: metadataOf(found) };
      const [text = "", more] = texts;
      if (more === undefined && text.length <= longFromCharacters) return { ...about, text } satisfies DocumentResponse;
      reply.type("application/json; charset=utf-8");
      endInTime(reply.raw);
      return reply.send(Readable.from(jsonWithText(about, texts, found.pieces), { objectMode: false }));
    },
  );
}

export function summaryOf(document: StoredDocument): DocumentsResponse["documents"][number] {
  const { id, title, source, hash, chunks, ingestedAt } = document;
  return { document_id: id, title, source, hash, chunks, ingested_at: ingestedAt };
}

function metadataOf({ url, filename, contentType, metadata }: StoredDocument): DocumentResponse["metadata"] {
  return {
    ...metadata,
    ...(url !== undefined && { url }),
    ...(filename !== undefined && { filename }),
    ...(contentType !== undefined && { content_type: contentType }),
  };
}

/** The first two pieces of a text, as far as it has them; undefined when the document is gone. */
async function firstPieces(pieces: AsyncIterator<string, void>): Promise<string[] | undefined> {
  try {
    const texts = [await pieces.next(), await pieces.next()].flatMap(({ value }) => value ?? []);
    return texts.length > 0 ? texts : undefined;
  } catch (error) {
    if (error instanceof DocumentGoneError) return undefined;
    throw error;
  }
}

/** Closes an answer that its client doesn't take as a whole in time, so that its place becomes free. */
function endInTime(response: ServerResponse): void {
  const late = setTimeout(() => response.destroy(), limits.answerMs).unref();
  response.once("close", () => clearTimeout(late));
}

/** An object's JSON with a long text in it, which is made as the client takes it. */
async function* jsonWithText(
  about: object,
  first: readonly string[],
  rest: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  const jsonOf = function* (text: string) {
    for (const piece of piecesOfText(text, longFromCharacters)) yield JSON.stringify(piece).slice(1, -1);
  };
  yield `${JSON.stringify(about).slice(0, -1)},"text":"`;
  for (const text of first) yield* jsonOf(text);
  for await (const text of rest) yield* jsonOf(text);
  yield '"}';
}
