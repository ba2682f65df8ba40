import { eventPrefix } from "../event-buffer.ts";

const kinds = {
  text: { type: "TEXT_MESSAGE_CONTENT", idField: "messageId" },
  reasoning: { type: "REASONING_MESSAGE_CONTENT", idField: "messageId" },
  arguments: { type: "TOOL_CALL_ARGS", idField: "toolCallId" },
} as const;

const noBytes = Buffer.alloc(0);

/** The bytes that stand before the text of a delta's event. They are made once for as long as one message or call goes on. */
export class DeltaPrefixes {
  #kind: keyof typeof kinds | undefined;
  #id = "";
  #prefix: Buffer = noBytes;

  text(messageId: string): Buffer {
    return this.#of("text", messageId);
  }

  reasoning(messageId: string): Buffer {
    return this.#of("reasoning", messageId);
  }

  toolCallArguments(toolCallId: string): Buffer {
    return this.#of("arguments", toolCallId);
  }

  #of(kind: keyof typeof kinds, id: string): Buffer {
    if (this.#kind !== kind || this.#id !== id) {
      const { type, idField } = kinds[kind];
      this.#kind = kind;
      this.#id = id;
      this.#prefix = eventPrefix({ type, [idField]: id }, "delta");
    }
    return this.#prefix;
  }
}
