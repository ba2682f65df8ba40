import type {
  AgUiEvent,
  ConfettiPayload,
  ContractEvent,
  ListingEvent,
  ReplyEvent,
  ToolEvent,
} from "@agent-backends/client";
import type { Protocol } from "../chat/protocol.ts";
import { updateToolCall } from "../conversations/messages.ts";
import type { AgentName } from "../routes.ts";

/** The events of the Knowledge service's `/stream`, tool events included. */
const knowledge: Protocol = {
  read(answer, event: ReplyEvent | ToolEvent) {
    switch (event.type) {
      case "text_delta":
        return { answer: { ...answer, text: answer.text + event.content }, isText: true };
      case "tool_call_start":
        return { answer: updateToolCall(answer, event.tool_call_id, { name: event.tool_name }) };
      case "tool_call_args":
        return { answer: updateToolCall(answer, event.tool_call_id, { args: JSON.stringify(event.args) }) };
      case "tool_result":
        return { answer: updateToolCall(answer, event.tool_call_id, { result: event.result }) };
      case "citations":
        return { answer: { ...answer, citations: event.citations, cutReason: event.finish_reason } };
      case "error":
        return { answer: { ...answer, error: event.message } };
      default:
        return { answer };
    }
  },
};

/** The events of the Listing service's `/agent`. */
const listing: Protocol = {
  read(answer, event: ListingEvent) {
    switch (event.type) {
      case "tool_call_start": {
        const args = JSON.stringify(event.args);
        return { answer: updateToolCall(answer, event.tool_call_id, { name: event.tool_name, args }) };
      }
      case "tool_call_result":
        return { answer: updateToolCall(answer, event.tool_call_id, { result: event.result }) };
      case "text_message_chunk":
        return { answer: { ...answer, text: answer.text + event.content }, isText: true };
      case "error":
        return { answer: { ...answer, error: event.message } };
      default:
        return { answer };
    }
  },
  onEvent(event: ListingEvent) {
    if (event.type === "tool_call_result" && event.result.action === "CONFETTI") void celebrate(event.result);
  },
};

/** The relay's events, of the plain profile and of AG-UI. */
const relay: Protocol = {
  read(answer, event: ContractEvent | AgUiEvent) {
    switch (event.type) {
      case "TEXT_MESSAGE_CONTENT":
        return { answer: { ...answer, text: answer.text + event.delta }, isText: true };
      case "REASONING_MESSAGE_CONTENT":
        return { answer: { ...answer, reasoning: answer.reasoning + event.delta } };
      case "TOOL_CALL_START":
        return { answer: updateToolCall(answer, event.toolCallId, { name: event.toolCallName }) };
      case "TOOL_CALL_ARGS": {
        const args = answer.toolCalls.find(({ id }) => id === event.toolCallId)?.args ?? "";
        return { answer: updateToolCall(answer, event.toolCallId, { args: args + event.delta }) };
      }
      case "RUN_ERROR":
        return { answer: { ...answer, error: event.message || "The run failed." } };
      case "RUN_FINISHED": {
        if (!("outcome" in event)) return { answer };
        if (event.outcome.type !== "cancelled") {
          const { finishReason } = (event.metadata ?? {}) as { finishReason?: typeof answer.cutReason };
          return { answer: { ...answer, cutReason: finishReason } };
        }
        const { message } = event.metadata as { message: string };
        return { answer: { ...answer, error: message || "The run was stopped." } };
      }
      default:
        return { answer };
    }
  },
};

export const protocols: Record<AgentName, Protocol> = { knowledge, listing, relay };

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
