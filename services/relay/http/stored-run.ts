import type { RunHost } from "@agent-backends/kit/runs";
import type { Relay } from "../core/relay.ts";
import { setProbe } from "./half-closed.ts";

export const getAgentMethods = ({ runs }: Relay): string[] => (runs ? ["GET", "HEAD", "POST"] : ["POST"]);

/** The relay as the routes for runs see it. */
export function toRunHost(relay: Relay): RunHost {
  const { lifecycle, logger, heartbeatMs } = relay;
  return {
    lifecycle,
    logger,
    heartbeatMs,
    setProbe,
    findRun: (request, runId) => relay.findRun(request, runId),
    stopRun: (request, runId) => relay.stopRun(request, runId),
  };
}
