import type { ListingAgentRequest, ListingMessage } from "@agent-backends/contract";
import { ProblemError } from "@agent-backends/kit";

/** A message to answer, and what came with it. */
export interface Question extends Omit<ListingAgentRequest, "messages"> {
  message: string;
  /** What was said before it. */
  history: ListingMessage[];
}

/**
 * The user's latest message of a request, with what was said before it.
 *
 * @throws ProblemError `no-message`
 */
export function questionOf({ messages, ...request }: ListingAgentRequest): Question {
  const latest = messages.findLastIndex((message) => message.role === "user");
  const asked = messages[latest];
  if (!asked) {
    const detail = "There is no message of the role user in messages; send the user's message as one.";
    throw new ProblemError("no-message", detail);
  }
  if (asked.content.trim() === "") {
    throw new ProblemError(
      "no-message",
      "The user's latest message holds no text; send what is to be answered as its content.",
    );
  }
  return { ...request, message: asked.content, history: messages.slice(0, latest) };
}
