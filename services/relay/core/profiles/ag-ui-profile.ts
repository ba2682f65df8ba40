import type { AgUiEvent, TokenUsage } from "@agent-backends/contract";
import { agUiProtocolVersion } from "@agent-backends/contract";
import { DeltaPrefixes } from "./delta-prefixes.ts";
import type { EventSink, Profile, RunFailure, RunIdentity } from "./profile.ts";

/**
 * The whole of AG-UI 1.0, in an order that its official verifier accepts: everything that is opened is closed before the
 * run ends, also when it fails. Text and tool calls may overlap; reasoning ends where anything else begins.
 */
export class AgUiProfile implements Profile {
  readonly #run: RunIdentity;
  readonly #sink: EventSink<AgUiEvent>;
  readonly #newId: () => string;
  readonly #openCalls = new Set<string>();
  readonly #calls: string[] = [];
  readonly #prefixes = new DeltaPrefixes();
  #textOpen = false;
  #reasoningId: string | undefined;
  #usage: TokenUsage | undefined;

  constructor(run: RunIdentity, sink: EventSink<AgUiEvent>, newId: () => string) {
    this.#run = run;
    this.#sink = sink;
    this.#newId = newId;
  }

  started(): void {
    const { threadId, runId } = this.#run;
    this.#sink.event({ type: "RUN_STARTED", threadId, runId, protocolVersion: agUiProtocolVersion });
  }

  text(delta: string): void {
    this.#openText();
    this.#sink.event({ type: "TEXT_MESSAGE_CONTENT", messageId: this.#run.messageId, delta });
  }

  /** A refusal is the model's answer in words, and AG-UI has no other event for it. */
  refusal(delta: string): void {
    this.text(delta);
  }

  reasoning(delta: string): void {
    if (this.#reasoningId === undefined) {
      this.#reasoningId = this.#newId();
      this.#sink.event({ type: "REASONING_START", messageId: this.#reasoningId });
      this.#sink.event({ type: "REASONING_MESSAGE_START", messageId: this.#reasoningId, role: "reasoning" });
    }
    this.#sink.event({ type: "REASONING_MESSAGE_CONTENT", messageId: this.#reasoningId, delta });
  }

  toolCallStarted(toolCallId: string, name: string): void {
    this.#closeReasoning();
    this.#openCalls.add(toolCallId);
    this.#calls.push(toolCallId);
    const parentMessageId = this.#run.messageId;
    this.#sink.event({ type: "TOOL_CALL_START", toolCallId, toolCallName: name, parentMessageId });
  }

  toolCallArguments(toolCallId: string, delta: string): void {
    this.#sink.event({ type: "TOOL_CALL_ARGS", toolCallId, delta });
  }

  textLiteral(bytes: Buffer, start: number, end: number): boolean {
    this.#openText();
    this.#sink.eventWithLiteral(this.#prefixes.text(this.#run.messageId), bytes, start, end);
    return true;
  }

  reasoningLiteral(bytes: Buffer, start: number, end: number): boolean {
    if (this.#reasoningId === undefined) return false;
    this.#sink.eventWithLiteral(this.#prefixes.reasoning(this.#reasoningId), bytes, start, end);
    return true;
  }

  toolCallArgumentsLiteral(toolCallId: string, bytes: Buffer, start: number, end: number): boolean {
    this.#sink.eventWithLiteral(this.#prefixes.toolCallArguments(toolCallId), bytes, start, end);
    return true;
  }

  toolCallEnded(toolCallId: string): void {
    if (this.#openCalls.delete(toolCallId)) this.#sink.event({ type: "TOOL_CALL_END", toolCallId });
  }

  usage(usage: TokenUsage): void {
    this.#usage = usage;
  }

  /** AG-UI has one outcome for whatever the model ended by itself; that it was cut short is said beside it. */
  finished(reason: string | undefined): void {
    const { threadId, runId } = this.#run;
    this.#closeAll();
    const pendingToolCallIds = this.#calls.length > 0 ? { pendingToolCallIds: this.#calls } : {};
    this.#sink.event({
      type: "RUN_FINISHED",
      threadId,
      runId,
      outcome: { type: "success", ...pendingToolCallIds },
      ...((reason === "length" || reason === "content_filter") && { metadata: { finishReason: reason } }),
      ...this.#usageField(),
    });
  }

  failed({ message, code }: RunFailure): void {
    this.#closeAll();
    this.#sink.event({ type: "RUN_ERROR", message, code, ...this.#usageField() });
  }

  #usageField(): { usage?: TokenUsage[] } {
    return this.#usage ? { usage: [this.#usage] } : {};
  }

  #closeAll(): void {
    this.#closeReasoning();
    if (this.#textOpen) this.#sink.event({ type: "TEXT_MESSAGE_END", messageId: this.#run.messageId });
    this.#textOpen = false;
    for (const toolCallId of [...this.#openCalls]) this.toolCallEnded(toolCallId);
  }

  #closeReasoning(): void {
    if (this.#reasoningId === undefined) return;
    const messageId = this.#reasoningId;
    this.#reasoningId = undefined;
    this.#sink.event({ type: "REASONING_MESSAGE_END", messageId });
    this.#sink.event({ type: "REASONING_END", messageId });
  }

  #openText(): void {
    this.#closeReasoning();
    if (this.#textOpen) return;
    this.#textOpen = true;
    this.#sink.event({ type: "TEXT_MESSAGE_START", messageId: this.#run.messageId, role: "assistant" });
  }
}
