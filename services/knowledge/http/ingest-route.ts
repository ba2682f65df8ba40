import type { IncomingMessage } from "node:http";
import type {
  AddDocumentRequest,
  IngestRequest,
  IngestResponse,
  JobAccepted,
  SitemapResponse,
} from "@agent-backends/contract";
import { defaultNamespace, ingestQuerySchema, ingestRequestSchema, limits, problems } from "@agent-backends/contract";
import { knowledgeOperations } from "@agent-backends/contract/openapi";
import { addWarnings, clientSignal, getRecord, parseInput, refuseCompressed } from "@agent-backends/kit";
import { getPrincipal } from "@agent-backends/kit/auth";
import type { App } from "@agent-backends/kit/fastify";
import { addRoute } from "@agent-backends/kit/fastify";
import { SafeFetchError } from "@agent-backends/kit/safe-fetch";
import multipart from "@fastify/multipart";
import { ingest } from "../ingest/ingest.ts";
import { describeUnfetched, findUnfetchedAddresses, getStringType } from "../ingest/unfetched-addresses.ts";
import { readSitemap, SitemapError } from "../ingest/websites/sitemap.ts";
import type { NewJob } from "../jobs/ingest-jobs.ts";
import type { LongText } from "../store/jobs/sent-items.ts";
import { receiveBody } from "./bodies/json-body.ts";
import type { ReceivedForm } from "./bodies/multipart-form.ts";
import { receiveForm } from "./bodies/multipart-form.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { NamespaceLimit } from "./namespace-limit.ts";
import type { Call } from "./search-route.ts";
import { requireNamespace } from "./search-route.ts";

/** The route replaces the parser for JSON bodies, so it needs a scope of its own. */
export async function addIngestRoute(app: App, dependencies: KnowledgeDependencies): Promise<void> {
  const { guard, ingests, jobs, lifecycle, maxSources } = dependencies;
  const { maxFileBytes } = dependencies.sources;
  const namespaceLimit = new NamespaceLimit(dependencies.store, dependencies.maxNamespacesPerKey);
  await app.register(multipart);
  const bodyLimit = Math.max(limits.bodyBytes, maxFileBytes);
  // The handler reads the body itself, so that a large body is never in memory as a whole.
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", (_request, _body, done) => done(null));

  addRoute(app, knowledgeOperations, "POST /api/tools/ingest", {
    bodyLimit,
    parsesBody: true,
    async handler(request, reply): Promise<IngestResponse | JobAccepted> {
      refuseCompressed(request.headers);
      const isJob = request.query.async;
      const folder = isJob ? await jobs.stage() : undefined;
      const form = request.isMultipart()
        ? await receiveForm(request, { maxFileBytes, maxFiles: maxSources, maxFieldBytes: limits.bodyBytes, folder })
        : await receiveBody(request.raw, {
            client: guard.getClient(request.raw),
            maxBytes: bodyLimit,
            maxRestBytes: limits.bodyBytes,
            folder,
          });
      try {
        if (form.fields === undefined) throw problems.emptyBody();
        const body = parseInput(ingestRequestSchema, form.fields, {
          otherPlace: { name: "query", schema: ingestQuerySchema },
        });
        // The warnings in the response refer to this body.
        request.body = body;
        addWarnings(body, findUnfetchedAddresses(body.sources ?? []));
        const order = toOrder(body, form, maxSources);
        await requireWritable(order.namespace, request.raw, namespaceLimit);
        if (folder !== undefined) {
          guard.requireShare(request.raw, "ingest", (keyId) => jobs.countOpen(keyId));
          const owner = guard.getClient(request.raw);
          const { job_id, namespace, items } = await jobs.create(folder, { ...order, owner });
          reply.code(202).header("Location", `/api/jobs/${job_id}`);
          return { job_id, namespace, status: "queued", items: items.length };
        }
        const client = guard.getClient(request.raw);
        const caller = { namespace: order.namespace, signal: clientSignal(reply.raw, lifecycle) };
        const response = await ingests.run(caller, (signal) => ingest(dependencies, { ...order, client, signal }));
        const { saved, errors } = response;
        // Record a 400 that isn't the client's fault, such as a full disk, as a failure.
        const record = getRecord(request.raw);
        if (record && errors.some(({ code }) => code === "not_stored")) record.failure ??= "not_stored";
        reply.code(errors.length === 0 ? 200 : saved.length > 0 ? 207 : 400);
        return response;
      } finally {
        await form.discard();
      }
    },
  });
}

async function requireWritable(namespace: string, request: IncomingMessage, limit: NamespaceLimit): Promise<void> {
  requireNamespace(request, namespace);
  await limit.requireRoom(getPrincipal(request), namespace);
}

/** Stores one document that was sent as a source, without a file. */
export async function ingestSource(
  dependencies: KnowledgeDependencies,
  input: AddDocumentRequest,
  { request, signal }: Call,
): Promise<IngestResponse> {
  const { namespace = defaultNamespace, on_conflict, type = getStringType(input.value), ...source } = input;
  if (type !== "url") addWarnings(input, describeUnfetched(input.value, "/value"));
  await requireWritable(namespace, request, new NamespaceLimit(dependencies.store, dependencies.maxNamespacesPerKey));
  const client = dependencies.guard.getClient(request);
  const replaces = on_conflict === "replace";
  const order = { namespace, sources: [{ type, ...source }], files: [], replaces, client };
  return dependencies.ingests.run({ namespace, signal }, (until) => ingest(dependencies, { ...order, signal: until }));
}

function toOrder(
  { namespace = defaultNamespace, sources = [], on_conflict, metadata }: IngestRequest,
  { files, longStrings }: ReceivedForm,
  maxSources: number,
): Omit<NewJob, "owner"> {
  const count = sources.length + files.length;
  if (count === 0) throw problems.noSources();
  if (count > maxSources) throw problems.tooManySources(count, maxSources);
  const longTexts: LongText[] = [];
  const replaces = on_conflict === "replace";
  const shortened = sources.map((source, position) => {
    const value = typeof source === "string" ? source : (source as { value?: unknown } | null)?.value;
    const text = typeof value === "string" ? longStrings?.get(value) : undefined;
    if (text === undefined) return source;
    const { prefix, ...file } = text;
    longTexts.push({ position, ...file });
    return typeof source === "string" ? prefix : { ...(source as object), value: prefix };
  });
  return { namespace, sources: shortened, longTexts, files, replaces, metadata };
}

/** Lists the pages of a sitemap. The client then chooses which ones to ingest. */
export function addSitemapRoute(app: App, { sources, guard, lifecycle }: KnowledgeDependencies): void {
  const options = { pages: sources.pages, maxBytes: sources.maxFileBytes, now: () => performance.now() };
  addRoute(app, knowledgeOperations, "POST /api/tools/readSitemap", async ({ raw, body }, reply) => {
    const caller = { client: guard.getClient(raw), signal: clientSignal(reply.raw, lifecycle) };
    try {
      return (await readSitemap(body.url, options, caller)) satisfies SitemapResponse;
    } catch (error) {
      if (error instanceof SitemapError || error instanceof SafeFetchError)
        throw problems.unreadableAddress("url", error.message, error);
      throw error;
    }
  });
}
