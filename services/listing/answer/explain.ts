import { ClientGoneError, ShuttingDownError } from "@agent-backends/kit";
import { explainProviderError, ProviderError } from "@agent-backends/llm";

/**
 * Makes the sentence that a client may see for an error: the provider's failures and the service's own end speak for themselves,
 * anything else is unexpected, so it goes to the log alone.
 */
export function explainWith(log: (error: unknown, message: string) => void) {
  return (thrown: unknown, signal: AbortSignal): string => {
    const error = signal.aborted ? signal.reason : thrown;
    if (error instanceof ShuttingDownError || error instanceof ClientGoneError) return error.message;
    log(error, "An answer failed.");
    if (error instanceof ProviderError) return explainProviderError(error);
    return "The service failed on this answer. Please try again.";
  };
}
