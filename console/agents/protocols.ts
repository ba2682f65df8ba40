import type { Citation, ConfettiPayload } from "@agent-backends/contract";
import type { Protocol } from "../chat/protocol.ts";
import { asText } from "../chat/protocol.ts";
import { updateToolCall } from "../conversations/messages.ts";

/** The events of the Knowledge service's `/stream`, tool events included. */
export const knowledgeProtocol: Protocol = {
  read(answer, event) {
    const callId = asText(event.tool_call_id);
    switch (event.type) {
      case "text_delta":
        return { answer: { ...answer, text: answer.text + asText(event.content) }, isText: true };
      case "tool_call_start":
        return { answer: updateToolCall(answer, callId, { name: asText(event.tool_name) }) };
      case "tool_call_args":
        return { answer: updateToolCall(answer, callId, { args: JSON.stringify(event.args) }) };
      case "tool_result":
        return { answer: updateToolCall(answer, callId, { result: event.result }) };
      case "citations":
        return { answer: { ...answer, citations: (event.citations ?? []) as Citation[] } };
      case "error":
        return { answer: { ...answer, error: asText(event.message) }, hasEnded: true };
      case "done":
        return { answer, hasEnded: true };
      default:
        return { answer };
    }
  },
};

/** The events of the Listing service's `/agent`. */
export const listingProtocol: Protocol = {
  endMark: "[DONE]",
  read(answer, event) {
    const callId = asText(event.tool_call_id);
    switch (event.type) {
      case "tool_call_start": {
        const args = JSON.stringify(event.args ?? {});
        return { answer: updateToolCall(answer, callId, { name: asText(event.tool_name), args }) };
      }
      case "tool_call_result":
        return { answer: updateToolCall(answer, callId, { result: event.result }) };
      case "text_message_chunk":
        return { answer: { ...answer, text: answer.text + asText(event.content) }, isText: true };
      case "error":
        return { answer: { ...answer, error: asText(event.message) } };
      default:
        return { answer };
    }
  },
  onEvent(event) {
    const result = event.result as { action?: unknown } | undefined;
    if (event.type === "tool_call_result" && result?.action === "CONFETTI") void celebrate(result as ConfettiPayload);
  },
};

/** The relay's events, of the plain profile and of AG-UI. */
export const relayProtocol: Protocol = {
  read(answer, event) {
    const delta = asText(event.delta);
    const callId = asText(event.toolCallId);
    switch (event.type) {
      case "TEXT_MESSAGE_CONTENT":
        return { answer: { ...answer, text: answer.text + delta }, isText: true };
      case "REASONING_MESSAGE_CONTENT":
        return { answer: { ...answer, reasoning: answer.reasoning + delta } };
      case "TOOL_CALL_START":
        return { answer: updateToolCall(answer, callId, { name: asText(event.toolCallName) }) };
      case "TOOL_CALL_ARGS": {
        const args = answer.toolCalls.find(({ id }) => id === callId)?.args ?? "";
        return { answer: updateToolCall(answer, callId, { args: args + delta }) };
      }
      case "RUN_ERROR":
        return { answer: { ...answer, error: asText(event.message) || "The run failed." }, hasEnded: true };
      case "RUN_FINISHED": {
        const { outcome, metadata } = event as { outcome?: { type?: unknown }; metadata?: { message?: unknown } };
        const error =
          outcome?.type === "cancelled" ? asText(metadata?.message) || "The run was stopped." : answer.error;
        return { answer: { ...answer, error }, hasEnded: true };
      }
      default:
        return { answer };
    }
  },
};

/** Shows the confetti of a payload, unless the user prefers reduced motion. */
async function celebrate(payload: ConfettiPayload): Promise<void> {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const { default: confetti } = await import("canvas-confetti");
  const canvas = document.createElement("canvas");
  canvas.className = "confetti";
  canvas.setAttribute("aria-hidden", "true");
  document.body.append(canvas);
  // A worker would be loaded from a blob URL, which the page's content security policy forbids.
  const fire = confetti.create(canvas, { resize: true, useWorker: false });
  const { colors, particleCount, spread, startVelocity, origin, shapes, ticks } = payload;
  await fire({ colors, particleCount, spread, startVelocity, origin, shapes, ticks });
  canvas.remove();
}
