import type { ChatMessage } from "../conversations/messages.ts";

const words = { streaming: "Answering", done: "The answer is complete", stopped: "Stopped", failed: "" };

/** Tells those who do not see the page how the answer is coming on, without reading each word of it aloud twice. */
export function AnswerStatus({ messages }: { messages: readonly ChatMessage[] }) {
  const last = messages.at(-1);
  return (
    <p role="status" className="visually-hidden">
      {last?.role === "assistant" ? words[last.state] : ""}
    </p>
  );
}
