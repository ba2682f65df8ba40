import { explainProviderError, ProviderError } from "@agent-backends/llm";
import { EmbeddingMismatchError, UnknownStoreError } from "../store/errors.ts";

/** The error and code of an item that could be read but not stored; what nobody foresaw is reported, not shown. */
export function describeFailure(error: unknown, report: (error: unknown) => void): { error: string; code: string } {
  if (error instanceof ProviderError) return { error: explainProviderError(error), code: "provider_failed" };
  if (error instanceof EmbeddingMismatchError) return { error: error.message, code: "embedding_model_changed" };
  if (error instanceof UnknownStoreError) return { error: error.message, code: "not_stored" };
  report(error);
  return { error: "The item could not be stored; try it again.", code: "not_stored" };
}
