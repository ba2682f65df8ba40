import { RunError } from "@agent-backends/client";
import { explainError } from "../connections/clients.ts";
import type { AssistantMessage } from "../conversations/messages.ts";
import type { WireLog } from "../wire/wire-log.ts";
import type { PreparedRequest, Protocol } from "./protocol.ts";

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
      // Without a reader, the agent would continue.
      if (answer.isKept)
        await request.keptRun?.stop().catch((error) => log.add("error", "failed", explainError(error).message));
      return settle({ state: "stopped" });
    }
    // The previous event has already reported the error.
    if (reason instanceof RunError) return settle({ state: "failed", error: answer.error ?? reason.message });
    const { message: error } = explainError(reason);
    log.add("error", "failed", error);
    return settle({ state: "failed", error });
  }
}

/** Yields the answer after each event, and records the events. */
async function* readAnswer(
  protocol: Protocol,
  { open }: PreparedRequest,
  first: AssistantMessage,
  log: WireLog,
  signal: AbortSignal,
): AsyncGenerator<AssistantMessage, void, undefined> {
  let answer = first;
  /** The data of the frame whose event has not arrived yet. */
  let raw: string | undefined;
  const events = open({
    signal,
    onResponse: ({ status, headers }) => log.add("response", String(status), headers.get("content-type") ?? ""),
    onFrame: ({ kind, data, id }) => {
      // Only events of kept runs have ids.
      if (id !== undefined && !answer.isKept) answer = { ...answer, isKept: true };
      if (kind === "heartbeat") log.add("heartbeat", "keep-alive", data);
      else raw = data;
    },
  });
  for await (const event of events) {
    const reading = protocol.read(answer, event);
    const words = reading.isText ? reading.answer.text.slice(answer.text.length) : undefined;
    answer = reading.answer;
    log.add("event", event.type ?? "?", raw ?? "", words);
    raw = undefined;
    protocol.onEvent?.(event);
    yield answer;
  }
  // The last data isn't an event, but marks the end.
  if (raw !== undefined) log.add("event", raw, raw);
}
