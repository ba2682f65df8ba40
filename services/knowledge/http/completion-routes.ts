import type { IncomingMessage } from "node:http";
import type {
  Annotation,
  ChatCompletionRequest,
  ConversationMessage,
  Model,
  ModelsResponse,
} from "@agent-backends/contract";
import {
  defaultNamespace,
  knowledgeLimits,
  knowledgeModel,
  namespaceNameSchema,
  problems,
} from "@agent-backends/contract";
import { knowledgeOperations } from "@agent-backends/contract/openapi";
import { clientSignal, getRecord, providerHeader } from "@agent-backends/kit";
import { estimateTokens, getPrincipal, withTokens } from "@agent-backends/kit/auth";
import type { App } from "@agent-backends/kit/fastify";
import { addRoute, streamEvents } from "@agent-backends/kit/fastify";
import type { CompletionHead, CompletionUsage } from "@agent-backends/llm";
import { buildCompletion, buildCompletionChunk, buildUsageChunk } from "@agent-backends/llm";
import type { CompletionDelta } from "../librarian/completion-deltas.ts";
import { completionDeltas, fitEvent } from "../librarian/completion-deltas.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { answer, getCutReason, reportFailure, requireQuestion } from "./librarian-routes.ts";
import { listNamespaces } from "./namespace-routes.ts";
import { requireNamespace, requireNamespaces } from "./search-route.ts";

/** OpenAI's interface to the librarian. Each namespace is a model. */
export function addCompletionRoutes(app: App, dependencies: KnowledgeDependencies): void {
  addChatRoute(app, dependencies);
  addModelRoutes(app, dependencies);
}

function addChatRoute(app: App, dependencies: KnowledgeDependencies): void {
  const { guard, lifecycle, heartbeatMs, hasFallbacks, now, newId } = dependencies;
  addRoute(app, knowledgeOperations, "POST /v1/chat/completions", async ({ raw, body, id: requestId }, reply) => {
    const { model, messages, stream, stream_options } = body;
    const namespace = requireNamespaces(raw, toNamespaces(body));
    const named = findNamespace(model);
    // Without this check, a misspelt namespace would look like one whose documents don't answer the question.
    if (named !== undefined && !(await dependencies.store.getEmbedding(named))) throw problems.noModel(model);
    requireQuestion(messages);
    const head = { id: `chatcmpl-${newId()}`, model, created: toSeconds(now()) };
    const client = guard.getClient(raw);
    const answerWith = (signal: AbortSignal) =>
      completionDeltas(answer(dependencies, namespace, body, { client, signal }));
    return withTokens({ request: raw, input: messages, reply }, async () => {
      if (!stream) {
        const whole = await gather(answerWith(clientSignal(reply.raw, lifecycle)));
        const provider = getRecord(raw)?.provider;
        if (provider !== undefined) reply.header(providerHeader, provider);
        const finishReason = getCutReason(raw) ?? "stop";
        return buildCompletion(head, { ...whole, finishReason, usage: countUsage(raw, messages) });
      }
      const onError = (error: unknown) => {
        return { error: reportFailure(dependencies, error, requestId).toOpenAiError() };
      };
      const settings = { heartbeatMs, namesProvider: hasFallbacks, lifecycle, onError, last: "[DONE]" };
      await streamEvents(reply, { format: "sse", ...settings }, async function* (signal) {
        yield* toChunks(head, answerWith(signal));
        yield buildCompletionChunk(head, {}, getCutReason(raw) ?? "stop");
        if (stream_options?.include_usage) yield buildUsageChunk(head, countUsage(raw, messages));
      });
      return undefined;
    });
  });
}

function addModelRoutes(app: App, dependencies: KnowledgeDependencies): void {
  const created = toSeconds(dependencies.now());
  const toModel = (id: string): Model => ({ id, object: "model", created, owned_by: "agent-backends" });

  addRoute(app, knowledgeOperations, "GET /v1/models", async ({ raw }): Promise<ModelsResponse> => {
    const page = { limit: knowledgeLimits.namespacesPerPage.max, cursor: undefined };
    const { namespaces } = await listNamespaces(dependencies, page, raw);
    const others = namespaces.map(({ namespace }) => namespace).filter((name) => name !== defaultNamespace);
    const ids = others.map((name) => `${knowledgeModel}/${name}`);
    if (getPrincipal(raw).canAccess(defaultNamespace)) ids.unshift(knowledgeModel);
    return { object: "list", data: ids.map(toModel) };
  });

  addRoute(app, knowledgeOperations, "GET /v1/models/{model}", async ({ raw, params }) => {
    const id = params["*"];
    const namespace = findNamespace(id) ?? defaultNamespace;
    requireNamespace(raw, namespace);
    const isKnown = id === knowledgeModel || (await dependencies.store.describeNamespace(namespace))?.documents;
    if (!isKnown) throw problems.noModel(id);
    return toModel(id);
  });
}

/** The namespace that a model names. @throws ProblemError `not-found` */
function findNamespace(model: string): string | undefined {
  if (model === knowledgeModel) return undefined;
  const prefix = `${knowledgeModel}/`;
  const name = namespaceNameSchema.safeParse(model.startsWith(prefix) ? model.slice(prefix.length) : "");
  if (!name.success) throw problems.noModel(model);
  return name.data;
}

function toNamespaces({ model, namespace, namespaces }: ChatCompletionRequest) {
  return { namespace: findNamespace(model) ?? namespace, namespaces };
}

async function* toChunks(head: CompletionHead, deltas: AsyncIterable<CompletionDelta>) {
  yield buildCompletionChunk(head, { role: "assistant", content: "" });
  for await (const delta of deltas) {
    yield buildCompletionChunk(head, "annotations" in delta ? { annotations: fitEvent(delta.annotations) } : delta);
  }
}

async function gather(deltas: AsyncIterable<CompletionDelta>): Promise<{ text: string; annotations: Annotation[] }> {
  let text = "";
  let annotations: Annotation[] = [];
  for await (const delta of deltas) {
    if ("content" in delta) text += delta.content;
    else annotations = delta.annotations;
  }
  return { text, annotations };
}

/** The tokens of all provider calls of a request. Tokens that the provider didn't count are estimated. */
function countUsage(request: IncomingMessage, messages: readonly ConversationMessage[]): CompletionUsage {
  const { readTokens, outputTokens = 0, uncountedTokens = 0 } = getRecord(request) ?? {};
  const prompt_tokens = readTokens ?? estimateTokens(messages);
  const completion_tokens = outputTokens + uncountedTokens;
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** OpenAI uses Unix seconds. */
const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000);
