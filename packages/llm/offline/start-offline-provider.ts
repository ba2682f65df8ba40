import { createHash } from "node:crypto";
import { segmenter } from "@agent-backends/language";
import type { CompletionHead, CompletionToolCall } from "../endpoint/completions.ts";
import { buildCompletion, buildCompletionChunk, buildUsageChunk } from "../endpoint/completions.ts";
import type { EndpointRoute } from "../endpoint/endpoint-request.ts";
import type { Responder, RunningEndpoint } from "../endpoint/start-endpoint.ts";
import { startEndpoint } from "../endpoint/start-endpoint.ts";
import { parseChatRequest } from "./chat/chat-request.ts";
import { decide } from "./chat/decide.ts";
import { countTokens, respondWithLexicalEmbeddings } from "./embeddings-responder.ts";
import { offlineModel } from "./model.ts";

/** A longer run without spaces is split with a dictionary: it is probably text in a script without spaces between words. */
const maxDeltaCharacters = 23;

const models = { object: "list", data: [{ id: offlineModel, object: "model", created: 0, owned_by: "offline" }] };

/**
 * Starts the offline provider: an OpenAI-compatible endpoint that needs no key and no model. It answers by fixed rules, and accepts any
 * model name. See `startEndpoint`.
 */
export function startOfflineProvider({ now = Date.now }: { now?: () => number } = {}): Promise<RunningEndpoint> {
  const responders: Record<EndpointRoute, Responder> = {
    chat: respondToChat(now),
    embeddings: respondWithLexicalEmbeddings,
    models: async (_request, reply) => reply.json(200, models),
  };
  return startEndpoint((request, reply) => responders[request.route](request, reply));
}

/** Responds with a complete answer, or with a stream of word-sized deltas. Equal requests get equal responses, including ids. */
function respondToChat(now: () => number): Responder {
  return async ({ body, signal }, reply) => {
    const request = parseChatRequest(body);
    const decision = decide(request);
    const digest = createHash("sha256").update(JSON.stringify(request)).digest("hex");
    const head = { id: `chatcmpl-${digest.slice(0, 24)}`, model: request.model, created: Math.floor(now() / 1000) };
    const text = "say" in decision ? decision.say : "";
    const toolCalls: CompletionToolCall[] = [];
    if ("call" in decision) {
      const { name, args } = decision.call;
      const id = `call_${digest.slice(24, 48)}`;
      toolCalls.push({ id, type: "function", function: { name, arguments: JSON.stringify(args) } });
    }
    const inputTokens = countTokens(JSON.stringify([request.messages, request.tools ?? []]));
    const outputTokens = countTokens(text + JSON.stringify(toolCalls));
    const usage = {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    };
    if (!request.stream) {
      reply.json(200, buildCompletion(head, { text, toolCalls, usage }));
      return;
    }
    reply.start();
    for (const chunk of splitCompletion(head, text, toolCalls)) {
      if (signal.aborted) return;
      await reply.event(chunk);
    }
    if (request.stream_options?.include_usage) await reply.event(buildUsageChunk(head, usage));
    await reply.event("[DONE]");
    reply.end();
  };
}

function* splitCompletion(head: CompletionHead, text: string, toolCalls: CompletionToolCall[]): Generator<object> {
  yield buildCompletionChunk(head, { role: "assistant", content: text ? "" : null });
  for (const delta of splitDeltas(text)) yield buildCompletionChunk(head, { content: delta });
  for (const [index, { id, type, function: called }] of toolCalls.entries()) {
    yield buildCompletionChunk(head, {
      tool_calls: [{ index, id, type, function: { name: called.name, arguments: "" } }],
    });
    for (const piece of splitDeltas(called.arguments)) {
      yield buildCompletionChunk(head, { tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield buildCompletionChunk(head, {}, toolCalls.length > 0 ? "tool_calls" : "stop");
}

/** Splits a text into word-sized deltas. Their concatenation is the text: white space belongs to the word before it. */
function splitDeltas(text: string): string[] {
  const runs = text.match(/\s*\S+\s*/g) ?? (text ? [text] : []);
  return runs.flatMap((run) => {
    if (run.length <= maxDeltaCharacters) return [run];
    return Array.from(segmenter("word").segment(run), ({ segment }) => segment);
  });
}
