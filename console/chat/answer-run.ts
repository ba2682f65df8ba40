import type { AssistantMessage } from "../conversations/messages.ts";
import type { WireLog } from "../wire/wire-log.ts";
import type { PreparedRequest } from "./prepare.ts";
import type { Protocol } from "./protocol.ts";
import { streamAnswer } from "./stream-answer.ts";

/**
 * Streams an answer to its end, whatever that is.
 *
 * @param show called with the answer as it grows, and once more when it has its outcome
 * @returns the outcome
 */
export async function runAnswer(
  protocol: Protocol,
  request: PreparedRequest,
  first: AssistantMessage,
  { log, signal, show }: { log: WireLog; signal: AbortSignal; show: (answer: AssistantMessage) => void },
): Promise<AssistantMessage["state"]> {
  let answer = first;
  const settle = (outcome: Pick<AssistantMessage, "state" | "error">) => {
    show({ ...answer, ...outcome });
    return outcome.state;
  };
  try {
    for await (answer of streamAnswer(protocol, request, first, log, signal)) show(answer);
    return settle({ state: answer.error === undefined ? "done" : "failed" });
  } catch (reason) {
    if (signal.aborted) {
      log.add("end", "stopped", "The page closed the connection");
      return settle({ state: "stopped" });
    }
    const error = reason instanceof Error ? reason.message : String(reason);
    log.add("error", "failed", error);
    return settle({ state: "failed", error });
  }
}
