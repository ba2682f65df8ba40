import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { ProblemError, RelayProfile, RunInput } from "@agent-backends/contract";
import { problems } from "@agent-backends/contract";
import { agUiOperations, agUiRunOperations } from "@agent-backends/contract/openapi";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { withTokens } from "../auth/index.ts";
import { addRoute } from "../fastify/add-route.ts";
import type { App } from "../fastify/app.ts";
import { streamEvents } from "../fastify/stream-events.ts";
import { withHeaders } from "../fastify/with-headers.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Logger } from "../logger.ts";
import { currentRecord, getRecord } from "../observability/index.ts";
import { logIgnored, parseInput } from "../problem.ts";
import type { ShownFailure } from "../runs/run-errors.ts";
import { buildRunError } from "../runs/run-errors.ts";
import type { Runs } from "../runs/runs.ts";
import type { RunHost } from "../runs/stored-run.ts";
import { answerStoredRun, getLastEventId, getRunAddress, streamStoredRun } from "../runs/stored-run.ts";
import { RunEndedError, streamRecordedRun } from "../runs/stream-recorded-run.ts";
import { ClientGoneError } from "../streams/ended-errors.ts";
import type { AgentEvent } from "./agent-events.ts";
import { toRunEvents } from "./agent-events.ts";
import { buildCapabilities } from "./capabilities.ts";
import type { RunEnd, RunWarning } from "./dialects.ts";
import type { AgentMessage } from "./run-input.ts";
import { findUnreadParts, parseRunInput, readConversation } from "./run-input.ts";

export interface AgentRun<Parameters> {
  request: IncomingMessage;
  input: RunInput;
  profile: RelayProfile;
  conversation: AgentMessage[];
  /** From the query, `forwardedProps` and `state`, in order of precedence. */
  parameters: Partial<Parameters>[];
}

/** Description of an agent for AG-UI clients. */
export interface AgUiAgent<Parameters extends object> {
  name: string;
  description: string;
  /** Tools that the agent runs itself. */
  tools: readonly { name: string; description: string; parameters: object }[];
  /** Whether the agent calls tools that the client offers. */
  callsClientTools: boolean;
  /** Query schema of the route: `profile`, and the agent's parameters. */
  query: z.ZodObject;
  parameters: z.ZodObject & z.ZodType<Parameters>;
  /**
   * Prepares the answer to a run.
   *
   * @throws ProblemError before the stream begins
   */
  prepare(run: AgentRun<Parameters>): (signal: AbortSignal) => AsyncIterable<AgentEvent>;
}

interface RouteOptions {
  version: string;
  heartbeatMs: number;
  /** Whether one of several providers may answer. */
  namesProvider?: boolean;
  lifecycle: Lifecycle;
  logger: Logger;
  /** Absent if runs can't be resumed. */
  runs: Runs | undefined;
  toProblemError(error: unknown): ProblemError;
}

/** Adds `POST /agui` and `GET /agui/capabilities`: an agent for AG-UI clients, in the profiles of the relay. */
export function addAgUiRoutes<Parameters extends object>(
  app: App,
  agent: AgUiAgent<Parameters>,
  options: RouteOptions,
): void {
  const { heartbeatMs, namesProvider = false, lifecycle, logger, runs, toProblemError } = options;
  const { name, description, tools, callsClientTools } = agent;
  const capabilities = buildCapabilities({
    identity: { name, description, version: options.version },
    resumable: runs !== undefined,
    tools: { items: tools, parallelCalls: false, clientProvided: callsClientTools },
    reasoning: { supported: false },
    multimodal: {
      input: { image: false, audio: false, video: false, pdf: false, file: false },
      output: { image: false, audio: false },
    },
  });
  const operations = agUiOperations(agent.query);
  addRoute(app, operations, "GET /agui/capabilities", () => capabilities);

  const host = runs && { lifecycle, logger, heartbeatMs, runs };
  if (host) addRunRoutes(app, host, agent.query);
  addRoute(app, operations, "POST /agui", {
    parsesBody: true,
    async handler(request, reply) {
      const { run, warnings } = readRun(agent, request);
      // A client that reconnects repeats its request with this header.
      if (host && getLastEventId(request.raw) !== undefined) {
        await answerRaw(reply, () => streamStoredRun(host, request.raw, reply.raw, run.input.runId));
        return;
      }
      const answer = agent.prepare(run);
      const describeFailure = (error: unknown): ShownFailure => {
        if (error instanceof RunEndedError) return error.failure;
        const { code, message } = toProblemError(error);
        if (!(error instanceof ClientGoneError)) {
          const record = currentRecord();
          if (record) record.failure ??= code;
          request.log.warn({ err: error, request_id: request.id }, "an answer failed");
        }
        return { code, message };
      };
      const onError = (error: unknown) => buildRunError(run.profile, describeFailure(error));
      const { threadId, runId, parentRunId, protocolVersion: clientVersion } = run.input;
      const ids = { threadId, runId, parentRunId, clientVersion };
      const produce = (signal: AbortSignal) =>
        toRunEvents(answer(signal), {
          run: ids,
          profile: run.profile,
          newId: randomUUID,
          warnings,
          readSpent: () => readSpent(request.raw),
          describeFailure: (error) => describeFailure(signal.aborted ? signal.reason : error),
        });
      await withTokens({ request: request.raw, input: [run.input.messages, run.input.context], reply }, async () => {
        // Clients that don't name their runs send an empty id each time, so it doesn't identify a run.
        const recording =
          runId === ""
            ? undefined
            : await runs?.begin(request.raw, runId, run.profile, getRunAddress(request.raw, runId));
        const stream = { heartbeatMs, namesProvider, lifecycle };
        if (runs && recording) {
          const { events } = runs;
          await answerRaw(reply, () => streamRecordedRun(reply.raw, recording, { ...stream, events, produce }));
        } else await streamEvents(reply, { ...stream, format: "sse", onError }, produce);
      });
    },
  });
}

/** Token usage of all provider calls for a request. */
function readSpent(request: IncomingMessage): Omit<RunEnd, "toolCallIds"> {
  const { inputTokens, outputTokens = 0, finishReason } = getRecord(request) ?? {};
  const usage = inputTokens !== undefined && { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
  return { finishReason, usage: usage || undefined };
}

/** Adds the routes of a run: `GET /agui/runs/{runId}` reads it, as does `GET /agui?runId=…` for TanStack AI's client. `DELETE` stops it. */
function addRunRoutes(app: App, host: RunHost, query: z.ZodObject): void {
  const operations = agUiRunOperations(query);
  const answer = (request: FastifyRequest<{ Params: { runId: string } }>, reply: FastifyReply) =>
    answerRaw(reply, () => answerStoredRun(host, request.raw, reply.raw, request.params.runId));
  addRoute(app, operations, "GET /agui/runs/{runId}", answer);
  addRoute(app, operations, "GET /agui", (request, reply) =>
    answerRaw(reply, () => answerStoredRun(host, request.raw, reply.raw)),
  );
  addRoute(app, operations, "DELETE /agui/runs/{runId}", answer);
}

/** Lets a framework-independent function write the response. Errors that it throws before the headers are sent are handled as usual. */
async function answerRaw(reply: FastifyReply, answer: () => Promise<void>): Promise<void> {
  withHeaders(reply.raw, reply.getHeaders());
  try {
    await answer();
  } catch (error) {
    if (!reply.raw.headersSent) throw error;
    reply.log.error({ err: error, request_id: reply.request.id }, "a stream could not be written; it is closed");
  }
  reply.hijack();
}

/** @throws ProblemError `invalid-input` */
function readRun<Parameters extends object>(
  agent: AgUiAgent<Parameters>,
  { body, query, raw, log, id }: FastifyRequest,
): { run: AgentRun<Parameters>; warnings: RunWarning[] } {
  if (body === undefined) throw problems.emptyBody();
  const { forwardedProps, state } = body as Record<string, unknown>;
  const { profile: asked, ...inQuery } = query as { profile?: RelayProfile } & Partial<Parameters>;
  const { input, profile, warnings } = parseRunInput(body, { asked, query: agent.query });
  logIgnored(log, id, input);
  const parameters = [
    inQuery as Partial<Parameters>,
    parseParameters(agent.parameters, "forwardedProps", forwardedProps),
    // An application's state has its own fields, so names that merely resemble parameters are not refused.
    parseParameters(agent.parameters, "state", pickKnown(agent.parameters, state)),
  ];
  const run = { request: raw, input, profile, conversation: readConversation(input), parameters };
  return { run, warnings: [...warnings, ...findUnreadParts(input)] };
}

/** AG-UI allows any JSON in these fields. A value other than an object has no parameters. */
function parseParameters<Parameters extends object>(
  schema: z.ZodType<Parameters>,
  field: string,
  value: unknown,
): Partial<Parameters> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return parseInput(z.object({ [field]: schema }), { [field]: value })[field] ?? {};
}

/** Looks up each known field instead of listing the value's fields: a string as state would be listed letter by letter. */
function pickKnown({ shape }: z.ZodObject, value: unknown): object {
  if (typeof value !== "object" || value === null) return {};
  const known = Object.keys(shape).filter((name) => Object.hasOwn(value, name));
  return Object.fromEntries(known.map((name) => [name, (value as Record<string, unknown>)[name]]));
}
