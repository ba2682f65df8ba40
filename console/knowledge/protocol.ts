import type { Citation } from "@agent-backends/contract";
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
