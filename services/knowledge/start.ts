import { randomUUID } from "node:crypto";
import { limits, problems } from "@agent-backends/contract";
import type { Logger, Observability, Reading, Service } from "@agent-backends/kit";
import { Lifecycle, readVersion } from "@agent-backends/kit";
import type { Guard } from "@agent-backends/kit/auth";
import type { Egress } from "@agent-backends/kit/egress";
import { describeRuns, openRuns } from "@agent-backends/kit/runs";
import { safeFetch } from "@agent-backends/kit/safe-fetch";
import {
  ChatProviders,
  embedTexts,
  offlineEmbeddingWeight,
  offlineModel,
  Provider,
  recognisePages,
  rerankDocuments,
  streamAnswer,
} from "@agent-backends/llm";
import type { KnowledgeConfiguration } from "./configuration.ts";
import { createKnowledgeApp } from "./http/create-app.ts";
import { defaultExtractionLimits } from "./ingest/extract/extract.ts";
import type { IngestDependencies } from "./ingest/ingest.ts";
import { ingest } from "./ingest/ingest.ts";
import { RunningIngests } from "./ingest/running-ingests.ts";
import { PageFetches } from "./ingest/websites/page-fetches.ts";
import { IngestJobs } from "./jobs/ingest-jobs.ts";
import { EmbeddingModelWatch } from "./reindex/embedding-model-watch.ts";
import { FailOpenReranker } from "./search/fail-open-reranker.ts";
import { UnusableStoreError } from "./store/errors.ts";
import { openStore } from "./store/open-store.ts";
import { removeOrphanedFiles, useOwnTemporaryFolder } from "./store/temporary-files.ts";

/** Builds the service of a configuration from its parts. */
export async function startKnowledge(
  configuration: KnowledgeConfiguration,
  logger: Logger,
  observability: Observability,
  guard: Guard,
  egress: Egress,
): Promise<Service> {
  // On a machine with several users, only the service's user may read documents, uploads and jobs.
  process.umask(0o077);
  useOwnTemporaryFolder();
  const model = configuration.KNOWLEDGE_LLM_MODEL;
  const bounds = { tokens: limits.answerTokens, totalMs: limits.answerMs };
  const embeddingModel = configuration.KNOWLEDGE_EMBEDDING_MODEL;
  const chat = new ChatProviders({
    baseUrl: configuration.LLM_BASE_URL,
    apiKey: configuration.LLM_API_KEY,
    models: [
      { use: "chat", name: model, variable: "KNOWLEDGE_LLM_MODEL" },
      { use: "embeddings", name: embeddingModel, variable: "KNOWLEDGE_EMBEDDING_MODEL" },
    ],
    fallbacks: configuration.LLM_FALLBACKS ?? [],
    fallbackAfterMs: configuration.LLM_FALLBACK_AFTER_MS,
    connection: { egress },
    now: Date.now,
    log: logger,
  });
  const { provider, status: providerStatus } = chat.first;
  const {
    store,
    jobs: jobStore,
    measure,
  } = await openStore(configuration.KNOWLEDGE_STORE, {
    logger,
    environment: process.env,
    fetch: egress.fetch,
    purgeAfterMs: configuration.KNOWLEDGE_PURGE_AFTER_MS,
    workers: configuration.WORKERS,
    connections: configuration.KNOWLEDGE_DATABASE_CONNECTIONS,
  });
  const models = new EmbeddingModelWatch({ store, model: embeddingModel, logger });
  /**
   * Last logged failure of the readiness check. `npm start` checks many times a second while it waits, so each failure is logged
   * once.
   */
  let loggedFailure: string | undefined;
  const lifecycle = new Lifecycle({
    graceMs: configuration.SHUTDOWN_GRACE_MS,
    async checkReady() {
      try {
        await store.check();
        loggedFailure = undefined;
      } catch (error) {
        if (String(error) !== loggedFailure) logger.error({ err: error }, "the store does not open");
        loggedFailure = String(error);
        throw error instanceof UnusableStoreError ? problems.unusableStore(error) : problems.storeNotOpened();
      }
    },
    async describe() {
      const warnings = await models.warnings();
      return {
        service: "knowledge",
        provider: chat.report(),
        ...(warnings.length > 0 && { warnings }),
      };
    },
  });
  const hooks: Provider[] = [];
  /** Connects to a server that provides a single function, if one is configured. */
  const connectHook = (baseUrl: string | undefined, apiKey: string | undefined, wholeAnswerTimeoutMs: number) => {
    if (baseUrl === undefined) return undefined;
    const hook = new Provider({ baseUrl, apiKey: apiKey ?? "", wholeAnswerTimeoutMs, egress });
    hooks.push(hook);
    return hook;
  };
  const { KNOWLEDGE_OCR_TIMEOUT_MS: ocrTimeoutMs, KNOWLEDGE_RERANK_TIMEOUT_MS: rerankTimeoutMs } = configuration;
  const ocr = connectHook(configuration.KNOWLEDGE_OCR_URL, configuration.KNOWLEDGE_OCR_API_KEY, ocrTimeoutMs);
  const rerankHook = connectHook(
    configuration.KNOWLEDGE_RERANK_URL,
    configuration.KNOWLEDGE_RERANK_API_KEY,
    rerankTimeoutMs,
  );
  const reranker =
    rerankHook &&
    new FailOpenReranker({
      rank: (request, signal) =>
        rerankDocuments(rerankHook, { model: configuration.KNOWLEDGE_RERANK_MODEL, ...request }, signal),
      timeoutMs: rerankTimeoutMs,
      now: Date.now,
      log: logger,
    });
  const ingestion: IngestDependencies = {
    store,
    now: () => new Date(),
    measureStage: (stage, durationMs) => observability.ingestStage(stage, durationMs),
    embedder: {
      model: embeddingModel,
      embed: (texts, signal, model, memory) => {
        const observer = observability.callProvider("embeddings", model);
        const vectors = embedTexts({ provider, model, texts, signal, memory, observer });
        return texts.length > 0 ? providerStatus.follow(model, vectors) : vectors;
      },
      getWeight: (model) => (model === offlineModel ? offlineEmbeddingWeight : 1),
    },
    sources: {
      maxFileBytes: configuration.KNOWLEDGE_MAX_FILE_BYTES,
      extraction: defaultExtractionLimits,
      recognition: ocr && {
        timeoutMs: ocrTimeoutMs,
        recognise: (pdf, signal) => recognisePages(ocr, { model: configuration.KNOWLEDGE_OCR_MODEL, ...pdf }, signal),
      },
      pages: new PageFetches((url, path, signal, known) =>
        safeFetch(url, {
          path,
          findProxy: egress.findProxy,
          findCertificate: egress.findPageCertificate,
          allowPrivate: configuration.KNOWLEDGE_URL_ALLOW_PRIVATE,
          timeoutMs: configuration.KNOWLEDGE_URL_TIMEOUT_MS,
          maxBytes: configuration.KNOWLEDGE_MAX_FILE_BYTES,
          known,
          ...(signal && { signal }),
        }),
      ),
      reportError: (error) => logger.error({ err: error }, "an item could not be ingested"),
    },
  };
  removeOrphanedFiles().catch((error) => logger.warn({ err: error }, "old temporary files were not removed"));
  const jobs = new IngestJobs({
    store: jobStore,
    documents: store,
    run: (order) => ingest(ingestion, order),
    now: () => new Date(),
    reportError: (error, message = "a job could not be carried on") => logger.error({ err: error }, message),
  });
  jobs.start();
  models.start();
  const runs = openRuns("knowledge", configuration, { lifecycle, logger });
  const app = await createKnowledgeApp({
    ...ingestion,
    store,
    ingests: new RunningIngests(),
    jobs,
    runs,
    newId: randomUUID,
    guard,
    corsOrigins: configuration.CORS_ORIGINS,
    lifecycle,
    logger,
    version: readVersion(import.meta.dirname),
    reranker,
    hasFallbacks: chat.hasFallbacks,
    heartbeatMs: configuration.STREAM_HEARTBEAT_MS,
    maxSources: configuration.KNOWLEDGE_MAX_SOURCES,
    maxNamespacesPerKey: configuration.KNOWLEDGE_MAX_NAMESPACES_PER_KEY,
    mcpAllowedHosts: [...configuration.ALLOWED_HOSTS, ...configuration.MCP_ALLOWED_HOSTS],
    askModel(question) {
      const observer = chat.observe(observability.callProvider("chat", model));
      return streamAnswer({ provider: chat, model, bounds, observer, ...question });
    },
  });
  const help = "What the store takes on its disk.";
  const readings: Reading[] = [...chat.readings(), ...describeRuns(runs)];
  if (reranker) readings.push(...reranker.readings());
  if (measure) readings.push({ kind: "gauge", name: "store_size_bytes", help, together: "max", read: measure });
  async function close(): Promise<void> {
    await Promise.all([jobs.close(), models.close(), runs?.close()]);
    await store.close();
    chat.close();
    for (const hook of hooks) hook.close();
  }
  return { server: app.server, lifecycle, close, readings };
}
