import type { Citation } from "@agent-backends/client";
import type { AttachedImage } from "./attached-images.ts";

export interface ToolCall {
  id: string;
  name: string;
  /** JSON received so far. */
  args: string;
  /** Undefined until the tool has answered. */
  result?: unknown;
}

/** A citation with the number that the answer uses for it. */
export type NumberedCitation = Citation & { n: number };

export interface UserMessage {
  id: string;
  role: "user";
  text: string;
  /** Names of the files that were stored for this question. */
  attachments?: string[];
  /** Images that are sent with this question. */
  images?: readonly AttachedImage[];
}

export interface AssistantMessage {
  id: string;
  role: "assistant";
  text: string;
  reasoning: string;
  toolCalls: ToolCall[];
  citations: NumberedCitation[];
  /** The namespace of the cited documents. */
  namespace?: string;
  /** Whether the agent keeps the run even when the page is left. */
  isKept?: true;
  /** Why the provider cut the answer short, if it did. */
  cutReason?: "length" | "content_filter" | undefined;
  state: "streaming" | "done" | "stopped" | "failed";
  error?: string;
}

export type ChatMessage = UserMessage | AssistantMessage;

export function createAnswer(id: string, namespace?: string): AssistantMessage {
  return {
    id,
    role: "assistant",
    text: "",
    reasoning: "",
    toolCalls: [],
    citations: [],
    state: "streaming",
    ...(namespace !== undefined && { namespace }),
  };
}

/** Marks a stored answer as stopped if the page was left while it was streaming. An answer kept by its agent can be resumed. */
export function toLoaded(message: ChatMessage): ChatMessage {
  return message.role === "assistant" && message.state === "streaming" && !message.isKept
    ? { ...message, state: "stopped" }
    : message;
}

export function updateToolCall(answer: AssistantMessage, id: string, changes: Partial<ToolCall>): AssistantMessage {
  const isKnown = answer.toolCalls.some((call) => call.id === id);
  const calls = isKnown ? answer.toolCalls : [...answer.toolCalls, { id, name: "", args: "" }];
  return { ...answer, toolCalls: calls.map((call) => (call.id === id ? { ...call, ...changes } : call)) };
}

/** The conversation as plain turns. Answers that failed without text are left out, together with their questions. */
export function toTurns(messages: readonly ChatMessage[]): { role: "user" | "assistant"; content: string }[] {
  const turns: { role: "user" | "assistant"; content: string }[] = [];
  for (const message of messages) {
    if (message.role === "assistant" && message.text === "") {
      if (turns.at(-1)?.role === "user") turns.pop();
    } else turns.push({ role: message.role, content: message.text });
  }
  return turns;
}
