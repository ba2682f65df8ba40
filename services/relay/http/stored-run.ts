import type { IncomingMessage, ServerResponse } from "node:http";
import { problems } from "@agent-backends/contract";
import type { RunHost } from "@agent-backends/kit/runs";
import { answerStoredRun } from "@agent-backends/kit/runs";
import type { Relay } from "../core/relay.ts";
import { setProbe } from "./half-closed.ts";

export const getAgentMethods = ({ runs }: Relay): string[] => (runs ? ["GET", "HEAD", "POST"] : ["POST"]);

/** The relay as the routes for runs see it. Undefined if it keeps none. */
export function toRunHost({ lifecycle, logger, heartbeatMs, runs }: Relay): RunHost | undefined {
  return runs && { lifecycle, logger, heartbeatMs, runs, setProbe };
}

/**
 * Answers the address of a run or, without one, that of the agent, if the relay keeps runs.
 *
 * @throws ProblemError as `answerStoredRun` does; `not-found` or `method-not-allowed` if the relay keeps none
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
