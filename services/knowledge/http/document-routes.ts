import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type {
  ChangedDocumentResponse,
  ChunksResponse,
  DocumentResponse,
  DocumentsResponse,
} from "@agent-backends/contract";
import { knowledgeLimits, limits, problems } from "@agent-backends/contract";
import { knowledgeOperations } from "@agent-backends/contract/openapi";
import { FairQueue } from "@agent-backends/kit";
import type { App } from "@agent-backends/kit/fastify";
import { addRoute } from "@agent-backends/kit/fastify";
import { splitIntoPieces } from "../ingest/normalise.ts";
import { toOneLine } from "../ingest/title.ts";
import type { StoredDocument } from "../store/document.ts";
import { withChanges } from "../store/document.ts";
import { DocumentGoneError } from "../store/errors.ts";
import type { DocumentStore } from "../store/knowledge-store.ts";
import { changeSource } from "../store/sources.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { listQueue, parseCursor, toPage } from "./pages.ts";
import { toPlace } from "./search-route.ts";

/** A purge rewrites the files that contained deleted data. */
export const purgeQueue = new FairQueue({
  concurrency: knowledgeLimits.purges,
  concurrencyPerClient: knowledgeLimits.purgesPerClient,
});

/** Longer texts are sent in pieces of this length, in UTF-16 code units. */
const maxPieceCharacters = 256 * 1024;

/** Reads, changes and deletes one document. A long text is streamed, so that it isn't held in memory for a slow client. */
export function addDocumentRoutes(app: App, dependencies: KnowledgeDependencies): void {
  const { store, guard } = dependencies;
  addRoute(app, knowledgeOperations, "GET /api/namespaces/{namespace}/documents/{id}", async (request, reply) => {
    const { namespace, id } = request.params;
    const found = await store.readDocument(namespace, id);
    const texts = found && (await readFirstPieces(found.pieces));
    if (!texts) throw problems.noDocument(id, namespace);
    const fields = describeDocument(namespace, found);
    const [text = "", more] = texts;
    if (more === undefined && text.length <= maxPieceCharacters) return { ...fields, text } satisfies DocumentResponse;
    reply.type("application/json; charset=utf-8");
    closeAfterTimeout(reply.raw);
    return reply.send(Readable.from(streamJson(fields, texts, found.pieces), { objectMode: false }));
  });

  addRoute(app, knowledgeOperations, "GET /api/namespaces/{namespace}/documents/{id}/chunks", async (request) => {
    const { namespace, id } = request.params;
    const { limit, cursor } = request.query;
    const from = cursor === undefined ? 0 : 1 + parseIndex(cursor);
    const found = await listQueue.add(guard.getClient(request.raw), () =>
      store.readChunks(namespace, id, { from, limit: limit + 1 }),
    );
    if (!found) throw problems.noDocument(id, namespace);
    const { items, next_cursor } = toPage(found, limit, ({ index }) => [String(index)]);
    const chunks = items.map((chunk) => ({ content: chunk.text, ...toPlace(chunk) }));
    return { chunks, next_cursor } satisfies ChunksResponse;
  });

  addRoute(app, knowledgeOperations, "PATCH /api/namespaces/{namespace}/documents/{id}", async (request) => {
    const { namespace, id } = request.params;
    const { title, metadata } = request.body;
    const changes = { ...(title !== undefined && { title: toOneLine(title) }), ...(metadata && { metadata }) };
    const changed = await changeSource(store, namespace, id, (current) => withChanges(current, changes));
    if (!changed) throw problems.noDocument(id, namespace);
    return describeDocument(namespace, changed.document);
  });

  addRoute(app, knowledgeOperations, "DELETE /api/namespaces/{namespace}/documents/{id}", async (request, reply) => {
    await deleteDocument(dependencies, request.params, { request: request.raw, purge: request.query.purge });
    return reply.code(204).send();
  });
}

interface DocumentAddress {
  namespace: string;
  id: string;
}

/** @throws ProblemError `not-found` */
export async function deleteDocument(
  { store, guard }: KnowledgeDependencies,
  { namespace, id }: DocumentAddress,
  { request, purge }: { request: IncomingMessage; purge: boolean },
): Promise<void> {
  const isDeleted = await store.deleteDocument(namespace, id);
  // Purge even if the document is already deleted, so that an interrupted purge can be repeated.
  if (purge) await purgeQueue.add(guard.getClient(request), () => store.purge(namespace));
  if (!isDeleted) throw problems.noDocument(id, namespace);
}

/** A part of a document's text. Offsets count UTF-16 code units, like those of chunks. @throws ProblemError `not-found` */
export async function readText(
  store: DocumentStore,
  { namespace, id }: DocumentAddress,
  { offset, limit }: { offset: number; limit: number },
) {
  const found = await store.readDocument(namespace, id);
  if (!found) throw problems.noDocument(id, namespace);
  let position = 0;
  let text = "";
  try {
    for await (const piece of found.pieces) {
      text += piece.slice(Math.max(0, offset - position), Math.max(0, offset + limit - position));
      position += piece.length;
      if (position > offset + limit) break;
    }
  } catch (error) {
    if (error instanceof DocumentGoneError) throw problems.noDocument(id, namespace);
    throw error;
  }
  // A surrogate pair that crosses the end belongs to the next part.
  if (position > offset + limit && /[\ud800-\udbff]$/.test(text)) text = text.slice(0, -1);
  const end = offset + text.length;
  return { ...describeDocument(namespace, found), text, offset, next_offset: position > end ? end : null };
}

/** The chunk index in a page cursor, which is that of the page's last chunk. @throws ProblemError 422 */
function parseIndex(cursor: string): number {
  const [index = ""] = parseCursor(cursor, 1);
  if (!/^\d{1,6}$/.test(index)) throw problems.invalidCursor(undefined);
  return Number(index);
}

export function toSummary(document: StoredDocument): DocumentsResponse["documents"][number] {
  const { id, title, source, hash, chunks, ingestedAt } = document;
  return { document_id: id, title, source, hash, chunks, ingested_at: ingestedAt };
}

/** A document without its text. */
function describeDocument(namespace: string, document: StoredDocument): ChangedDocumentResponse {
  return { namespace, ...toSummary(document), metadata: toMetadata(document) };
}

export function toMetadata({ url, filename, contentType, metadata }: StoredDocument): DocumentResponse["metadata"] {
  return {
    ...metadata,
    ...(url !== undefined && { url }),
    ...(filename !== undefined && { filename }),
    ...(contentType !== undefined && { content_type: contentType }),
  };
}

/** Reads up to two pieces of a text. Resolves with undefined if the document was deleted in the meantime. */
async function readFirstPieces(pieces: AsyncIterator<string, void>): Promise<string[] | undefined> {
  try {
    const texts = [await pieces.next(), await pieces.next()].flatMap(({ value }) => value ?? []);
    return texts.length > 0 ? texts : undefined;
  } catch (error) {
    if (error instanceof DocumentGoneError) return undefined;
    throw error;
  }
}

/** Closes a response that the client hasn't read within limits.answerMs. This frees its slot. */
function closeAfterTimeout(response: ServerResponse): void {
  const late = setTimeout(() => response.destroy(), limits.answerMs).unref();
  response.once("close", () => clearTimeout(late));
}

/** The JSON of `fields` with a long text added, generated as the client reads it. */
async function* streamJson(
  fields: object,
  first: readonly string[],
  rest: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  const encode = function* (text: string) {
    for (const piece of splitIntoPieces(text, maxPieceCharacters)) yield JSON.stringify(piece).slice(1, -1);
  };
  yield `${JSON.stringify(fields).slice(0, -1)},"text":"`;
  for (const text of first) yield* encode(text);
  for await (const text of rest) yield* encode(text);
  yield '"}';
}
