import type { IncomingMessage, ServerResponse } from "node:http";
import { problems } from "@agent-backends/contract";
import type { RunHost } from "@agent-backends/kit/runs";
import { answerStoredRun } from "@agent-backends/kit/runs";
import type { Relay } from "../core/relay.ts";
import { setProbe } from "./half-closed.ts";

export const getAgentMethods = ({ runs }: Relay): string[] => (runs ? ["GET", "HEAD", "POST"] : ["POST"]);

/** Adapts the relay to the routes for runs. Undefined if the relay stores no runs. */
export function toRunHost({ lifecycle, logger, heartbeatMs, runs }: Relay): RunHost | undefined {
  return runs && { lifecycle, logger, heartbeatMs, runs, setProbe };
}

/**
 * Handles the path of a run or, without a run id, that of the agent, if the relay stores runs.
 *
 * @throws ProblemError like `answerStoredRun`; `not-found` or `method-not-allowed` if the relay stores no runs
 */
export async function answerRunRequest(
  relay: Relay,
  request: IncomingMessage,
  response: ServerResponse,
  runId?: string,
): Promise<void> {
  const host = toRunHost(relay);
  if (host) await answerStoredRun(host, request, response, runId);
  else if (runId === undefined) throw problems.methodNotAllowed(request.method ?? "", getAgentMethods(relay));
  else throw problems.runsNotKept();
}
