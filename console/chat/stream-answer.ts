import type { StreamRequest } from "../connections/request.ts";
import { brokenOff, openStream } from "../connections/request.ts";
import type { AssistantMessage } from "../conversations/messages.ts";
import type { WireLog } from "../wire/wire-log.ts";
import type { PreparedRequest, Protocol, WireEvent } from "./protocol.ts";

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

/**
 * Sends a request and yields the answer as it grows, once for each event.
 *
 * @param log records what travels
 * @throws ServiceError when the service refuses or can't be reached
 * @throws Error when the stream ends without saying so
 */
async function* streamAnswer(
  protocol: Protocol,
  request: StreamRequest,
  first: AssistantMessage,
  log: WireLog,
  signal: AbortSignal,
): AsyncGenerator<AssistantMessage, void, undefined> {
  let answer = first;
  const onResponse = (response: Response) =>
    log.add("response", String(response.status), response.headers.get("content-type") ?? "");
  for await (const { kind, data } of openStream(request, { signal, onResponse })) {
    if (kind === "heartbeat") {
      log.add("heartbeat", "keep-alive", data);
    } else if (data === protocol.endMark) {
      log.add("event", data, data);
      return;
    } else {
      const event = parseEvent(data);
      const reading = protocol.read(answer, event);
      const words = reading.isText ? reading.answer.text.slice(answer.text.length) : undefined;
      answer = reading.answer;
      log.add("event", event.type ?? "?", data, words);
      protocol.onEvent?.(event);
      yield answer;
      if (reading.ended) return;
    }
  }
  if (answer.error === undefined) throw brokenOff();
}

function parseEvent(data: string): WireEvent {
  try {
    const value: unknown = JSON.parse(data);
    if (typeof value === "object" && value !== null) return value as WireEvent;
  } catch {
    // Told below, as for any other value that is no object.
  }
  throw new Error(`The service sent an event that is no JSON object: ${data.slice(0, 120)}`);
}
