import type { AttachedImage } from "../conversations/attached-images.ts";
import type { ChatMessage } from "../conversations/messages.ts";
import { updateToolCall } from "../conversations/messages.ts";

/** Changes a conversation before it is sent to the agent. It may run twice, the second time on a version saved by another tab. */
export type Change = (messages: readonly ChatMessage[]) => readonly ChatMessage[];

/** Adds a question with the names of its files, and its images. */
export function addQuestion(text: string, attachments: string[], images: readonly AttachedImage[]): Change {
  const question = {
    ...({ id: crypto.randomUUID(), role: "user", text } as const),
    ...(attachments.length > 0 && { attachments }),
    ...(images.length > 0 && { images }),
  };
  return (messages) => [...messages, question];
}

/** Replaces a question and everything after it with another question, which keeps the images. */
export function replaceQuestion(id: string, text: string): Change {
  const question = { id: crypto.randomUUID(), role: "user", text } as const;
  return (messages) => {
    const index = messages.findIndex((message) => message.id === id);
    const replaced = messages[index];
    const images = replaced?.role === "user" && replaced.images;
    return [...(index < 0 ? messages : messages.slice(0, index)), { ...question, ...(images && { images }) }];
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
