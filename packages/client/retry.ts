/** When and how often a request is sent again. */
export interface RetryOptions {
  /** Maximum attempts, including the first. 1 turns retries off. Default: 3. */
  maxAttempts: number;
  /** Delay before the second attempt if the service sends no Retry-After. Doubles on each attempt. Default: 500. */
  initialDelayMs: number;
  /** Default: 8,000. */
  maxDelayMs: number;
  /** If `Retry-After` is longer than this, the request isn't repeated. Default: 60,000. */
  maxRetryAfterMs: number;
}

export const defaultRetry: Readonly<RetryOptions> = {
  maxAttempts: 3,
  initialDelayMs: 500,
  maxDelayMs: 8_000,
  maxRetryAfterMs: 60_000,
};

/** An option that is undefined has its default too. */
export function withDefaults(retry: Partial<RetryOptions> = {}): RetryOptions {
  const given = Object.entries(retry).filter(([, value]) => value !== undefined);
  return { ...defaultRetry, ...Object.fromEntries(given) };
}

/** Random share of each delay, so that clients refused at the same time don't all retry at the same time. */
const jitter = 0.25;

/** @param random a number from 0 to 1 */
export function getRetryDelay(
  failures: number,
  retryAfterMs: number | undefined,
  { initialDelayMs, maxDelayMs }: RetryOptions,
  random: number,
): number {
  // Never wait less than the service asks for.
  if (retryAfterMs !== undefined) return retryAfterMs * (1 + jitter * random);
  return Math.min(maxDelayMs, initialDelayMs * 2 ** (failures - 1)) * (1 - jitter * random);
}

/** Parses `Retry-After`, which holds seconds or a date. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000;
  // Date.parse reads "-5" as a day in May 2001, which would repeat the request at once.
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
