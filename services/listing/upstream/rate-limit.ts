import { z } from "zod";
import type { JsonAnswer } from "./post-json.ts";

const fallbackPauseSeconds = 60;
const longestPauseSeconds = 3_600;

const limitedBody = z.object({ errors: z.array(z.object({ details: z.object({ reset_in: z.number() }) })).min(1) });

/**
 * How long to leave the site alone after an answer of it, in milliseconds; 0 when its budget is not spent.
 * The site counts the budget in `X-Rate-Limit-Remaining`, which may fall below 0, and the seconds until it is whole
 * again in `X-Rate-Limit-Reset` and in the body of a 429.
 */
export function pauseAfter({ status, headers, json }: JsonAnswer): number {
  const remaining = numberIn(headers["x-rate-limit-remaining"]);
  if (status !== 429 && (remaining === undefined || remaining > 0)) return 0;
  const seconds = numberIn(headers["x-rate-limit-reset"]) ?? resetIn(json) ?? numberIn(headers["retry-after"]);
  return Math.min(Math.max(seconds ?? fallbackPauseSeconds, 1), longestPauseSeconds) * 1000;
}

function resetIn(json: unknown): number | undefined {
  return limitedBody.safeParse(json).data?.errors[0]?.details.reset_in;
}

function numberIn(header: string | string[] | undefined): number | undefined {
  const value = Number(header);
  return header === undefined || header === "" || Number.isNaN(value) ? undefined : value;
}
