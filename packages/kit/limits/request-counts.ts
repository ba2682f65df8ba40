/// <reference path="./rate-limiter-files.d.ts" />
import type { ProblemError } from "@agent-backends/contract";
import { limits, problems } from "@agent-backends/contract";
import type { RateLimiterAbstract } from "rate-limiter-flexible";
// Each from its own file: all of the package would take 45 ms of each start.
import RateLimiterMemory from "rate-limiter-flexible/lib/RateLimiterMemory.js";
import RateLimiterRedis from "rate-limiter-flexible/lib/RateLimiterRedis.js";
import RateLimiterRes from "rate-limiter-flexible/lib/RateLimiterRes.js";
import type { Redis } from "../redis/index.ts";

export type Counted = "key" | "address" | "refusals";

export interface RequestCounts {
  /** Counts one request. Returns the delay in milliseconds until the client may retry, or 0 if the request is within the limit. */
  count(counted: Counted, id: string, perMinute: number): Promise<number>;
}

const exceeded: Record<Counted, (perMinute: number, waitSeconds: number) => ProblemError> = {
  key: problems.keyRateExceeded,
  address: problems.addressRateExceeded,
  refusals: (_perMinute, waitSeconds) => problems.refusalRateExceeded(waitSeconds),
};

/**
 * Counts one request.
 *
 * @throws ProblemError `too-many-requests`, with the time until the next request is accepted
 */
export async function countRequest(
  counts: RequestCounts,
  counted: Counted,
  id: string,
  perMinute: number,
): Promise<void> {
  const waitMs = await counts.count(counted, id, perMinute);
  if (waitMs > 0) throw exceeded[counted](perMinute, Math.max(1, Math.ceil(waitMs / 1_000)));
}

const windowSeconds = 60;

/**
 * Counts in this process or, with Redis, across all processes of the same name. While Redis doesn't answer, each process counts on its own.
 */
export class WindowCounts implements RequestCounts {
  readonly #prefix: string;
  readonly #redis: Redis | undefined;
  readonly #limiters = new Map<string, RateLimiterAbstract>();

  /** @param options.redis without it, this process counts on its own */
  constructor({ name, redis }: { name: string; redis?: Redis | undefined }) {
    this.#prefix = `agent-backends:${name}`;
    this.#redis = redis;
  }

  async count(counted: Counted, id: string, perMinute: number): Promise<number> {
    try {
      await this.#getLimiter(counted, perMinute).consume(id);
      return 0;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return Math.max(1, error.msBeforeNext);
    }
  }

  // One limiter for each rate. Keys with the same rate share a limiter, which counts them separately.
  #getLimiter(counted: Counted, perMinute: number): RateLimiterAbstract {
    const name = `${counted}:${perMinute}`;
    const known = this.#limiters.get(name);
    if (known) return known;
    if (this.#limiters.size >= limits.countedKeyRates) this.#limiters.clear();
    const options = { keyPrefix: `${this.#prefix}:${name}`, points: perMinute, duration: windowSeconds };
    const memory = new RateLimiterMemory(options);
    const limiter = this.#redis
      ? new RateLimiterRedis({
          ...options,
          storeClient: this.#redis,
          rejectIfRedisNotReady: true,
          insuranceLimiter: memory,
        })
      : memory;
    this.#limiters.set(name, limiter);
    return limiter;
  }
}
