import type { AgUi0Event, AgUiEvent, TokenUsage } from "@agent-backends/contract";
import type { AgUiDialect, RunWarning } from "@agent-backends/kit/ag-ui";
import type { EventSink } from "@agent-backends/kit/runs";
import type { ReasoningField } from "@agent-backends/llm";
import type { Artefact } from "../artefact.ts";
import type { RunFailure } from "../failures.ts";
import { DeltaPrefixes } from "./delta-prefixes.ts";
import type { Profile, RunIdentity } from "./profile.ts";

type AnyEvent = AgUiEvent | AgUi0Event;

export interface AgUiProfileOptions {
  run: RunIdentity;
  dialect: AgUiDialect;
  sink: EventSink<AnyEvent>;
  newId(): string;
  /** Builds the `encryptedValue` for the values that the provider wants back. Undefined if they are too large to keep. */
  seal(artefact: Artefact): string | undefined;
}

/**
 * AG-UI events, in an order that its official clients accept: everything that was opened is closed before the run ends, even if it fails.
 * Text and tool calls may overlap. Reasoning ends as soon as anything else begins.
 */
export class AgUiProfile implements Profile {
  readonly #run: RunIdentity;
  readonly #dialect: AgUiDialect;
  readonly #sink: EventSink<AnyEvent>;
  readonly #newId: () => string;
  readonly #seal: (artefact: Artefact) => string | undefined;
  readonly #openCalls = new Set<string>();
  readonly #calls: string[] = [];
  readonly #prefixes: DeltaPrefixes;
  #isTextOpen = false;
  #reasoning: { id: string; field: ReasoningField | undefined } | undefined;
  #usage: TokenUsage | undefined;

  constructor({ run, dialect, sink, newId, seal }: AgUiProfileOptions) {
    this.#run = run;
    this.#dialect = dialect;
    this.#prefixes = new DeltaPrefixes(dialect.reasoningContent);
    this.#sink = sink;
    this.#newId = newId;
    this.#seal = seal;
  }

  started(): void {
    this.#sink.event(this.#dialect.started(this.#run));
  }

  warning(warning: RunWarning): void {
    this.#send(this.#dialect.warning?.(warning));
  }

  text(delta: string): void {
    this.#openText();
    this.#sink.event({ type: "TEXT_MESSAGE_CONTENT", messageId: this.#run.messageId, delta });
  }

  /** A refusal is an answer in text. AG-UI has no other event for it. */
  refusal(delta: string): void {
    this.text(delta);
  }

  reasoning(delta: string, field: ReasoningField | undefined): void {
    if (this.#reasoning === undefined) {
      this.#reasoning = { id: this.#newId(), field };
      this.#send(this.#dialect.reasoningStarted(this.#reasoning.id));
    }
    this.#sink.event({ ...this.#dialect.reasoningContent(this.#reasoning.id), delta });
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
    if (this.#reasoning === undefined) return false;
    this.#sink.eventWithLiteral(this.#prefixes.reasoning(this.#reasoning.id), bytes, start, end);
    return true;
  }

  toolCallArgumentsLiteral(toolCallId: string, bytes: Buffer, start: number, end: number): boolean {
    this.#sink.eventWithLiteral(this.#prefixes.toolCallArguments(toolCallId), bytes, start, end);
    return true;
  }

  toolCallEnded(toolCallId: string): void {
    if (this.#openCalls.delete(toolCallId)) this.#sink.event({ type: "TOOL_CALL_END", toolCallId });
  }

  toolCallExtra(toolCallId: string, extra: object): void {
    this.#sendEncryptedValue("tool-call", toolCallId, this.#seal({ extra }));
  }

  artefact(artefact: Artefact): void {
    // Without text and calls, no message could carry the value.
    if (this.#isTextOpen || this.#calls.length > 0)
      this.#sendEncryptedValue("message", this.#run.messageId, this.#seal(artefact));
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
    this.#sink.event(this.#dialect.failed(this.#run, failure, this.#usage));
  }

  #closeAll(): void {
    this.#closeReasoning();
    if (this.#isTextOpen) this.#sink.event({ type: "TEXT_MESSAGE_END", messageId: this.#run.messageId });
    this.#isTextOpen = false;
    for (const toolCallId of [...this.#openCalls]) this.toolCallEnded(toolCallId);
  }

  #closeReasoning(): void {
    if (this.#reasoning === undefined) return;
    const { id, field } = this.#reasoning;
    this.#send(this.#dialect.reasoningEnded(id, this.#seal({ reasoning: field })));
    this.#reasoning = undefined;
  }

  #sendEncryptedValue(subtype: "message" | "tool-call", entityId: string, encryptedValue: string | undefined): void {
    if (encryptedValue !== undefined) this.#send(this.#dialect.encryptedValue?.(subtype, entityId, encryptedValue));
  }

  #send(events: AnyEvent | AnyEvent[] = []): void {
    for (const event of [events].flat()) this.#sink.event(event);
  }

  #openText(): void {
    this.#closeReasoning();
    if (this.#isTextOpen) return;
    this.#isTextOpen = true;
    this.#sink.event({ type: "TEXT_MESSAGE_START", messageId: this.#run.messageId, role: "assistant" });
  }
}
