import type { RunContentPart, RunInput, RunMessage, RunTool } from "@agent-backends/client";
import type { ChatMessage, UserMessage } from "../conversations/messages.ts";

/** Builds the relay's run input. Tool calls without a result are left out, because providers refuse them. */
export function buildRunInput(
  messages: readonly ChatMessage[],
  ids: { threadId: string; runId: string },
  { tools, isWholeProtocol }: { tools: readonly object[] /** Requests all of AG-UI 1.0. */; isWholeProtocol: boolean },
): RunInput {
  return {
    ...ids,
    ...(isWholeProtocol && { protocolVersion: "1.0" }),
    messages: messages.flatMap(toRunMessages),
    tools: tools as RunTool[],
    context: [],
    state: {},
    forwardedProps: {},
  };
}

function toRunMessages(message: ChatMessage): RunMessage[] {
  if (message.role === "user") return [{ id: message.id, role: "user", content: toContent(message) }];
  const calls = message.toolCalls.filter(({ result }) => result !== undefined);
  if (message.text === "" && calls.length === 0) return [];
  const toolCalls = calls.map(({ id, name, args }) => ({
    id,
    type: "function",
    function: { name, arguments: args || "{}" },
  }));
  return [
    { id: message.id, role: "assistant", content: message.text, ...(calls.length > 0 && { toolCalls }) },
    ...calls.map(({ id, result }) => ({
      id: `result-${id}`,
      role: "tool" as const,
      toolCallId: id,
      content: typeof result === "string" ? result : JSON.stringify(result),
    })),
  ];
}

function toContent({ text, images = [] }: UserMessage): string | RunContentPart[] {
  if (images.length === 0) return text;
  const parts = images.map(({ mimeType, data }) => ({
    type: "image",
    source: { type: "data", value: data, mimeType },
  }));
  return [{ type: "text", text }, ...parts];
}
