import { ClientGoneError, ProblemError, problemFrom, ShuttingDownError, unavailable } from "@agent-backends/kit";
import { explainProviderError, ProviderError } from "@agent-backends/llm";
import { TimeframeError } from "../timeframe/error.ts";

/** The problem that a client sees for what this service throws; of unknown errors nothing is shown. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof TimeframeError) {
    const pointer = error.code === "invalid_timezone" ? "/tz" : "/timeframe";
    return new ProblemError("invalid-input", error.message, { errors: [{ pointer, detail: error.message }] });
  }
  if (error instanceof ProviderError) {
    return new ProblemError("provider-failed", explainProviderError(error), { cause: error });
  }
  if (error instanceof ShuttingDownError) return unavailable(error.message);
  // Nobody is left to read it; it must only not count as a failure of the service.
  if (error instanceof ClientGoneError) return new ProblemError("bad-request", error.message, { cause: error });
  return problemFrom(error);
}
