import { eventPrefix } from "@agent-backends/kit/runs";

type Kind = "text" | "reasoning" | "arguments";

const noBytes = Buffer.alloc(0);

/** The bytes of a delta's event up to its text, built once per message or tool call. */
export class DeltaPrefixes {
  readonly #reasoningContent: (messageId: string) => object;
  #kind: Kind | undefined;
  #id = "";
  #prefix: Buffer = noBytes;

  /** @param reasoningContent builds the event for a piece of reasoning, without its `delta` */
  constructor(reasoningContent: (messageId: string) => object = () => ({})) {
    this.#reasoningContent = reasoningContent;
  }

  text(messageId: string): Buffer {
    return this.#get("text", messageId);
  }

  reasoning(messageId: string): Buffer {
    return this.#get("reasoning", messageId);
  }

  toolCallArguments(toolCallId: string): Buffer {
    return this.#get("arguments", toolCallId);
  }

  #get(kind: Kind, id: string): Buffer {
    if (this.#kind !== kind || this.#id !== id) {
      this.#kind = kind;
      this.#id = id;
      this.#prefix = eventPrefix(this.#buildEvent(kind, id), "delta");
    }
    return this.#prefix;
  }

  #buildEvent(kind: Kind, id: string): object {
    if (kind === "text") return { type: "TEXT_MESSAGE_CONTENT", messageId: id };
    if (kind === "arguments") return { type: "TOOL_CALL_ARGS", toolCallId: id };
    return this.#reasoningContent(id);
  }
}
