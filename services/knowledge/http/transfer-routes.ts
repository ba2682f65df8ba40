import type { IncomingMessage } from "node:http";
import type { ExportLine, ImportResponse } from "@agent-backends/contract";
import { knowledgeLimits, problems } from "@agent-backends/contract";
import { knowledgeOperations } from "@agent-backends/contract/openapi";
import { ClientGoneError, clientSignal, refuseCompressed, ShuttingDownError } from "@agent-backends/kit";
import { getPrincipal } from "@agent-backends/kit/auth";
import type { App } from "@agent-backends/kit/fastify";
import { addRoute, streamEvents } from "@agent-backends/kit/fastify";
import { exportNamespace } from "../transfer/export.ts";
import { importNamespace } from "../transfer/import.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { NamespaceLimit } from "./namespace-limit.ts";

/** Exports a namespace with its vectors as one file, and imports such a file. */
export function addTransferRoutes(app: App, dependencies: KnowledgeDependencies): void {
  const { store, lifecycle, logger, heartbeatMs, now } = dependencies;
  addRoute(app, knowledgeOperations, "GET /api/namespaces/{namespace}/export", async (request, reply) => {
    const { namespace } = request.params;
    const embedding = await store.getEmbedding(namespace);
    if (!embedding) throw problems.noNamespace(namespace);
    const filename = `filename*=UTF-8''${encodeURIComponent(`${namespace}.ndjson`)}`;
    reply.header("Content-Disposition", `attachment; ${filename}`);
    const onError = (error: unknown): ExportLine => {
      if (error instanceof ShuttingDownError) return { type: "error", message: error.message };
      logger.error({ err: error }, "an export broke off");
      return { type: "error", message: "The export failed; start it again." };
    };
    await streamEvents(reply, { format: "ndjson", heartbeatMs, lifecycle, onError }, () =>
      exportNamespace(store, { namespace, embedding, now: now() }),
    );
  });
  app.register((own: App) => addImportRoute(own, dependencies));
}

async function addImportRoute(app: App, dependencies: KnowledgeDependencies): Promise<void> {
  const { store, guard, ingests, lifecycle, maxNamespacesPerKey, sources } = dependencies;
  const namespaceLimit = new NamespaceLimit(store, maxNamespacesPerKey);
  // The handler stores the file while reading it.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/x-ndjson", (_request, _body, done) => done(null));
  app.addContentTypeParser("*", () => Promise.reject(problems.ndjsonRequired()));

  addRoute(app, knowledgeOperations, "POST /api/namespaces/{namespace}/import", {
    bodyLimit: knowledgeLimits.importBytes,
    async handler(request, reply): Promise<ImportResponse> {
      refuseCompressed(request.headers);
      const { namespace } = request.params;
      await namespaceLimit.requireRoom(getPrincipal(request.raw), namespace);
      const order = {
        namespace,
        client: guard.getClient(request.raw),
        shouldReembed: request.query.reembed,
        maxTextCharacters: sources.extraction.maxTextCharacters,
      };
      try {
        return await ingests.run({ namespace, signal: clientSignal(reply.raw, lifecycle) }, (signal) =>
          importNamespace(dependencies, { ...order, signal }, readBody(request.raw, signal)),
        );
      } catch (error) {
        // Drain the body even if nothing of it was read.
        request.raw.resume();
        throw error;
      }
    },
  });
}

/** The bytes of a body. @throws the signal's reason once it aborts, even while the client sends nothing */
async function* readBody(request: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  // Keep the connection open, so that a client whose file is refused still gets the response.
  const bytes = request.iterator({ destroyOnReturn: false });
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  try {
    for (;;) {
      const { done, value } = await Promise.race([bytes.next(), aborted]);
      if (done) return;
      yield value as Buffer;
    }
  } catch (error) {
    throw (error as { code?: string }).code === "ECONNRESET" ? new ClientGoneError() : error;
  } finally {
    // Drain the rest of the body: the connection's next request follows it. A waiting iterator only ends once the next bytes arrive.
    const drain = () => void request.resume();
    void bytes.return?.().then(drain, drain);
  }
}
