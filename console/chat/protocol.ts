import type { StreamRequest } from "../connections/request.ts";
import type { AssistantMessage, ChatMessage } from "../conversations/messages.ts";

/** A request for an answer, and the namespace that its citations refer to. */
export type PreparedRequest = StreamRequest & { namespace?: string };

/** Builds the request for the next answer of a conversation. */
export type Prepare = (messages: readonly ChatMessage[], ids: { threadId: string; runId: string }) => PreparedRequest;

/** One parsed event of a stream. */
export type WireEvent = { type?: string } & Record<string, unknown>;

/** The effect of an event on the answer. */
export interface Reading {
  answer: AssistantMessage;
  /** The event carried text of the answer. */
  isText?: boolean;
  /** It was the last event. */
  hasEnded?: boolean;
}

/** How the events of one agent are read. */
export interface Protocol {
  /** Data that is not JSON but marks the end of the stream. */
  endMark?: string;
  read(answer: AssistantMessage, event: WireEvent): Reading;
  /** Side effects of an event, such as confetti. */
  onEvent?(event: WireEvent): void;
}

export const asText = (value: unknown): string => (typeof value === "string" ? value : "");
