import { eventPrefix } from "../event-buffer.ts";

type Kind = "text" | "reasoning" | "arguments";

const noBytes = Buffer.alloc(0);

/** The bytes that stand before the text of a delta's event. They are made once for as long as one message or call goes on. */
export class DeltaPrefixes {
  readonly #reasoningContent: (messageId: string) => object;
  #kind: Kind | undefined;
  #id = "";
  #prefix: Buffer = noBytes;

  /** @param reasoningContent makes the event of a delta of reasoning, without its `delta` */
  constructor(reasoningContent: (messageId: string) => object = () => ({})) {
    this.#reasoningContent = reasoningContent;
  }

  text(messageId: string): Buffer {
    return this.#of("text", messageId);
  }

  reasoning(messageId: string): Buffer {
    return this.#of("reasoning", messageId);
  }

  toolCallArguments(toolCallId: string): Buffer {
    return this.#of("arguments", toolCallId);
  }

  #of(kind: Kind, id: string): Buffer {
    if (this.#kind !== kind || this.#id !== id) {
      this.#kind = kind;
      this.#id = id;
      this.#prefix = eventPrefix(this.#event(kind, id), "delta");
    }
    return this.#prefix;
  }

  #event(kind: Kind, id: string): object {
    if (kind === "text") return { type: "TEXT_MESSAGE_CONTENT", messageId: id };
    if (kind === "arguments") return { type: "TOOL_CALL_ARGS", toolCallId: id };
    return this.#reasoningContent(id);
  }
}
