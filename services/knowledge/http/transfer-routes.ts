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
  const { store, guard, lifecycle, maxNamespacesPerKey, sources } = dependencies;
  const namespaceLimit = new NamespaceLimit(store, maxNamespacesPerKey);
  // The handler reads the file as it stores it.
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
        reembeds: request.query.reembed,
        maxTextCharacters: sources.extraction.maxTextCharacters,
        signal: clientSignal(reply.raw, lifecycle),
      };
      try {
        return await importNamespace(dependencies, order, readBody(request.raw));
      } catch (error) {
        // Drain the rest of the body: the connection's next request follows it.
        request.raw.resume();
        throw error;
      }
    },
  });
}

async function* readBody(request: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  try {
    // Keep the connection open, so that a client whose file is refused still gets the response.
    yield* request.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw (error as { code?: string }).code === "ECONNRESET" ? new ClientGoneError() : error;
  }
}
