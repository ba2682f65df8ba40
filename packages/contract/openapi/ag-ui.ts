import { z } from "zod";
import { storedRunOffsetSchema, storedRunParametersSchema, storedRunQuerySchema } from "../relay.ts";
import { runInputSchema } from "../run-input.ts";
import type { Answer, Operation, Operations } from "./operation.ts";
import { answerHeaders } from "./operation.ts";
import { agentRunEventSchema } from "./run-events.ts";

export const runEvents = <Event extends z.ZodType>(event: Event) =>
  ({ description: "The run's events.", stream: { event, formats: ["sse"] } }) as const satisfies Answer;

export const runExamples = {
  message: {
    threadId: "thread-1",
    runId: "run-1",
    messages: [{ id: "message-1", role: "user", content: "Say hello." }],
  },
  "with a tool, in AG-UI": {
    threadId: "thread-1",
    runId: "run-2",
    protocolVersion: "1.1",
    messages: [{ id: "message-1", role: "user", content: "What is the weather in Oslo?" }],
    tools: [
      {
        name: "get_weather",
        description: "The weather of a city",
        parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      },
    ],
  },
};

/** Shared description of both capability routes. */
export const describedCapabilities = {
  access: "ask",
  answers: { 200: { description: "The capabilities.", json: z.looseObject({ identity: z.looseObject({}) }) } },
} as const satisfies Partial<Operation>;

export const lastEventId = { "Last-Event-ID": "The id of the last event that the client has." };
export const allRead = { description: "The run has ended, and the client has all of it." };

/** Routes that read a run, by its own path and by that of the agent. */
export const readRunOperations = <Event extends z.ZodType>(event: Event) =>
  ({
    byPath: {
      id: "readRun",
      tag: "Runs",
      summary: "Read a run from its start or from an event on",
      access: "ask",
      takes: "stream",
      parameters: storedRunParametersSchema,
      query: storedRunOffsetSchema,
      headers: lastEventId,
      answers: { 200: runEvents(event), 204: allRead },
      problems: ["gone"],
    },
    byQuery: {
      id: "resumeRun",
      tag: "Runs",
      summary: "Read a run, for clients that can't set headers",
      access: "ask",
      takes: "stream",
      query: storedRunQuerySchema,
      headers: lastEventId,
      answers: { 200: runEvents(event), 204: allRead },
      problems: ["not-found", "gone"],
    },
  }) as const satisfies Record<string, Operation>;

export const stopRunOperation = {
  id: "stopRun",
  tag: "Runs",
  summary: "Stop a run",
  access: "ask",
  parameters: storedRunParametersSchema,
  answers: { 204: { description: "The request to the provider ends, and so does the run." } },
  problems: ["gone"],
} as const satisfies Operation;

/** AG-UI routes of a service that is an agent itself. */
export const agUiOperations = <Query extends z.ZodType>(query: Query) =>
  ({
    "POST /agui": {
      id: "runAgUi",
      tag: "AG-UI",
      summary: "Run the agent on a conversation, as AG-UI",
      description:
        "`forwardedProps` and `state` may have the agent's parameters too. `RUN_STARTED` comes first, `RUN_FINISHED` or `RUN_ERROR` last. A run input with `protocolVersion`, or the query `profile`, gets all of AG-UI.",
      access: "ask",
      takes: "stream",
      query,
      body: { schema: runInputSchema, examples: { message: runExamples.message } },
      answers: { 200: { ...runEvents(agentRunEventSchema), headers: answerHeaders } },
      problems: ["no-message"],
    },
    "GET /agui/capabilities": {
      id: "getAgUiCapabilities",
      tag: "AG-UI",
      summary: "What the agent can do, as AG-UI's `AgentCapabilities`",
      ...describedCapabilities,
    },
  }) as const satisfies Operations;

/** AG-UI routes of a service whose runs can be resumed and stopped, with `RUNS_URL`. */
export function agUiRunOperations<Query extends z.ZodType>(query: Query) {
  const { "POST /agui": run } = agUiOperations(query);
  const { byPath, byQuery } = readRunOperations(agentRunEventSchema);
  return {
    "POST /agui": {
      ...run,
      headers: lastEventId,
      answers: { ...run.answers, 204: allRead },
      problems: ["no-message", "conflict", "not-found", "gone"],
    },
    "GET /agui": byQuery,
    "GET /agui/runs/{runId}": byPath,
    "DELETE /agui/runs/{runId}": stopRunOperation,
  } as const satisfies Operations;
}
