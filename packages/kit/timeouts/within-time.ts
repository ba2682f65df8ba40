import { setTimeout as delay } from "node:timers/promises";

/** Resolves with what it waits for or, once the time is over, with undefined. Rejects as what it waits for does within that time. */
export async function withinTime<Result>(ms: number, awaited: Promise<Result>): Promise<Result | undefined> {
  const timeout = new AbortController();
  try {
    return await Promise.race([awaited, delay(ms, undefined, timeout)]);
  } finally {
    timeout.abort();
  }
}
