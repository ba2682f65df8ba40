import type { AgentRunEvent, Citation, RelayProfile } from "@agent-backends/contract";
import { citationsEventName } from "@agent-backends/contract";
import type { ShownFailure } from "../runs/run-errors.ts";
import type { AgUiDialect, RunEnd, RunIds, RunWarning } from "./dialects.ts";
import { agUi0, agUi1 } from "./dialects.ts";

/** A part of an agent's answer. */
export type AgentEvent =
  | { type: "text"; text: string }
  /** A call of one of the agent's own tools; its result follows. */
  | { type: "tool-call"; id: string; name: string; args: unknown }
  | { type: "tool-result"; id: string; result: unknown }
  /** A call of a tool that the client offers and runs itself. */
  | { type: "client-call"; name: string; args: unknown }
  | { type: "citations"; citations: Citation[] };

interface RunEventsOptions {
  run: RunIds;
  profile: RelayProfile;
  newId(): string;
  warnings: readonly RunWarning[];
  /** Returns the provider's token usage and finish reason. Called once the answer has ended. */
  readSpent(): Omit<RunEnd, "toolCallIds">;
  /** Called once, with the error that ended the answer. */
  describeFailure(error: unknown): ShownFailure;
}

/** Converts an answer to the events of a run in its profile. An error becomes the last event of the run. */
export async function* toRunEvents(
  answer: AsyncIterable<AgentEvent>,
  { run, profile, newId, warnings, readSpent, describeFailure }: RunEventsOptions,
): AsyncGenerator<AgentRunEvent, void, undefined> {
  const { threadId, runId } = run;
  const dialect: AgUiDialect | undefined = { "ag-ui": agUi1, "ag-ui-0": agUi0, contract: undefined }[profile];
  const events = new AnswerEvents(newId, dialect === undefined);
  yield dialect?.started(run) ?? { type: "RUN_STARTED", threadId, runId };
  if (dialect?.warning) for (const warning of warnings) yield dialect.warning(warning);
  try {
    for await (const event of answer) yield* events.add(event);
  } catch (error) {
    const failure = describeFailure(error);
    if (dialect) yield* events.end();
    yield dialect?.failed(run, failure, readSpent().usage) ?? { type: "RUN_ERROR", message: failure.message };
    return;
  }
  yield* events.end();
  yield dialect?.finished(run, { toolCallIds: events.calledTools, ...readSpent() }) ?? {
    type: "RUN_FINISHED",
    threadId,
    runId,
  };
}

/**
 * Converts an answer to the events between the first and the last event of a run.
 *
 * In AG-UI, an assistant message holds text and calls, the results of the calls follow it, and text after them is a new message: clients
 * send the conversation back in this order, and models accept it. Ids are new in every run, because clients treat a call with a known id as
 * the earlier call.
 *
 * The contract has one message and no results, so its clients get the text and the calls that they have to run.
 */
class AnswerEvents {
  /** Ids of the called client tools. */
  readonly calledTools: string[] = [];
  readonly #newId: () => string;
  readonly #isContract: boolean;
  readonly #callIds = new Map<string, string>();
  #messageId: string;
  #isTextOpen = false;

  constructor(newId: () => string, isContract: boolean) {
    this.#newId = newId;
    this.#isContract = isContract;
    this.#messageId = newId();
  }

  *add(event: AgentEvent): Generator<AgentRunEvent, void> {
    const messageId = this.#messageId;
    if (event.type === "text") {
      // Text after a tool call begins with a line break, which a new message doesn't need.
      const delta = this.#isTextOpen ? event.text : event.text.trimStart();
      if (delta === "") return;
      if (!this.#isTextOpen) yield { type: "TEXT_MESSAGE_START", messageId, role: "assistant" };
      this.#isTextOpen = true;
      yield { type: "TEXT_MESSAGE_CONTENT", messageId, delta };
    } else if (event.type === "client-call") {
      this.calledTools.push(yield* this.#call(event));
    } else if (this.#isContract) {
      return;
    } else if (event.type === "tool-call") {
      this.#callIds.set(event.id, yield* this.#call(event));
    } else if (event.type === "tool-result") {
      yield* this.end();
      this.#messageId = this.#newId();
      const toolCallId = this.#callIds.get(event.id) ?? event.id;
      const content = JSON.stringify(event.result);
      yield { type: "TOOL_CALL_RESULT", messageId: this.#newId(), toolCallId, content, role: "tool" };
    } else {
      yield* this.end();
      yield { type: "CUSTOM", name: citationsEventName, value: { messageId, citations: event.citations } };
    }
  }

  /** Yields the events that close the open message. */
  *end(): Generator<AgentRunEvent, void> {
    if (this.#isTextOpen) yield { type: "TEXT_MESSAGE_END", messageId: this.#messageId };
    this.#isTextOpen = false;
  }

  *#call({ name, args }: { name: string; args: unknown }): Generator<AgentRunEvent, string> {
    const toolCallId = this.#newId();
    yield { type: "TOOL_CALL_START", toolCallId, toolCallName: name, parentMessageId: this.#messageId };
    yield { type: "TOOL_CALL_ARGS", toolCallId, delta: JSON.stringify(args) };
    if (!this.#isContract) yield { type: "TOOL_CALL_END", toolCallId };
    return toolCallId;
  }
}
