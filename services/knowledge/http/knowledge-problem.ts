import type { ProblemError } from "@agent-backends/contract";
import { problems } from "@agent-backends/contract";
import { toProblem } from "@agent-backends/kit";
import { explainProviderError, ProviderError } from "@agent-backends/llm";
import {
  EmbeddingMismatchError,
  isDiskFull,
  isStoreReadOnly,
  isStoreUnreachable,
  UnknownStoreError,
} from "../store/errors.ts";

/** Maps an error that this service throws to the problem that the client sees. Nothing of an unknown error is shown. */
export function toKnowledgeProblem(error: unknown): ProblemError {
  if (error instanceof ProviderError) {
    return problems.providerFailed(explainProviderError(error), error, error.retryAfterMs);
  }
  if (error instanceof EmbeddingMismatchError) return problems.conflict(error);
  if (error instanceof UnknownStoreError) return problems.unknownStore(error);
  if (isStoreUnreachable(error)) return problems.storeUnreachable(error as Error);
  if (isDiskFull(error)) return problems.diskFull(error as Error);
  if (isStoreReadOnly(error)) return problems.storeReadOnly(error as Error);
  return toProblem(error);
}
