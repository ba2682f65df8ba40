import { createHash } from "node:crypto";
import type { CompletionHead, CompletionToolCall } from "../endpoint/completions.ts";
import { completion, completionChunk, usageChunk } from "../endpoint/completions.ts";
import type { Responder } from "../endpoint/start-endpoint.ts";
import { parseChatRequest } from "./chat/chat-request.ts";
import { decide } from "./chat/decide.ts";
import { splitDeltas } from "./text/deltas.ts";
import { countTokens } from "./text/tokens.ts";

/**
 * Answers POST /v1/chat/completions by rules (see decide.ts), whole or as a stream of word-sized deltas. Equal requests get
 * equal answers, ids included. Throws an EndpointError (400) for a body that is no chat request.
 */
export function respondToChat(now: () => number): Responder {
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
    const usage = usageOf(JSON.stringify([request.messages, request.tools ?? []]), text + JSON.stringify(toolCalls));
    if (!request.stream) {
      reply.json(200, completion(head, { text, toolCalls, usage }));
      return;
    }
    reply.start();
    for (const chunk of chunksOf(head, text, toolCalls)) {
      if (signal.aborted) return;
      await reply.event(chunk);
    }
    if (request.stream_options?.include_usage) await reply.event(usageChunk(head, usage));
    await reply.event("[DONE]");
    reply.end();
  };
}

function* chunksOf(head: CompletionHead, text: string, toolCalls: CompletionToolCall[]): Generator<object> {
  yield completionChunk(head, { role: "assistant", content: text ? "" : null });
  for (const delta of splitDeltas(text)) yield completionChunk(head, { content: delta });
  for (const [index, { id, type, function: called }] of toolCalls.entries()) {
    yield completionChunk(head, { tool_calls: [{ index, id, type, function: { name: called.name, arguments: "" } }] });
    for (const piece of splitDeltas(called.arguments)) {
      yield completionChunk(head, { tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield completionChunk(head, {}, toolCalls.length > 0 ? "tool_calls" : "stop");
}

function usageOf(prompt: string, answer: string) {
  const [promptTokens, completionTokens] = [countTokens(prompt), countTokens(answer)];
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
