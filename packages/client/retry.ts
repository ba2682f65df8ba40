/** When and how often a request is sent again. */
export interface RetryOptions {
  /** Attempts in all; 1 turns retries off. */
  maxAttempts: number;
  /** Delay before the second attempt if the service names none. It doubles with each attempt. */
  initialDelayMs: number;
  maxDelayMs: number;
  /** A service that asks for a longer wait in `Retry-After` isn't asked again. */
  maxRetryAfterMs: number;
}

export const defaultRetry: Readonly<RetryOptions> = {
  maxAttempts: 3,
  initialDelayMs: 500,
  maxDelayMs: 8_000,
  maxRetryAfterMs: 60_000,
};

/** Part of a delay that is random, so that clients refused together don't come back together. */
const jitter = 0.25;

/** @param random a number from 0 to 1 */
export function getRetryDelay(
  failures: number,
  retryAfterMs: number | undefined,
  { initialDelayMs, maxDelayMs }: RetryOptions,
  random: number,
): number {
  // The service's own time is never undercut.
  if (retryAfterMs !== undefined) return retryAfterMs * (1 + jitter * random);
  return Math.min(maxDelayMs, initialDelayMs * 2 ** (failures - 1)) * (1 - jitter * random);
}

/** Parses `Retry-After`, which holds seconds or a date. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000;
  // Date.parse takes "-5" for a day in May 2001, which would repeat the request at once.
  const date = text.endsWith(" GMT") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Resolves after `ms`. Rejects with the signal's reason when it aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
