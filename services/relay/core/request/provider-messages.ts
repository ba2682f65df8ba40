import type { RunContent, RunMessage } from "@agent-backends/contract";
import type { RunWarning } from "@agent-backends/kit/ag-ui";
import { joinText } from "@agent-backends/kit/ag-ui";
import type { DemandedContent, ReasoningField } from "@agent-backends/llm";
import { unknownSignature } from "@agent-backends/llm";
import type { Artefact, ModelIdentity } from "../artefact.ts";
import { openArtefact } from "../artefact.ts";
import { describePart, toProviderPart } from "./content-parts.ts";

export type ProviderMessage = { role: string } & Record<string, unknown>;

/** Optional content of a request. If a provider refuses one of these, the request is repeated without it. */
export interface SentContent {
  media: boolean;
  names: boolean;
  reasoning: boolean;
}

export interface MessageOptions {
  model: ModelIdentity;
  allowedContent: Readonly<SentContent>;
  requiredContent: Readonly<DemandedContent>;
  developerRole: "developer" | "system";
  onWarning(warning: RunWarning): void;
}

type Message<Role extends RunMessage["role"]> = Extract<RunMessage, { role: Role }>;

/** Converts the messages of a run input to those of a chat completion. */
export class ProviderMessages {
  readonly messages: ProviderMessage[] = [];
  readonly contains: SentContent = { media: false, names: false, reasoning: false };
  readonly #options: MessageOptions;
  /** The position of the current message. */
  #index = 0;
  /** Reasoning messages whose answer hasn't arrived yet. */
  #pendingReasoning: { field: ReasoningField; text: string }[] = [];
  /** Media of tool results. Only user messages can contain media, and no message may come between the results of an answer. */
  #resultMedia: object[] = [];

  constructor(messages: readonly RunMessage[], options: MessageOptions) {
    this.#options = options;
    for (const message of messages) {
      this.#add(message);
      this.#index += 1;
    }
    this.#endAnswer();
    this.#endResults();
    this.#fillReasoning();
  }

  #add(message: RunMessage): void {
    if (message.role === "activity") return;
    if (message.role === "reasoning") {
      this.#addReasoning(message);
      return;
    }
    if (message.role !== "assistant") {
      this.#endAnswer();
      if (message.encryptedValue) this.#warn("reasoning_dropped", "encryptedValue", "this message is not from a model");
    }
    if (message.role !== "tool") this.#endResults();
    this.messages.push(this.#toMessage(message));
  }

  #toMessage(message: Exclude<RunMessage, { role: "reasoning" | "activity" }>): ProviderMessage {
    switch (message.role) {
      case "assistant":
        return this.#toAnswer(message);
      case "tool":
        return { role: "tool", content: this.#toResult(message), tool_call_id: message.toolCallId };
      case "user":
        return { role: "user", content: this.#toParts(message.content), ...this.#toName(message.name) };
      case "developer":
      case "system": {
        const role = message.role === "developer" ? this.#options.developerRole : "system";
        return { role, content: this.#toText(message.content), ...this.#toName(message.name) };
      }
    }
  }

  #toAnswer({ content, toolCalls = [], encryptedValue, name }: Message<"assistant">): ProviderMessage {
    const artefact = this.#open(encryptedValue, "encryptedValue");
    const answer: ProviderMessage = {
      role: "assistant",
      content: this.#toText(content),
      ...this.#toName(name),
      ...(artefact?.extra && { extra_content: artefact.extra }),
    };
    if (toolCalls.length > 0) {
      answer.tool_calls = toolCalls.map(({ id, function: called, encryptedValue }, index) => {
        const own = this.#open(encryptedValue, `toolCalls/${index}/encryptedValue`)?.extra;
        const extra = own ?? (this.#options.requiredContent.signatures ? unknownSignature : undefined);
        const { name, arguments: args } = called;
        return { id, type: "function", function: { name, arguments: args }, ...(extra && { extra_content: extra }) };
      });
    }
    if (artefact?.details) {
      // The details repeat the text of the reasoning messages.
      this.#pendingReasoning = [];
      answer.reasoning_details = artefact.details;
    }
    addReasoningFields(answer, this.#pendingReasoning);
    this.#pendingReasoning = [];
    return answer;
  }

  #toResult({ content, error }: Message<"tool">): string {
    const parts = this.#toParts(content);
    let text = typeof parts === "string" ? parts : joinText(content);
    if (typeof parts !== "string") this.#resultMedia.push(...parts.filter((part) => !("text" in part)));
    if (error && !text.includes(error)) text = text.trim() === "" ? `Error: ${error}` : `${text}\n\nError: ${error}`;
    return text;
  }

  /** Converts content for roles that can contain only text. */
  #toText(content: RunContent): string {
    if (typeof content === "string" || content === undefined) return content ?? "";
    for (const [index, part] of content.entries()) {
      if (part.type !== "text")
        this.#warnOfPart(index, `${describePart(part)} can't be sent in a message of this role`);
    }
    return joinText(content);
  }

  /** Joins text parts unless there are media, because not every provider accepts content in parts. */
  #toParts(content: RunContent): string | object[] {
    if (typeof content === "string" || content === undefined) return content ?? "";
    const { model, allowedContent } = this.#options;
    const parts: object[] = [];
    let hasFileText = false;
    for (const [index, part] of content.entries()) {
      const sent = toProviderPart(part, model.vendor);
      if (sent === undefined) this.#warnOfPart(index, `${describePart(part)} can't be sent to the model`);
      else if ("text" in sent || allowedContent.media) parts.push(sent);
      hasFileText ||= part.type !== "text" && sent !== undefined && "text" in sent;
    }
    const texts = parts.filter((part): part is { text: string } => "text" in part);
    // Text parts may be pieces of one sentence. A file's text is separate from the question about it.
    if (texts.length === parts.length) return texts.map(({ text }) => text).join(hasFileText ? "\n\n" : "");
    this.contains.media = true;
    return parts;
  }

  /** Checks a name against OpenAI's pattern. */
  #toName(name: string | null | undefined): { name: string } | undefined {
    if (!name || !this.#options.allowedContent.names) return undefined;
    if (/^[^\s<|\\/>]{1,64}$/.test(name)) {
      this.contains.names = true;
      return { name };
    }
    this.#warn("name_dropped", "name", "a name for the model has 1 to 64 characters, and no space, <, >, |, / or \\");
    return undefined;
  }

  #addReasoning({ content = "", encryptedValue }: Message<"reasoning">): void {
    if (!encryptedValue) {
      this.#warn(
        "reasoning_dropped",
        "content",
        "without its `encryptedValue`, the relay can't know which model this reasoning is from",
      );
    }
    const field = this.#open(encryptedValue, "encryptedValue")?.reasoning;
    if (field !== undefined) this.#pendingReasoning.push({ field, text: content });
  }

  #open(value: string | null | undefined, name: string): Artefact | undefined {
    const { model, allowedContent } = this.#options;
    if (!value || !allowedContent.reasoning) return undefined;
    const artefact = openArtefact(model, value);
    if (artefact) this.contains.reasoning = true;
    else this.#warn("reasoning_dropped", name, "this is from another model, so it is not sent to this model");
    return artefact;
  }

  /** Adds reasoning that follows its answer, because text or calls came first. */
  #endAnswer(): void {
    const last = this.messages.at(-1);
    if (this.#pendingReasoning.length > 0 && last?.role === "assistant")
      addReasoningFields(last, this.#pendingReasoning);
    this.#pendingReasoning = [];
  }

  #endResults(): void {
    if (this.#resultMedia.length === 0) return;
    const content = [{ type: "text", text: "Files from the tool results above:" }, ...this.#resultMedia];
    this.messages.push({ role: "user", content });
    this.#resultMedia = [];
  }

  /** DeepSeek requires the field in every answer with tool calls, even if the model did no reasoning. */
  #fillReasoning(): void {
    const isWanted = this.messages.some(({ reasoning_content }) => reasoning_content !== undefined);
    if (!isWanted && !this.#options.requiredContent.reasoningContent) return;
    for (const message of this.messages) if (message.tool_calls) message.reasoning_content ??= "";
  }

  #warnOfPart(index: number, detail: string): void {
    this.#warn("part_dropped", `content/${index}`, detail);
  }

  #warn(code: string, field: string, detail: string): void {
    this.#options.onWarning({ code, pointer: `/messages/${this.#index}/${field}`, detail });
  }
}

function addReasoningFields(
  answer: ProviderMessage,
  thoughts: readonly { field: ReasoningField; text: string }[],
): void {
  const [first] = thoughts;
  if (first === undefined || answer.reasoning_details !== undefined) return;
  const text = thoughts.map((thought) => thought.text).join("");
  if (first.field !== "thinking") {
    answer[first.field] = `${answer[first.field] ?? ""}${text}`;
    return;
  }
  const spoken =
    typeof answer.content === "string" && answer.content !== "" ? [{ type: "text", text: answer.content }] : [];
  answer.content = [{ type: "thinking", thinking: [{ type: "text", text }] }, ...spoken];
}
