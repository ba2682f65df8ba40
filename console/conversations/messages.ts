import type { Citation } from "@agent-backends/contract";

export interface ToolCall {
  id: string;
  name: string;
  /** JSON, as far as it has come. */
  args: string;
  /** What the tool gave back; absent as long as it has not. */
  result?: unknown;
}

/** A citation with the number by which the answer refers to it. */
export type NumberedCitation = Citation & { n: number };

export interface UserMessage {
  id: string;
  role: "user";
  text: string;
  /** Names of the files that were stored for this question. */
  attachments?: string[];
}

export interface AssistantMessage {
  id: string;
  role: "assistant";
  text: string;
  reasoning: string;
  toolCalls: ToolCall[];
  citations: NumberedCitation[];
  /** Where the citations' documents are. */
  namespace?: string;
  state: "streaming" | "done" | "stopped" | "failed";
  error?: string;
}

export type ChatMessage = UserMessage | AssistantMessage;

export function newAnswer(id: string, namespace?: string): AssistantMessage {
  const answer = {
    id,
    role: "assistant",
    text: "",
    reasoning: "",
    toolCalls: [],
    citations: [],
    state: "streaming",
  } as const;
  return { ...answer, toolCalls: [], citations: [], ...(namespace !== undefined && { namespace }) };
}

/** A message as it was stored. An answer whose page was left while it came was stopped by that. */
export function asLoaded(message: ChatMessage): ChatMessage {
  return message.role === "assistant" && message.state === "streaming" ? { ...message, state: "stopped" } : message;
}

/** An answer in which one tool call is changed; one that is not there yet is added. */
export function withToolCall(
  answer: AssistantMessage,
  id: string,
  change: (call: ToolCall) => ToolCall,
): AssistantMessage {
  const known = answer.toolCalls.some((call) => call.id === id);
  const calls = known ? answer.toolCalls : [...answer.toolCalls, { id, name: "", args: "" }];
  return { ...answer, toolCalls: calls.map((call) => (call.id === id ? change(call) : call)) };
}

/** The conversation as plain turns. Answers that failed without a word are left out, and their questions with them. */
export function turnsOf(messages: readonly ChatMessage[]): { role: "user" | "assistant"; content: string }[] {
  const turns: { role: "user" | "assistant"; content: string }[] = [];
  for (const message of messages) {
    if (message.role === "assistant" && message.text === "") {
      if (turns.at(-1)?.role === "user") turns.pop();
    } else turns.push({ role: message.role, content: message.text });
  }
  return turns;
}
