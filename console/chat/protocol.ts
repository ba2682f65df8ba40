import type { StreamOptions } from "@agent-backends/client";
import type { AssistantMessage, ChatMessage } from "../conversations/messages.ts";
import type { StreamRequest } from "../wire/wire-log.ts";

/** A request for an answer, and the namespace that its citations refer to. */
export interface PreparedRequest extends StreamRequest {
  namespace?: string;
  open: (options: StreamOptions) => AsyncIterable<WireEvent>;
  /** Set for an agent that may keep a run after its client has disconnected. */
  keptRun?: KeptRun;
}

/** Reads a run again from its start, or ends it. */
export interface KeptRun {
  open: PreparedRequest["open"];
  stop: () => Promise<boolean>;
}

/** Builds the request for the next answer of a conversation. */
export type Prepare = (messages: readonly ChatMessage[], ids: { threadId: string; runId: string }) => PreparedRequest;

/** One parsed event of a stream. */
export type WireEvent = { type?: string } & Record<string, unknown>;

/** The effect of an event on the answer. */
export interface Reading {
  answer: AssistantMessage;
  /** Whether the event contained text of the answer. */
  isText?: boolean;
}

/** Reads the events of one agent. */
export interface Protocol {
  read(answer: AssistantMessage, event: WireEvent): Reading;
  /** Side effects of an event, such as confetti. */
  onEvent?(event: WireEvent): void;
}
