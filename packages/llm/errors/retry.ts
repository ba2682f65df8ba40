import { setTimeout as delay } from "node:timers/promises";
import { limits } from "@agent-backends/contract";
import { ProviderError } from "./provider-error.ts";

/** The first wait, when the provider names none; it doubles. */
const FIRST_RETRY_DELAY_MS = 500;
/** A provider that asks for a longer wait than this gets no retry: the caller is told instead. */
const MAX_RETRY_DELAY_MS = 10_000;

/** Codes of connections that the provider closed while the request was on its way, e.g. idle ones. */
const brokenConnections = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/**
 * Makes an attempt, and others when it fails in a way that may pass (429, 5xx, a connection closed under the request): a
 * few, after the wait that the provider asks for. Throws the last attempt's error, or the signal's reason.
 */
export async function withRetries<Result>(signal: AbortSignal, attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const passes = error instanceof ProviderError && isPassing(error);
      const delayMs = passes ? retryDelayMs(error, count) : undefined;
      if (delayMs === undefined) throw error;
      await delay(delayMs, undefined, { signal });
    }
  }
}

/** How long to wait before another attempt, or undefined when there is none after so many, or so long a wait. `attempt` counts from 1. */
export function retryDelayMs({ retryAfterMs }: ProviderError, attempt: number): number | undefined {
  const delayMs = retryAfterMs ?? FIRST_RETRY_DELAY_MS * 2 ** (attempt - 1);
  return attempt < limits.providerAttempts && delayMs <= MAX_RETRY_DELAY_MS ? delayMs : undefined;
}

/** Whether the provider says itself that it is busy: by 429, or by 503 with the wait that it asks for. */
export function isBusy({ status, retryAfterMs }: ProviderError): boolean {
  return status === 429 || (status === 503 && retryAfterMs !== undefined);
}

/** The wait that a provider asks for: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), or OpenAI's `retry-after-ms`. */
export function readRetryAfterMs(headers: { get(name: string): string | null }, nowMs: number): number | undefined {
  const milliseconds = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return milliseconds;
  const header = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function isPassing({ kind, status, cause }: ProviderError): boolean {
  if (kind === "http_status") return status === 429 || (status !== undefined && status >= 500);
  return kind === "unreachable" && brokenConnections.has(codeOf(cause));
}

function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === "string") return code;
  return cause === undefined ? "" : codeOf(cause);
}
