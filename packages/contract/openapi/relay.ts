import { z } from "zod";
import { relayQuerySchema } from "../relay.ts";
import { runInputSchema } from "../run-input.ts";
import {
  allRead,
  describedCapabilities,
  lastEventId,
  readRunOperations,
  runEvents,
  runExamples,
  stopRunOperation,
} from "./ag-ui.ts";
import { serviceOperations } from "./common.ts";
import type { Answer, Operations } from "./operation.ts";
import { answerHeaders } from "./operation.ts";
import { relayRunEventSchema } from "./run-events.ts";

const { byPath, byQuery } = readRunOperations(relayRunEventSchema);

const answered = { ...runEvents(relayRunEventSchema), headers: answerHeaders } as const satisfies Answer;

/** Routes of runs that can be resumed and stopped, with `RUNS_URL`. */
const runOperations = {
  "GET /agent": byQuery,
  "GET /agent/runs/{runId}": byPath,
  "DELETE /agent/runs/{runId}": stopRunOperation,
} as const satisfies Operations;

/** @param keepsRuns whether runs can be resumed */
export const relayOperations = (keepsRuns: boolean): Operations => ({
  "POST /agent": {
    id: "runAgent",
    tag: "Agent",
    summary: "Run the model on a conversation",
    description:
      "`RUN_STARTED` comes first, `RUN_FINISHED` or `RUN_ERROR` last. A run input with `protocolVersion`, or the query `profile`, gets all of AG-UI.",
    access: "ask",
    query: relayQuerySchema,
    ...(keepsRuns && { headers: lastEventId }),
    body: {
      schema: runInputSchema,
      examples: runExamples,
    },
    answers: keepsRuns ? { 200: answered, 204: allRead } : { 200: answered },
    problems: keepsRuns ? ["conflict", "not-found", "gone"] : [],
  },
  "GET /agent/capabilities": {
    id: "getCapabilities",
    tag: "Agent",
    summary: "What the agent can do, as AG-UI's `AgentCapabilities`",
    ...describedCapabilities,
  },
  ...(keepsRuns ? runOperations : {}),
  ...serviceOperations({ timestamp: z.iso.datetime() }),
});
