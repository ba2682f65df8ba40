import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RunErrorCode } from "@agent-backends/contract";
import { problems, storedRunQuerySchema } from "@agent-backends/contract";
import { z } from "zod";
import type { Lifecycle } from "../lifecycle.ts";
import type { Logger } from "../logger.ts";
import { parseInput } from "../problem.ts";
import { StreamedBody } from "../streams/streamed-body.ts";
import { buildRunError } from "./run-errors.ts";
import type { StoredRun } from "./run-log.ts";
import { RunLogUnavailableError, RunLostError } from "./run-log.ts";
import type { Runs } from "./runs.ts";

/** The position before a run's first event, as TanStack AI's client sends it. */
const startOffset = "-1";

/** The service that stores runs: its lifecycle and its run log. */
export interface RunHost {
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  readonly heartbeatMs: number;
  readonly runs: Runs;
  /** Registers a probe that detects when the client of a half-closed connection is gone. */
  setProbe?(socket: Socket | null, probe: (() => void) | undefined): void;
}

/** The URL of a run, relative to that of the current request: a proxy may have removed a prefix from the path. */
export function getRunAddress({ url = "" }: IncomingMessage, runId: string): string {
  const [, route = ""] = /([^/?]*)(?:\?|$)/.exec(url) ?? [];
  return `${route && `${route}/`}runs/${encodeURIComponent(runId.toWellFormed())}`;
}

/** Id of the event after which a client continues reading. Clients that have no event yet may send the header without a value. */
export function getLastEventId({ headers }: IncomingMessage): string | undefined {
  return headers["last-event-id"]?.toString() || undefined;
}

/**
 * Handles the URL of a run, and that of its agent with `?runId=…` for TanStack AI's client: GET reads a run, DELETE stops it.
 *
 * @throws ProblemError `not-found`, `gone`, `unavailable`, `bad-request`, `invalid-input` or `method-not-allowed`
 */
export async function answerStoredRun(
  host: RunHost,
  request: IncomingMessage,
  response: ServerResponse,
  runId?: string,
): Promise<void> {
  const { method = "", url = "" } = request;
  if (host.lifecycle.refuse(request, response)) return;
  host.lifecycle.countRequest(response);
  const fields = Object.fromEntries(new URLSearchParams(url.split("?")[1]));
  if (method === "GET" || method === "HEAD") {
    const query = parseInput(storedRunQuerySchema, fields);
    const id = runId ?? query.runId;
    if (id === undefined) throw problems.missingRunId();
    await streamStoredRun(host, request, response, id, query.offset);
  } else if (method === "DELETE") {
    parseInput(z.object({}), fields, { isStrict: true });
    const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers;
    if (length !== "0" || encoding !== undefined) throw problems.deletionWithBody();
    await host.runs.stop(request, runId ?? "");
    response.writeHead(204).end();
  } else {
    throw problems.methodNotAllowed(method, ["GET", "HEAD", "DELETE"]);
  }
}

/**
 * Streams a run from the event after `Last-Event-ID`, or from its start. `EventSource` reconnects after the end of a run, and stops on
 * status 204.
 *
 * @param offset an event id, if there is no such header
 * @throws ProblemError `not-found`, `gone`, `unavailable` or `bad-request`
 */
export async function streamStoredRun(
  host: RunHost,
  request: IncomingMessage,
  response: ServerResponse,
  runId: string,
  offset = startOffset,
): Promise<void> {
  const run = await host.runs.find(request, runId);
  const given = getLastEventId(request) ?? offset;
  const after = given === startOffset ? 0 : Number(given);
  if (!/^(-1|\d{1,15})$/.test(given) || after > run.lastId) throw problems.invalidEventId(given, runId);
  if (run.hasEnded && after === run.lastId) {
    response.writeHead(204).end();
    return;
  }
  const body = new StreamedBody(response, {
    format: "sse",
    heartbeatMs: host.heartbeatMs,
    onError: (err) => host.logger.error({ err }, "a stream could not be written; it is closed"),
  });
  body.write("");
  if (request.method === "HEAD") body.end("");
  else await pump(host, run, body, response, after);
}

async function pump(
  host: RunHost,
  run: StoredRun,
  body: StreamedBody,
  response: ServerResponse,
  after: number,
): Promise<void> {
  const reader = run.openReader(after);
  let wake: (() => void) | undefined;
  const close = () => {
    reader.close();
    wake?.();
  };
  const { socket } = response;
  host.setProbe?.(socket, () => body.sendHeartbeat());
  body.listener = {
    onDrain: () => wake?.(),
    onClose() {
      host.setProbe?.(socket, undefined);
      close();
    },
  };
  const { graceEnded } = host.lifecycle;
  graceEnded.addEventListener("abort", close);
  if (response.destroyed || graceEnded.aborted) close();
  let last = "";
  try {
    for (let bytes = await reader.next(); bytes && !response.destroyed; bytes = await reader.next()) {
      const isFull = !body.writeBytes(bytes);
      if (isFull && !response.destroyed && !graceEnded.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } catch (error) {
    if (!(error instanceof RunLostError || error instanceof RunLogUnavailableError)) throw error;
    const code: RunErrorCode = error instanceof RunLostError ? "run_lost" : "run_log_unavailable";
    last = `data: ${JSON.stringify(buildRunError(run.profile, { code, message: error.message }))}\n\n`;
  } finally {
    graceEnded.removeEventListener("abort", close);
    reader.close();
  }
  if (!response.destroyed) body.end(last);
}
