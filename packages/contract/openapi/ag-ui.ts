import { z } from "zod";
import { agentOnlyEventSchema } from "../ag-ui-agents.ts";
import { agUiEventUses } from "../ag-ui-events.ts";
import { contractEventSchema, storedRunOffsetSchema, storedRunParametersSchema } from "../relay.ts";
import { runInputSchema } from "../run-input.ts";
import type { Answer, Operation, Operations } from "./operation.ts";
import { budgetHeaders } from "./operation.ts";

const thinkingEvents = [
  "THINKING_START",
  "THINKING_TEXT_MESSAGE_START",
  "THINKING_TEXT_MESSAGE_CONTENT",
  "THINKING_TEXT_MESSAGE_END",
  "THINKING_END",
];

const agUiEvent = z
  .looseObject({ type: z.enum([...Object.keys(agUiEventUses.sent), ...thinkingEvents]) })
  .describe("An event of AG-UI, in the profiles `ag-ui` and `ag-ui-0`.");

/** The events of a run, in any profile. */
export const runEvents = {
  description: "The run's events.",
  stream: { event: z.union([contractEventSchema, agUiEvent]), formats: ["sse"] },
} as const satisfies Answer;

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

/** What both routes for capabilities have in common. */
export const describedCapabilities = {
  access: "ask",
  answers: { 200: { description: "The capabilities.", json: z.looseObject({ identity: z.looseObject({}) }) } },
} as const satisfies Partial<Operation>;

export const lastEventId = { "Last-Event-ID": "The id of the last event that the client has." };
export const allRead = { description: "The run has ended, and the client has all of it." };

export const readRunOperation = {
  id: "readRun",
  tag: "Runs",
  summary: "Read a run from its start or from an event on",
  access: "ask",
  parameters: storedRunParametersSchema,
  query: storedRunOffsetSchema,
  headers: lastEventId,
  answers: { 200: runEvents, 204: allRead },
  problems: ["gone"],
} as const satisfies Operation;

export const stopRunOperation = {
  id: "stopRun",
  tag: "Runs",
  summary: "Stop a run",
  access: "ask",
  parameters: storedRunParametersSchema,
  answers: { 204: { description: "The request to the provider ends, and so does the run." } },
  problems: ["gone"],
} as const satisfies Operation;

/** The AG-UI routes of a service that is an agent itself. */
export const agUiOperations = <Query extends z.ZodType>(query: Query) =>
  ({
    "POST /agui": {
      id: "runAgUi",
      tag: "AG-UI",
      summary: "Run the agent on a conversation, as AG-UI",
      description:
        "`forwardedProps` and `state` may have the agent's parameters too. `RUN_STARTED` comes first, `RUN_FINISHED` or `RUN_ERROR` last. A run input with `protocolVersion`, or the query `profile`, gets all of AG-UI.",
      access: "ask",
      query,
      body: { schema: runInputSchema, examples: { message: runExamples.message } },
      answers: {
        200: {
          ...runEvents,
          headers: [...budgetHeaders, "X-LLM-Provider"],
          stream: { event: z.union([contractEventSchema, agentOnlyEventSchema, agUiEvent]), formats: ["sse"] },
        },
      },
      problems: ["no-message"],
    },
    "GET /agui/capabilities": {
      id: "getAgUiCapabilities",
      tag: "AG-UI",
      summary: "What the agent can do, as AG-UI's `AgentCapabilities`",
      ...describedCapabilities,
    },
  }) as const satisfies Operations;

/** The same for a service whose runs can be resumed and stopped, with `RUNS_URL`. */
export function agUiRunOperations<Query extends z.ZodType>(query: Query) {
  const { "POST /agui": run } = agUiOperations(query);
  return {
    "POST /agui": {
      ...run,
      headers: lastEventId,
      answers: { ...run.answers, 204: allRead },
      problems: ["no-message", "conflict", "not-found", "gone"],
    },
    "GET /agui/runs/{runId}": readRunOperation,
    "DELETE /agui/runs/{runId}": stopRunOperation,
  } as const satisfies Operations;
}
