import type { ListingAgentRequest, ListingMessage } from "@agent-backends/contract";
import { problems } from "@agent-backends/contract";

/** A message to answer, with its request. */
export interface Question extends Omit<ListingAgentRequest, "messages"> {
  message: string;
  /** The conversation before the message. */
  history: ListingMessage[];
}

/**
 * Finds the user's latest message in a request, and the conversation before it.
 *
 * @throws ProblemError `no-message`
 */
export function parseQuestion({ messages, ...request }: ListingAgentRequest): Question {
  const latest = messages.findLastIndex((message) => message.role === "user");
  const asked = messages[latest];
  if (!asked) throw problems.noUserMessage();
  if (asked.content.trim() === "") throw problems.emptyQuestion();
  return { ...request, message: asked.content, history: messages.slice(0, latest) };
}
