import type { Protocol } from "../chat/protocol.ts";
import { textOf } from "../chat/protocol.ts";
import { withToolCall } from "../conversations/messages.ts";

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
