import type { JSONValue, ModelMessage, ToolSet } from "ai";
import type { AnswerTool, ChatMessage } from "./types.ts";

/** The conversation in the shape that the AI SDK takes. */
export function toModelMessages(messages: readonly ChatMessage[]): ModelMessage[] {
  return messages.map(toModelMessage);
}

function toModelMessage(message: ChatMessage): ModelMessage {
  if (message.role === "tool") {
    const { toolCallId, toolName, result } = message;
    const output =
      typeof result === "string"
        ? { type: "text" as const, value: result }
        : { type: "json" as const, value: (result ?? null) as JSONValue };
    return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] };
  }
  if (!("toolCalls" in message)) return { role: message.role, content: message.content };
  const text = message.content ? [{ type: "text" as const, text: message.content }] : [];
  const calls = message.toolCalls.map(({ id, name, args }) => {
    return { type: "tool-call" as const, toolCallId: id, toolName: name, input: args };
  });
  return { role: "assistant", content: [...text, ...calls] };
}

/** The tools in the shape that the AI SDK takes. */
export function toToolSet(tools: Record<string, AnswerTool>): ToolSet {
  const entries = Object.entries(tools).map(([name, { description, inputSchema, execute }]) => {
    const run = (args: unknown, { abortSignal }: { abortSignal?: AbortSignal }) =>
      execute(args, { signal: abortSignal ?? new AbortController().signal });
    return [name, { description, inputSchema, execute: run }];
  });
  return Object.fromEntries(entries) as ToolSet;
}
