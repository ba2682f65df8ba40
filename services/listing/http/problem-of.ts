import type { ProblemError } from "@agent-backends/contract";
import { problems } from "@agent-backends/contract";
import { ClientGoneError, ShuttingDownError, toProblem } from "@agent-backends/kit";
import { explainProviderError, ProviderError } from "@agent-backends/llm";
import { TimeframeError } from "../timeframe/error.ts";

/** The problem that a client sees for what this service throws; of unknown errors nothing is shown. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof TimeframeError) {
    return problems.invalidTimeframe(error.code === "invalid_timezone" ? "tz" : "timeframe", error);
  }
  if (error instanceof ProviderError) return problems.providerFailed(explainProviderError(error), error);
  if (error instanceof ShuttingDownError) return problems.shuttingDown();
  if (error instanceof ClientGoneError) return problems.clientGone(error);
  return toProblem(error);
}
