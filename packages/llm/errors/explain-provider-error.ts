import type { ProviderError } from "./provider-error.ts";

/**
 * What a client of an agent is told of the provider's failure: who failed, and what helps. Its own words are quoted only where it
 * is about the request; what concerns the operator's key or credit is none of the client's business.
 */
export function explainProviderError({ kind, status, retryAfterMs, isQuoted, message }: ProviderError): string {
  const when = retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1_000)} s`;
  const quote = isQuoted ? `: ${message}` : ".";
  if (status === 401) return "The model provider rejected the API key.";
  if (status === 403) return `The model provider doesn't allow this request${quote}`;
  if (status === 402 || status === 429) {
    return `The model provider's rate limit or credit is used up; try again ${when}.`;
  }
  if (status === 503 || status === 529) return `The model provider is overloaded; try again ${when}.`;
  if (status !== undefined && status >= 500) {
    return `The model provider failed (status ${status}); try again ${when}.`;
  }
  if (!isQuoted) return message;
  return kind === "http_status"
    ? `The model provider rejected the request${quote}`
    : `The model provider failed${quote}`;
}
