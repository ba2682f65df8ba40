import type { ChatMessage } from "../conversations/messages.ts";
import { withToolCall } from "../conversations/messages.ts";

/** What a conversation's messages are changed into before the agent is asked. */
export type Change = (messages: readonly ChatMessage[]) => readonly ChatMessage[];

/** Adds a question, with the names of the files that were stored for it. */
export function asking(text: string, attachments: string[]): Change {
  const question = { id: crypto.randomUUID(), role: "user", text } as const;
  return (messages) => [...messages, attachments.length > 0 ? { ...question, attachments } : question];
}

/** Puts a question in the place of another one and of all that came after it. */
export function askingInstead(id: string, text: string): Change {
  const question = { id: crypto.randomUUID(), role: "user", text } as const;
  return (messages) => {
    const index = messages.findIndex((message) => message.id === id);
    return [...(index < 0 ? messages : messages.slice(0, index)), question];
  };
}

/** Takes away what came after the last question. */
export const askingAgain: Change = (messages) =>
  messages.slice(0, messages.findLastIndex(({ role }) => role === "user") + 1);

/** Gives a tool call of an answer its result. */
export function withResult(answerId: string, callId: string, result: unknown): Change {
  return (messages) =>
    messages.map((message) =>
      message.id === answerId && message.role === "assistant"
        ? withToolCall(message, callId, (call) => ({ ...call, result }))
        : message,
    );
}
