import { brokenOff, openStream } from "../connections/request.ts";
import type { AssistantMessage } from "../conversations/messages.ts";
import { parseObject } from "../json.ts";
import type { WireLog } from "../wire/wire-log.ts";
import type { PreparedRequest, Protocol, WireEvent } from "./protocol.ts";

interface Options {
  log: WireLog;
  signal: AbortSignal;
  /** Called with the answer as it grows, and once more with its final state. */
  onAnswer: (answer: AssistantMessage) => void;
}

/** Streams an answer until it is complete, has failed or was stopped. Returns its final state; never rejects. */
export async function streamAnswer(
  protocol: Protocol,
  request: PreparedRequest,
  first: AssistantMessage,
  { log, signal, onAnswer }: Options,
): Promise<AssistantMessage["state"]> {
  let answer = first;
  const settle = (outcome: Pick<AssistantMessage, "state" | "error">) => {
    onAnswer({ ...answer, ...outcome });
    return outcome.state;
  };
  try {
    for await (answer of readAnswer(protocol, request, first, log, signal)) onAnswer(answer);
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

/** Yields the answer after each event. Throws if the stream ends without its end event or an error event. */
async function* readAnswer(
  protocol: Protocol,
  request: PreparedRequest,
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
      const event: WireEvent | undefined = parseObject(data);
      if (!event) throw new Error(`The service sent an event that is no JSON object: ${data.slice(0, 120)}`);
      const reading = protocol.read(answer, event);
      const words = reading.isText ? reading.answer.text.slice(answer.text.length) : undefined;
      answer = reading.answer;
      log.add("event", event.type ?? "?", data, words);
      protocol.onEvent?.(event);
      yield answer;
      if (reading.hasEnded) return;
    }
  }
  if (answer.error === undefined) throw brokenOff();
}
