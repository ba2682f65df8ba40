/** A tool call in OpenAI's shape; `arguments` is JSON text. */
export interface CompletionToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

export interface CompletionUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/** The fields that all chunks of one completion share. `created` is in Unix seconds. */
export interface CompletionHead {
  id: string;
  model: string;
  created: number;
}

export type FinishReason = "stop" | "tool_calls" | "length" | "content_filter";

/** Builds one `chat.completion.chunk` with a single choice. */
export function buildCompletionChunk(
  head: CompletionHead,
  delta: object,
  finishReason: FinishReason | null = null,
): object {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
  return { id: head.id, object: "chat.completion.chunk", created: head.created, model: head.model, choices };
}

/** Builds the last chunk, which carries the usage, if `stream_options.include_usage` requests it. */
export function buildUsageChunk(head: CompletionHead, usage: CompletionUsage): object {
  return { id: head.id, object: "chat.completion.chunk", created: head.created, model: head.model, choices: [], usage };
}

/** Builds a complete `chat.completion`. */
export function buildCompletion(
  head: CompletionHead,
  answer: {
    text: string;
    toolCalls?: CompletionToolCall[];
    annotations?: object[];
    usage: CompletionUsage;
    finishReason?: FinishReason;
  },
): object {
  const { text, toolCalls = [], annotations, usage } = answer;
  const called = toolCalls.length > 0;
  const message = {
    role: "assistant",
    content: called && text === "" ? null : text,
    refusal: null,
    ...(annotations && { annotations }),
    ...(called ? { tool_calls: toolCalls } : {}),
  };
  const finishReason = answer.finishReason ?? (called ? "tool_calls" : "stop");
  const choices = [{ index: 0, message, logprobs: null, finish_reason: finishReason }];
  return { id: head.id, object: "chat.completion", created: head.created, model: head.model, choices, usage };
}
