import type { IncomingMessage } from "node:http";
import type {
  Citation,
  ConversationMessage,
  CutReason,
  GenerateRequest,
  GenerateResponse,
  ProblemError,
} from "@agent-backends/contract";
import { cutReasonSchema, knowledgeLimits, problems } from "@agent-backends/contract";
import { knowledgeOperations } from "@agent-backends/contract/openapi";
import { clientSignal, currentRecord, getRecord, providerHeader } from "@agent-backends/kit";
import type { HeaderTarget } from "@agent-backends/kit/auth";
import { withTokens } from "@agent-backends/kit/auth";
import type { App } from "@agent-backends/kit/fastify";
import { addRoute, streamEvents } from "@agent-backends/kit/fastify";
import type { ProviderError } from "@agent-backends/llm";
import type { AnswerEvent } from "../librarian/answer.ts";
import { answerQuestion } from "../librarian/answer.ts";
import { replyEvents } from "../librarian/reply-events.ts";
import type { SearchCaller, SearchedNamespaces } from "../search/hybrid-search.ts";
import { searchForEach } from "../search/hybrid-search.ts";
import { findRelevantHits } from "../search/relevance.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { toKnowledgeProblem } from "./knowledge-problem.ts";
import type { Call } from "./search-route.ts";
import { requireNamespaces, toNamespaceFields } from "./search-route.ts";

/**
 * Refuses an AG-UI run input, recognised by two fields that every AG-UI client sends. Otherwise the client would be told to rename its
 * fields one by one.
 */
async function refuseRunInput({ body }: { body: unknown }): Promise<void> {
  const { threadId, thread_id, forwardedProps } = (body ?? {}) as Record<string, unknown>;
  if (threadId === undefined || forwardedProps === undefined || thread_id !== undefined) return;
  throw problems.agUiElsewhere("/threadId");
}

export function addLibrarianRoutes(app: App, dependencies: KnowledgeDependencies): void {
  const { guard, lifecycle } = dependencies;
  addRoute(app, knowledgeOperations, "POST /api/agents/knowledge/generate", async ({ raw, body }, reply) => {
    const signal = clientSignal(reply.raw, lifecycle);
    const answered = await generate(dependencies, body, { request: raw, signal }, reply);
    const provider = getRecord(raw)?.provider;
    if (provider !== undefined) reply.header(providerHeader, provider);
    return answered;
  });

  addRoute(app, knowledgeOperations, "POST /stream", {
    preValidation: refuseRunInput,
    async handler(request, reply) {
      const {
        messages,
        namespaces,
        tool_params,
        toolParams,
        include_tool_events: shouldSendToolEvents = false,
      } = request.body;
      requireQuestion(messages);
      const one = request.body.namespace ?? tool_params?.namespace ?? toolParams?.namespace;
      const namespace = requireNamespaces(request.raw, { namespace: one, namespaces });
      const { thread_id, run_id } = request.body;
      const client = guard.getClient(request.raw);
      const ids = { message_id: dependencies.newId(), thread_id, run_id };

      const format = prefersSse(request.headers.accept) ? "sse" : "ndjson";
      const { heartbeatMs, hasFallbacks } = dependencies;
      const onError = (error: unknown) => {
        return { type: "error", message: reportFailure(dependencies, error, request.id).message, ...ids };
      };
      const options = { format, heartbeatMs, namesProvider: hasFallbacks, lifecycle, onError } as const;
      await withTokens({ request: request.raw, input: messages, reply }, () =>
        streamEvents(reply, options, (signal) =>
          replyEvents(answer(dependencies, namespace, request.body, { client, signal }), ids, {
            shouldSendToolEvents,
            getCutReason: () => getCutReason(request.raw),
          }),
        ),
      );
    },
  });
}

/** Whether an Accept header names SSE and doesn't give NDJSON a higher quality value (RFC 9110, section 12.5.1). */
function prefersSse(accept = ""): boolean {
  const ranges = accept.toLowerCase().split(",");
  const [sse, ndjson] = ["text/event-stream", "application/x-ndjson"].map((type) => {
    const range = ranges.find((one) => one.split(";", 1)[0]?.trim() === type);
    return range === undefined ? 0 : Number(/;\s*q=([\d.]+)/.exec(range)?.[1] ?? 1);
  }) as [number, number];
  return sse > 0 && sse >= ndjson;
}

/** Why the provider cut the answer to a request short, or undefined if it didn't. */
export function getCutReason(request: IncomingMessage): CutReason | undefined {
  return cutReasonSchema.safeParse(getRecord(request)?.finishReason).data;
}

/** Logs why a streamed answer failed. @returns the problem that the client may see */
export function reportFailure({ logger }: KnowledgeDependencies, error: unknown, requestId: string): ProblemError {
  const problem = toKnowledgeProblem(error);
  const record = currentRecord();
  if (record) record.failure ??= problem.code;
  logger.warn({ err: error, request_id: requestId }, "an answer failed");
  return problem;
}

export async function generate(
  dependencies: KnowledgeDependencies,
  body: GenerateRequest,
  { request, signal }: Call,
  reply?: HeaderTarget,
): Promise<GenerateResponse> {
  const namespace = requireNamespaces(request, body);
  requireQuestion(body.messages);
  const caller = { client: dependencies.guard.getClient(request), signal };
  return withTokens({ request, input: body.messages, reply }, async () => {
    const whole = await gather(answer(dependencies, namespace, body, caller));
    const finish_reason = getCutReason(request);
    return { ...whole, ...(finish_reason && { finish_reason }), ...toNamespaceFields(namespace) };
  });
}

export function answer(
  dependencies: KnowledgeDependencies,
  namespace: SearchedNamespaces,
  { messages, filter }: Pick<GenerateRequest, "messages" | "filter">,
  caller: SearchCaller,
): AsyncGenerator<AnswerEvent> {
  const { askModel, reranker, store, hasFallbacks, logger } = dependencies;
  const record = currentRecord();
  /** Only the first provider makes embeddings. While it is down, another one may still answer. */
  const onNoVectors = (error: ProviderError) => {
    logger.warn(
      { err: error, request_id: record?.id },
      "a question can't be embedded: it is searched by its words alone",
    );
    if (record) record.failure = undefined;
  };
  const findChunks = async (within: SearchedNamespaces, queries: readonly string[]) => {
    const limit = reranker ? knowledgeLimits.rerankCandidates : knowledgeLimits.chunksPerAnswerSearch;
    const search = { namespace: within, queries, limit, filter, caller };
    const found = await searchForEach(dependencies, { ...search, onNoVectors: hasFallbacks ? onNoVectors : undefined });
    return found.map((hits, position) => findRelevantHits(queries[position] ?? "", hits));
  };
  const isEmpty = async (within: SearchedNamespaces) => {
    const found = await Promise.all([within].flat().map((name) => store.listDocuments(name, { limit: 1 })));
    return found.every((documents) => documents.length === 0);
  };
  return answerQuestion({ findChunks, reranker, isEmpty, askModel }, { messages, namespace, signal: caller.signal });
}

export function requireQuestion(messages: readonly ConversationMessage[]): void {
  const last = messages.at(-1);
  if (!last) throw problems.emptyMessages();
  if (last.content.trim() === "") throw problems.emptyQuestion();
}

async function gather(answer: AsyncIterable<AnswerEvent>): Promise<{ content: string; citations: Citation[] }> {
  let content = "";
  let citations: Citation[] = [];
  for await (const event of answer) {
    if (event.type === "text") content += event.text;
    if (event.type === "citations") citations = event.citations;
  }
  return { content, citations };
}
