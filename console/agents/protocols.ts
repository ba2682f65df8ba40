import type { Citation, ConfettiPayload } from "@agent-backends/contract";
import type { Protocol } from "../chat/protocol.ts";
import { textOf } from "../chat/protocol.ts";
import { withToolCall } from "../conversations/messages.ts";

/** The events of the Knowledge service's `/stream`, tool events included. */
export const knowledgeProtocol: Protocol = {
  read(answer, event) {
    const callId = textOf(event.tool_call_id);
    switch (event.type) {
      case "text_delta":
        return { answer: { ...answer, text: answer.text + textOf(event.content) }, isText: true };
      case "tool_call_start":
        return { answer: withToolCall(answer, callId, (call) => ({ ...call, name: textOf(event.tool_name) })) };
      case "tool_call_args":
        return { answer: withToolCall(answer, callId, (call) => ({ ...call, args: JSON.stringify(event.args) })) };
      case "tool_result":
        return { answer: withToolCall(answer, callId, (call) => ({ ...call, result: event.result })) };
      case "citations":
        return { answer: { ...answer, citations: (event.citations ?? []) as Citation[] } };
      case "error":
        return { answer: { ...answer, error: textOf(event.message) }, ended: true };
      case "done":
        return { answer, ended: true };
      default:
        return { answer };
    }
  },
};

/** The frames of the Listing service's `/agent`. A payload whose action is CONFETTI is handed to `celebrate` as it comes. */
export function listingProtocol(celebrate: (payload: ConfettiPayload) => void): Protocol {
  return {
    endMark: "[DONE]",
    read(answer, event) {
      const callId = textOf(event.tool_call_id);
      switch (event.type) {
        case "tool_call_start":
          return {
            answer: withToolCall(answer, callId, (call) => ({
              ...call,
              name: textOf(event.tool_name),
              args: JSON.stringify(event.args ?? {}),
            })),
          };
        case "tool_call_result":
          return { answer: withToolCall(answer, callId, (call) => ({ ...call, result: event.result })) };
        case "text_message_chunk":
          return { answer: { ...answer, text: answer.text + textOf(event.content) }, isText: true };
        case "error":
          return { answer: { ...answer, error: textOf(event.message) } };
        default:
          return { answer };
      }
    },
    onEvent(event) {
      const result = event.result as { action?: unknown } | undefined;
      if (event.type === "tool_call_result" && result?.action === "CONFETTI") celebrate(result as ConfettiPayload);
    },
  };
}

/** The relay's events, of the plain profile and of the whole of AG-UI. */
export const relayProtocol: Protocol = {
  read(answer, event) {
    const delta = textOf(event.delta);
    const callId = textOf(event.toolCallId);
    switch (event.type) {
      case "TEXT_MESSAGE_CONTENT":
        return { answer: { ...answer, text: answer.text + delta }, isText: true };
      case "REASONING_MESSAGE_CONTENT":
        return { answer: { ...answer, reasoning: answer.reasoning + delta } };
      case "TOOL_CALL_START":
        return { answer: withToolCall(answer, callId, (call) => ({ ...call, name: textOf(event.toolCallName) })) };
      case "TOOL_CALL_ARGS":
        return { answer: withToolCall(answer, callId, (call) => ({ ...call, args: call.args + delta })) };
      case "RUN_ERROR":
        return { answer: { ...answer, error: textOf(event.message) || "The run failed." }, ended: true };
      case "RUN_FINISHED":
        return { answer, ended: true };
      default:
        return { answer };
    }
  },
};

/** Shows the confetti that a payload describes; nothing where the user wants less motion. */
export async function celebrate(payload: ConfettiPayload): Promise<void> {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const { default: confetti } = await import("canvas-confetti");
  const canvas = document.createElement("canvas");
  canvas.className = "confetti";
  canvas.setAttribute("aria-hidden", "true");
  document.body.append(canvas);
  // A worker would have to come from a blob, which the page's policy does not let run.
  const fire = confetti.create(canvas, { resize: true, useWorker: false });
  const { colors, particleCount, spread, startVelocity, origin, shapes, ticks } = payload;
  await fire({ colors, particleCount, spread, startVelocity, origin, shapes, ticks });
  canvas.remove();
}
