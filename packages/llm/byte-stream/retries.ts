import { limits } from "@agent-backends/contract";
import { FIRST_RETRY_DELAY_MS, MAX_RETRY_DELAY_MS, readRetryAfterMs } from "../errors/retry.ts";
import type { ResponseHead } from "./http1/response-head.ts";

/**
 * How long to wait before a refused request is sent again, or undefined when it is not: only for 429, and for 503 with a
 * `Retry-After`, a few times, and never for longer than someone who waits for an answer would take.
 *
 * @param attempt counts from 1
 */
export function retryDelayMs({ status, headers }: ResponseHead, attempt: number): number | undefined {
  const asked = readRetryAfterMs({ get: (name) => headers[name] ?? null }, Date.now());
  const passing = status === 429 || (status === 503 && asked !== undefined);
  if (!passing || attempt >= limits.providerAttempts) return undefined;
  const delayMs = asked ?? FIRST_RETRY_DELAY_MS * 2 ** (attempt - 1);
  return delayMs <= MAX_RETRY_DELAY_MS ? delayMs : undefined;
}
