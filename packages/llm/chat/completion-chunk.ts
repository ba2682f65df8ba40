import type { TokenUsage } from "@agent-backends/contract";

/** One entry of a delta's `tool_calls`. Empty strings count as absent. */
export interface ToolCallDelta {
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  arguments: string | undefined;
  /** Google's thought signature of the call. */
  extraContent: Record<string, unknown> | undefined;
}

/** The fields of a delta in which providers put reasoning and expect it back. Of several with text, the first is read. */
export const reasoningFields = ["reasoning_content", "reasoning"] as const;

/** Read if none of those has text. Clients see this reasoning, but it isn't sent back: its signatures aren't kept. */
export const shownReasoningFields = ["reasoning_text", "thinking_blocks"] as const;

/** Where reasoning was. `thinking` is a type of content parts. */
export type ReasoningField = (typeof reasoningFields)[number] | "thinking";

/** The parsed content of one `chat.completion.chunk`. */
export interface CompletionChunk {
  /** The provider's error, in any shape. */
  error: unknown;
  text: string;
  reasoning: string;
  /** The field that held the reasoning, if the provider wants it back there. */
  reasoningField: ReasoningField | undefined;
  /** Reasoning in OpenRouter's structure, with signatures. Only objects. */
  reasoningDetails: Record<string, unknown>[];
  /** Google's thought signature of the answer. */
  extraContent: Record<string, unknown> | undefined;
  refusal: string;
  /** Whether the answer has images, audio or other parts, which aren't read. */
  hasMedia: boolean;
  toolCalls: ToolCallDelta[];
  finishReason: string | undefined;
  usage: TokenUsage | undefined;
  /** Whether the content is a whole `message`, not a delta. */
  isMessage: boolean;
}

/** Finish reasons of answers that the provider couldn't complete: Zhipu's and DeepSeek's. */
const interruptions = new Set(["network_error", "insufficient_system_resource"]);
const interruption = "The model provider's answer broke off before its end.";

/**
 * The members that {@link readCompletionChunk} reads of a chunk with choices and a delta. The relay's fast path copies frames that differ only in other members, so a
 * member missing here would be lost.
 */
export const chunkMembers = {
  chunk: new Set(["error", "object", "choices", "usage", "base_resp"]),
  choice: new Set(["index", "delta", "finish_reason", "error"]),
  delta: new Set([
    "content",
    "refusal",
    ...reasoningFields,
    "reasoning_details",
    ...shownReasoningFields,
    "extra_content",
    "tool_calls",
    "function_call",
    "images",
    "audio",
  ]),
};

/**
 * Reads a chunk of any OpenAI-compatible provider. Fields that are missing, null, empty or of the wrong type count as absent. Only the
 * choice with index 0, or without an index, is read. Format: https://platform.openai.com/docs/api-reference/chat/streaming.
 * `reasoning_content` is DeepSeek's, and as an object Envoy's for Bedrock, `reasoning` OpenRouter's and Groq's, `reasoning_details`
 * OpenRouter's, `reasoning_text` Copilot's, `thinking_blocks` LiteLLM's, content parts of type `thinking` are Mistral's, and of type
 * `reasoning` Databricks'. `extra_content` is Google's, `images` is OpenRouter's, and `function_call` is the older form of a tool call.
 */
export function readCompletionChunk(json: unknown): CompletionChunk {
  const chunk: CompletionChunk = {
    error: undefined,
    text: "",
    reasoning: "",
    reasoningField: undefined,
    reasoningDetails: [],
    extraContent: undefined,
    refusal: "",
    hasMedia: false,
    toolCalls: [],
    finishReason: undefined,
    usage: undefined,
    isMessage: false,
  };
  const root = asObject(json);
  if (!root) return chunk;
  chunk.error = root.error || (isError(root) ? root : readMiniMaxError(asObject(root.base_resp)));
  chunk.usage = readUsage(root);
  for (const item of asArray(root.choices)) {
    const choice = asObject(item);
    if (!choice || Number(choice.index ?? 0) !== 0) continue;
    // Alibaba sends "null" in place of null.
    const reason = choice.finish_reason === "null" ? undefined : asText(choice.finish_reason);
    chunk.error ||= choice.error || (reason === "error" ? choice : undefined);
    if (reason && interruptions.has(reason)) chunk.error ||= { code: reason, message: interruption };
    chunk.finishReason ??= reason;
    const delta = asObject(choice.delta);
    // Some providers ignore `stream` and send a whole completion, or end with one.
    const message = delta ? undefined : asObject(choice.message);
    chunk.isMessage ||= message !== undefined;
    readDelta(delta ?? message ?? {}, chunk);
  }
  return chunk;
}

/** Whether an object in the place of a chunk is an error. `detail` is FastAPI's, `code` with `message` Alibaba's. */
function isError(root: Record<string, unknown>): boolean {
  if (root.object === "error") return true;
  return root.choices === undefined && Boolean(root.detail || (root.code && asText(root.message)));
}

/** MiniMax sends a status with an answer too: 0. */
function readMiniMaxError({ status_code: code, status_msg: message }: Record<string, unknown> = {}): unknown {
  return code ? { code, message } : undefined;
}

function readDelta(delta: Record<string, unknown>, chunk: CompletionChunk): void {
  readReasoning(delta, chunk);
  chunk.extraContent ??= asObject(delta.extra_content);
  chunk.refusal += asText(delta.refusal) ?? "";
  chunk.hasMedia ||= asArray(delta.images).length > 0 || asObject(delta.audio) !== undefined;
  if (typeof delta.content === "string") chunk.text += delta.content;
  for (const item of asArray(delta.content)) {
    if (typeof item === "string") chunk.text += item;
    const part = asObject(item);
    if (!part) continue;
    if (part.type === "thinking") {
      chunk.reasoning += joinTextParts(part.thinking);
      chunk.reasoningField ??= "thinking";
    } else if (part.type === "reasoning") {
      chunk.reasoning += asText(part.text) ?? joinTextParts(part.summary);
    } else if (part.type === "text" || part.type === undefined) chunk.text += asText(part.text) ?? "";
    else chunk.hasMedia = true;
  }
  const old = asObject(delta.function_call);
  // Old versions of TGI send one call without a list.
  const calls = asObject(delta.tool_calls) ? [delta.tool_calls] : asArray(delta.tool_calls);
  for (const item of [...calls, ...(old ? [{ function: old }] : [])]) {
    const call = asObject(item);
    if (!call) continue;
    const called = asObject(call.function) ?? {};
    chunk.toolCalls.push({
      index: asIndex(call.index),
      id: asText(call.id),
      name: asText(called.name),
      arguments: asText(called.arguments) ?? (asObject(called.arguments) && JSON.stringify(called.arguments)),
      extraContent: asObject(call.extra_content),
    });
  }
}

function readReasoning(delta: Record<string, unknown>, chunk: CompletionChunk): void {
  let text: string | undefined;
  for (const field of reasoningFields) {
    text = asText(delta[field]);
    if (text === undefined) continue;
    chunk.reasoningField ??= field;
    break;
  }
  let detailed = "";
  for (const item of asArray(delta.reasoning_details)) {
    const detail = asObject(item);
    if (!detail) continue;
    chunk.reasoningDetails.push(detail);
    detailed += asText(detail.text) ?? asText(detail.summary) ?? "";
  }
  // Providers usually send the text twice, so only the first of these counts.
  chunk.reasoning +=
    text ||
    detailed ||
    asText(asObject(delta.reasoning_content)?.text) ||
    asText(delta.reasoning_text) ||
    joinTextParts(delta.thinking_blocks, "thinking");
}

/** Reads the `usage` of a chunk, and the `model` that it belongs to. */
export function readUsage(root: Record<string, unknown>): TokenUsage | undefined {
  const usage = asObject(root.usage);
  if (!usage) return undefined;
  const model = asText(root.model);
  const inputTokens = asCount(usage.prompt_tokens);
  const given = asCount(usage.completion_tokens);
  const input = asObject(usage.prompt_tokens_details) ?? asObject(usage.prompt_token_details);
  const reasoningTokens = asCount(asObject(usage.completion_tokens_details)?.reasoning_tokens);
  // DeepSeek's, Moonshot's and Mistral's counts are not in the details.
  const cachedInputTokens =
    asCount(input?.cached_tokens) ??
    asCount(usage.prompt_cache_hit_tokens ?? usage.cached_tokens ?? usage.num_cached_tokens);
  const cacheWriteInputTokens = asCount(input?.cache_write_tokens) ?? asCount(usage.cache_creation_input_tokens);
  // AG-UI's output includes reasoning. xAI doesn't include it in the output, only in the total.
  const everything = sum(inputTokens, given, reasoningTokens);
  const isBeside = everything !== undefined && usage.total_tokens === everything;
  const outputTokens = isBeside ? sum(given, reasoningTokens) : given;
  const totalTokens = sum(inputTokens, outputTokens);
  return {
    ...(model !== undefined && { model }),
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    // Some providers include reasoning only in their total. AG-UI defines the total as the sum of the other two.
    ...(totalTokens !== undefined && { totalTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteInputTokens !== undefined && { cacheWriteInputTokens }),
  };
}

/** Undefined if a count is missing. */
function sum(...counts: (number | undefined)[]): number | undefined {
  return counts.reduce((total, count) => (total === undefined || count === undefined ? undefined : total + count), 0);
}

function joinTextParts(parts: unknown, member = "text"): string {
  if (!Array.isArray(parts)) return typeof parts === "string" ? parts : "";
  return parts.map((part) => asText(asObject(part)?.[member]) ?? "").join("");
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function asIndex(value: unknown): number | undefined {
  const index = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof index === "number" ? index : undefined;
}

function asCount(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}
