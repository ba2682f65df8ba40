import { z } from "zod";
import type { DemandedContent } from "./demanded-content.ts";
import { unknownSignature } from "./demanded-content.ts";

/** A message of a conversation. A tool result is text or a JSON value. */
export type ChatMessage =
  | { role: "user" | "assistant" | "system"; content: string }
  | { role: "assistant"; content: string; toolCalls: { id: string; name: string; args: unknown }[] }
  | { role: "tool"; toolCallId: string; toolName: string; result: unknown };

/** A tool for the model. The model receives the result of `execute` as JSON. An exception ends the answer. */
export interface AnswerTool {
  description: string;
  inputSchema: z.ZodType;
  execute(args: unknown, options: { signal: AbortSignal }): Promise<unknown>;
}

/** A message in the format of https://platform.openai.com/docs/api-reference/chat/create */
export type ProviderMessage =
  | { role: "user" | "assistant" | "system"; content: string }
  | { role: "assistant"; content: string | null; reasoning_content?: string; tool_calls: ProviderToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

interface ProviderToolCall {
  id: string;
  type: "function";
  /** `arguments` is JSON text. */
  function: { name: string; arguments: string };
  extra_content?: object;
}

export function toProviderMessage(message: ChatMessage): ProviderMessage {
  if (message.role === "tool") {
    const { toolCallId, result } = message;
    return {
      role: "tool",
      tool_call_id: toolCallId,
      content: typeof result === "string" ? result : JSON.stringify(result ?? null),
    };
  }
  if (!("toolCalls" in message)) return { role: message.role, content: message.content };
  return {
    role: "assistant",
    content: message.content || null,
    tool_calls: message.toolCalls.map(({ id, name, args }) => ({
      id,
      type: "function",
      // Some providers reject a conversation with arguments that aren't an object, even if the model itself sent them.
      function: { name, arguments: JSON.stringify(typeof args === "object" && args !== null ? args : {}) },
    })),
  };
}

/** Adds placeholders for the values that a provider requires in tool calls. */
export function withDemanded(messages: readonly ProviderMessage[], must: DemandedContent): ProviderMessage[] {
  return messages.map((message) => {
    if (!("tool_calls" in message)) return message;
    const extra = must.signatures ? { extra_content: unknownSignature } : {};
    return {
      ...message,
      ...(must.reasoningContent && { reasoning_content: "" }),
      tool_calls: message.tool_calls.map((call) => ({ ...extra, ...call })),
    };
  });
}

/** Converts tools to functions with a JSON schema of their input. */
export function toProviderTools(tools: Readonly<Record<string, AnswerTool>>): object[] {
  return Object.entries(tools).map(([name, { description, inputSchema }]) => {
    const { $schema: _, ...parameters } = z.toJSONSchema(inputSchema, { target: "draft-7", io: "input" });
    return { type: "function", function: { name, description, parameters } };
  });
}
