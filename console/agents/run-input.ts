import type { RunInput, RunMessage, RunTool } from "@agent-backends/client";
import type { ChatMessage } from "../conversations/messages.ts";

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
  if (message.role === "user") return [{ id: message.id, role: "user", content: message.text }];
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
