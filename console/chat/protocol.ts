import type { StreamRequest } from "../connections/request.ts";
import type { AssistantMessage, ChatMessage } from "../conversations/messages.ts";

/** One event of a stream, parsed. */
export type WireEvent = { type?: string } & Record<string, unknown>;

/** What an event means for the answer. */
interface Reading {
  answer: AssistantMessage;
  /** The event carried words of the answer. */
  isText?: boolean;
  /** Nothing comes after it. */
  ended?: boolean;
}

/** How one agent's events are read. */
export interface Protocol {
  /** What `data` says, where it is not JSON: an end mark. */
  endMark?: string;
  read(answer: AssistantMessage, event: WireEvent): Reading;
  /** What an event makes the page do besides. */
  onEvent?(event: WireEvent): void;
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A request, and the namespace that its answer's citations are of. */
export type PreparedRequest = StreamRequest & { namespace?: string };

/** Makes the request that asks for the answer to a conversation. */
export type Prepare = (messages: readonly ChatMessage[], ids: { threadId: string; runId: string }) => PreparedRequest;
