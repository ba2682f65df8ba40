import type { AgUi0Event, AgUiEvent, TokenUsage } from "@agent-backends/contract";
import type { RunFailure } from "../failures.ts";
import type { AgUiDialect } from "./ag-ui-dialects.ts";
import { DeltaPrefixes } from "./delta-prefixes.ts";
import type { EventSink, Profile, RunIdentity } from "./profile.ts";

/**
 * AG-UI, in an order that its official clients accept: everything that was opened is closed before the run ends, even when it
 * fails. Text and tool calls may overlap. Reasoning ends as soon as anything else begins.
 */
export class AgUiProfile implements Profile {
  readonly #run: RunIdentity;
  readonly #dialect: AgUiDialect;
  readonly #sink: EventSink<AgUiEvent | AgUi0Event>;
  readonly #newId: () => string;
  readonly #openCalls = new Set<string>();
  readonly #calls: string[] = [];
  readonly #prefixes: DeltaPrefixes;
  #textOpen = false;
  #reasoningId: string | undefined;
  #usage: TokenUsage | undefined;

  constructor(run: RunIdentity, dialect: AgUiDialect, sink: EventSink<AgUiEvent | AgUi0Event>, newId: () => string) {
    this.#run = run;
    this.#dialect = dialect;
    this.#prefixes = new DeltaPrefixes(dialect.reasoningContent);
    this.#sink = sink;
    this.#newId = newId;
  }

  started(): void {
    this.#sink.event(this.#dialect.started(this.#run));
  }

  text(delta: string): void {
    this.#openText();
    this.#sink.event({ type: "TEXT_MESSAGE_CONTENT", messageId: this.#run.messageId, delta });
  }

  /** A refusal is an answer in words, and AG-UI has no other event for it. */
  refusal(delta: string): void {
    this.text(delta);
  }

  reasoning(delta: string): void {
    if (this.#reasoningId === undefined) {
      this.#reasoningId = this.#newId();
      for (const event of this.#dialect.reasoningStarted(this.#reasoningId)) this.#sink.event(event);
    }
    this.#sink.event({ ...this.#dialect.reasoningContent(this.#reasoningId), delta });
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

  finished(finishReason: string | undefined): void {
    this.#closeAll();
    this.#sink.event(this.#dialect.finished(this.#run, { toolCallIds: this.#calls, finishReason, usage: this.#usage }));
  }

  failed(failure: RunFailure): void {
    this.#closeAll();
    this.#sink.event(this.#dialect.failed(failure, this.#usage));
  }

  #closeAll(): void {
    this.#closeReasoning();
    if (this.#textOpen) this.#sink.event({ type: "TEXT_MESSAGE_END", messageId: this.#run.messageId });
    this.#textOpen = false;
    for (const toolCallId of [...this.#openCalls]) this.toolCallEnded(toolCallId);
  }

  #closeReasoning(): void {
    if (this.#reasoningId === undefined) return;
    for (const event of this.#dialect.reasoningEnded(this.#reasoningId)) this.#sink.event(event);
    this.#reasoningId = undefined;
  }

  #openText(): void {
    this.#closeReasoning();
    if (this.#textOpen) return;
    this.#textOpen = true;
    this.#sink.event({ type: "TEXT_MESSAGE_START", messageId: this.#run.messageId, role: "assistant" });
  }
}
