import { limits } from "@agent-backends/contract";
import { MAX_RETRY_DELAY_MS, readRetryAfterMs } from "../http/retry.ts";
import type { ResponseHead } from "./http1/response-head.ts";

/** The first wait, when the provider names none; it doubles. */
const firstDelayMs = 500;

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
  const delayMs = asked ?? firstDelayMs * 2 ** (attempt - 1);
  return delayMs <= MAX_RETRY_DELAY_MS ? delayMs : undefined;
}
