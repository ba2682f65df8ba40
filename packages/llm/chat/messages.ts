import { z } from "zod";
import type { AnswerTool, ChatMessage } from "./types.ts";

/** A message in the shape of https://platform.openai.com/docs/api-reference/chat/create */
export type ProviderMessage =
  | { role: "user" | "assistant" | "system"; content: string }
  | { role: "assistant"; content: string | null; tool_calls: ProviderToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

interface ProviderToolCall {
  id: string;
  type: "function";
  /** `arguments` is JSON text. */
  function: { name: string; arguments: string };
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
      // What a model sent in the place of an object would make some providers refuse the conversation.
      function: { name, arguments: JSON.stringify(typeof args === "object" && args !== null ? args : {}) },
    })),
  };
}

/** Tools as functions whose parameters are a JSON schema of what they take. */
export function toProviderTools(tools: Readonly<Record<string, AnswerTool>>): object[] {
  return Object.entries(tools).map(([name, { description, inputSchema }]) => {
    const { $schema: _, ...parameters } = z.toJSONSchema(inputSchema, { target: "draft-7", io: "input" });
    return { type: "function", function: { name, description, parameters } };
  });
}
