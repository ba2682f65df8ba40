import { ClientGoneError, ProblemError, problemFrom, ShuttingDownError, unavailable } from "@agent-backends/kit";
import { explainProviderError, ProviderError } from "@agent-backends/llm";
import { TooManyJobsError } from "../jobs/ingest-jobs.ts";
import { EmbeddingMismatchError, UnknownStoreError } from "../store/knowledge-store.ts";

/** The problem that a client sees for what this service throws; of unknown errors nothing is shown. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProviderError) return problemOfProvider(error);
  if (error instanceof EmbeddingMismatchError) return new ProblemError("conflict", error.message, { cause: error });
  if (error instanceof UnknownStoreError) return new ProblemError("unavailable", error.message, { cause: error });
  if (error instanceof TooManyJobsError) return unavailable(error.message);
  if (error instanceof ShuttingDownError) return unavailable(error.message);
  // Nobody is left to read it; it must only not count as a failure of the service.
  if (error instanceof ClientGoneError) return new ProblemError("bad-request", error.message, { cause: error });
  return problemFrom(error);
}

function problemOfProvider(error: ProviderError): ProblemError {
  const headers =
    error.retryAfterMs === undefined ? undefined : { "Retry-After": String(Math.ceil(error.retryAfterMs / 1_000)) };
  return new ProblemError("provider-failed", explainProviderError(error), {
    cause: error,
    ...(headers && { headers }),
  });
}
