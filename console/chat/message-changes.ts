import type { ChatMessage } from "../conversations/messages.ts";
import { updateToolCall } from "../conversations/messages.ts";

/** Changes a conversation before it is sent to the agent. It may run twice, the second time on a version saved by another tab. */
export type Change = (messages: readonly ChatMessage[]) => readonly ChatMessage[];

/** Adds a question with the names of its files. */
export function addQuestion(text: string, attachments: string[]): Change {
  const question = { id: crypto.randomUUID(), role: "user", text } as const;
  return (messages) => [...messages, attachments.length > 0 ? { ...question, attachments } : question];
}

/** Replaces a question and everything after it with another question. */
export function replaceQuestion(id: string, text: string): Change {
  const question = { id: crypto.randomUUID(), role: "user", text } as const;
  return (messages) => {
    const index = messages.findIndex((message) => message.id === id);
    return [...(index < 0 ? messages : messages.slice(0, index)), question];
  };
}

/** Drops everything after the last question. */
export const dropLastAnswer: Change = (messages) =>
  messages.slice(0, messages.findLastIndex(({ role }) => role === "user") + 1);

export function setToolResult(answerId: string, callId: string, result: unknown): Change {
  return (messages) =>
    messages.map((message) =>
      message.id === answerId && message.role === "assistant" ? updateToolCall(message, callId, { result }) : message,
    );
}
