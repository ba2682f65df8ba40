import type { ContractEvent } from "@agent-backends/contract";
import type { EventSink } from "@agent-backends/kit/runs";
import type { RunFailure } from "../failures.ts";
import { DeltaPrefixes } from "./delta-prefixes.ts";
import type { Profile, RunIdentity } from "./profile.ts";

/** Exactly the events of the contract, one per delta of the provider. Everything else is left out. */
export class ContractProfile implements Profile {
  readonly #run: RunIdentity;
  readonly #sink: EventSink<ContractEvent>;
  readonly #prefixes = new DeltaPrefixes();
  #hasTextStarted = false;

  constructor(run: RunIdentity, sink: EventSink<ContractEvent>) {
    this.#run = run;
    this.#sink = sink;
  }

  started(): void {
    const { threadId, runId } = this.#run;
    this.#sink.event({ type: "RUN_STARTED", threadId, runId });
  }

  text(delta: string): void {
    this.#openText();
    this.#sink.event({ type: "TEXT_MESSAGE_CONTENT", messageId: this.#run.messageId, delta });
  }

  toolCallStarted(toolCallId: string, name: string): void {
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

  toolCallArgumentsLiteral(toolCallId: string, bytes: Buffer, start: number, end: number): boolean {
    this.#sink.eventWithLiteral(this.#prefixes.toolCallArguments(toolCallId), bytes, start, end);
    return true;
  }

  finished(): void {
    const { threadId, runId, messageId } = this.#run;
    if (this.#hasTextStarted) this.#sink.event({ type: "TEXT_MESSAGE_END", messageId });
    this.#sink.event({ type: "RUN_FINISHED", threadId, runId });
  }

  failed({ message }: RunFailure): void {
    this.#sink.event({ type: "RUN_ERROR", message });
  }

  #openText(): void {
    if (this.#hasTextStarted) return;
    this.#hasTextStarted = true;
    this.#sink.event({ type: "TEXT_MESSAGE_START", messageId: this.#run.messageId, role: "assistant" });
  }
}
