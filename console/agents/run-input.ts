import type { ChatMessage } from "../conversations/messages.ts";

/** What the relay is told besides the conversation. */
interface RelaySettings {
  tools: readonly object[];
  /** Asks for the whole of AG-UI 1.0. */
  wholeProtocol: boolean;
}

/** A conversation as a run input. Tool calls without a result are left out: providers refuse them. */
export function runInputOf(
  messages: readonly ChatMessage[],
  ids: { threadId: string; runId: string },
  { tools, wholeProtocol }: RelaySettings,
): object {
  return {
    ...ids,
    ...(wholeProtocol && { protocolVersion: "1.0" }),
    messages: messages.flatMap(runMessagesOf),
    tools,
    context: [],
    state: {},
    forwardedProps: {},
  };
}

function runMessagesOf(message: ChatMessage): object[] {
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
      role: "tool",
      toolCallId: id,
      content: typeof result === "string" ? result : JSON.stringify(result),
    })),
  ];
}
