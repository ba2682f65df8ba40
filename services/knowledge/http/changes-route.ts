import { setTimeout } from "node:timers/promises";
import type { ChangeEvent } from "@agent-backends/contract";
import { knowledgeLimits, ProblemError, problems } from "@agent-backends/contract";
import { knowledgeOperations } from "@agent-backends/contract/openapi";
import { ShuttingDownError } from "@agent-backends/kit";
import type { App } from "@agent-backends/kit/fastify";
import { addRoute, streamEvents } from "@agent-backends/kit/fastify";
import type { ChangeCursor, ChangesSince } from "../changes/change-feed.ts";
import { ChangeFeed, initialCursor } from "../changes/change-feed.ts";
import type { DocumentChange } from "../changes/change-state.ts";
import { toDocumentId } from "../store/document.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { toMetadata, toSummary } from "./document-routes.ts";
import { encodeCursor, listQueue, parseCursor } from "./pages.ts";

/** Number of documents read from the store in one call. */
const documentBatchSize = 256;
/** Pause between two polls, as a multiple of the duration of the last one: comparing a large namespace takes seconds. */
const pauseFactor = 10;

/** Lists what has changed in a namespace since a cursor. If the client asks for it, the route waits for changes. */
export function addChangesRoute(app: App, dependencies: KnowledgeDependencies): void {
  const { store, guard, lifecycle, logger, heartbeatMs } = dependencies;
  const feed = new ChangeFeed(store);
  addRoute(app, knowledgeOperations, "GET /api/namespaces/{namespace}/changes", async (request, reply) => {
    const { namespace } = request.params;
    const { since, wait } = request.query;
    const endsAt = performance.now() + wait * 1_000;
    const client = guard.getClient(request.raw);
    const inTurn = <Result>(read: () => Promise<Result>) => listQueue.add(client, read);
    const read = (cursor: ChangeCursor) => inTurn(() => feed.read(namespace, cursor));
    const first = await read(since === undefined ? initialCursor : parseChangeCursor(since));
    const onError = (error: unknown): ChangeEvent => {
      if (error instanceof ShuttingDownError || error instanceof ProblemError)
        return { type: "error", message: error.message };
      logger.error({ err: error }, "a feed of changes broke off");
      return { type: "error", message: "The changes could not be read; repeat the request with your last cursor." };
    };
    const lines = async function* (signal: AbortSignal): AsyncGenerator<ChangeEvent, void, undefined> {
      for (let found = first; ; ) {
        yield* describe(namespace, found.changes, inTurn);
        const { cursor } = found;
        yield { type: "cursor", cursor: encodeCursor([cursor.log, String(cursor.number)]) };
        const next = await waitForChanges(() => read(cursor), endsAt, signal);
        if (!next) return;
        found = next;
      }
    };
    await streamEvents(reply, { format: "ndjson", heartbeatMs, lifecycle, onError }, lines);
  });

  /** Polls until there are changes. Resolves with undefined when the time is up or the service is shutting down. */
  async function waitForChanges(read: () => Promise<ChangesSince>, endsAt: number, signal: AbortSignal) {
    for (let pauseMs: number = knowledgeLimits.changePollMs; ; ) {
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0 || lifecycle.draining) return undefined;
      await setTimeout(Math.min(leftMs, pauseMs), undefined, { signal });
      const startedAt = performance.now();
      const found = await read();
      if (found.changes.length > 0) return found;
      pauseMs = Math.max(knowledgeLimits.changePollMs, pauseFactor * (performance.now() - startedAt));
    }
  }

  /** The changes as lines. A document that was deleted in the meantime gets its line in a later response. */
  async function* describe(
    namespace: string,
    changes: readonly DocumentChange[],
    inTurn: <Result>(read: () => Promise<Result>) => Promise<Result>,
  ): AsyncGenerator<ChangeEvent, void, undefined> {
    const stored = changes.filter(({ type }) => type !== "deleted");
    for (const { hash, type } of changes) {
      if (type === "deleted") yield { type, document_id: toDocumentId(hash) };
    }
    for (let from = 0; from < stored.length; from += documentBatchSize) {
      const types = new Map(stored.slice(from, from + documentBatchSize).map(({ hash, type }) => [hash, type]));
      const page = { limit: types.size, where: { hashes: [...types.keys()] } };
      for (const document of await inTurn(() => store.listDocuments(namespace, page))) {
        const type = types.get(document.hash) === "changed" ? "changed" : "added";
        yield { type, ...toSummary(document), metadata: toMetadata(document) };
      }
    }
  }
}

/** @throws ProblemError 422 */
function parseChangeCursor(since: string): ChangeCursor {
  const [log = "", number = ""] = parseCursor(since, 2, "since");
  if (!/^\d{1,15}$/.test(number)) throw problems.invalidCursor(undefined, "since");
  return { log, number: Number(number) };
}
