import type { ConfettiPayload } from "@agent-backends/contract";
import type { Protocol } from "../chat/protocol.ts";
import { textOf } from "../chat/protocol.ts";
import { withToolCall } from "../conversations/messages.ts";

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
