import { limits } from "@agent-backends/contract";
import type { ProviderError } from "./provider-error.ts";

/** Initial retry delay when the provider sends no Retry-After. Doubles on each attempt. */
const initialRetryDelayMs = 500;
/** If the provider asks for a longer delay, the request fails, and the caller learns how long to wait. */
const maxRetryDelayMs = 10_000;

/** Error codes of a connection that the provider closed while the request was on its way. */
const brokenConnectionCodes = new Set(["ECONNRESET", "EPIPE"]);

/**
 * The delay before the next attempt, or undefined if there is none.
 *
 * @param attempt number of attempts made so far
 * @param maxDelayMs no retry if the delay is longer than this
 */
export function getRetryDelayMs(
  { retryAfterMs }: ProviderError,
  attempt: number,
  maxDelayMs = maxRetryDelayMs,
): number | undefined {
  const delayMs = retryAfterMs ?? initialRetryDelayMs * 2 ** (attempt - 1);
  return attempt < limits.providerAttempts && delayMs <= maxDelayMs ? delayMs : undefined;
}

/** Statuses below 500 that concern the provider, the key or the model. All others below 500 mean that the request is wrong. */
const providerStatuses = new Set([401, 402, 403, 404, 408, 429]);

/** Whether another provider may answer the same request. An invalid request would fail everywhere. */
export function mayAnswerElsewhere({ kind, status = 500, isRequestTooLarge }: ProviderError): boolean {
  if (kind !== "http_status" || isRequestTooLarge) return true;
  return status < 400 || status >= 500 || providerStatuses.has(status);
}

/** Whether the provider itself says that it is busy: 429, or 503 with a Retry-After. */
export function isBusy({ status, retryAfterMs }: ProviderError): boolean {
  return status === 429 || (status === 503 && retryAfterMs !== undefined);
}

/** Whether the same request may succeed later: 429, 5xx, or a connection that was closed during the request. */
export function isTransient({ kind, status, cause }: ProviderError): boolean {
  if (kind === "http_status") return status === 429 || (status !== undefined && status >= 500);
  return kind === "unreachable" && brokenConnectionCodes.has((cause as { code?: string } | undefined)?.code ?? "");
}

/** Parses Retry-After in seconds or as a date (RFC 9110, section 10.2.3), or OpenAI's `retry-after-ms`. */
export function parseRetryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const milliseconds = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (milliseconds >= 0) return milliseconds;
  const header = headers["retry-after"]?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(header)) return Number(header) * 1000;
  // Date.parse reads "-5" as a day in May 2001, which would repeat the request at once.
  const date = header.endsWith(" GMT") ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
