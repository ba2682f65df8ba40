import type { ProblemError } from "@agent-backends/contract";
import { limits, problems } from "@agent-backends/contract";
import type { RateLimiterAbstract } from "rate-limiter-flexible";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { Redis } from "../redis/index.ts";

const windowSeconds = 60;

/** What is counted. */
export type Counted = "key" | "address" | "refusals";

/**
 * Counts requests per minute, in this process or, with Redis, together for all processes of the same name. While Redis doesn't
 * answer, each process counts for itself.
 */
export class RateLimits {
  readonly #prefix: string;
  readonly #redis: Redis | undefined;
  readonly #limiters = new Map<string, RateLimiterAbstract>();

  /** @param options.redis without it, this process counts alone */
  constructor({ name, redis }: { name: string; redis?: Redis | undefined }) {
    this.#prefix = `agent-backends:${name}`;
    this.#redis = redis;
  }

  /**
   * Counts one request.
   *
   * @throws ProblemError `too-many-requests`, with the time until the next request is accepted
   */
  async count(counted: Counted, id: string, perMinute: number): Promise<void> {
    try {
      await this.#getLimiter(counted, perMinute).consume(id);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1_000));
      throw exceeded[counted](perMinute, seconds);
    }
  }

  // One limiter for each rate. Keys with the same rate share a limiter, which counts them separately.
  #getLimiter(counted: Counted, perMinute: number): RateLimiterAbstract {
    const name = `${counted}:${perMinute}`;
    const known = this.#limiters.get(name);
    if (known) return known;
    if (this.#limiters.size >= limits.ratesAtOnce) this.#limiters.clear();
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

const exceeded: Record<Counted, (perMinute: number, waitSeconds: number) => ProblemError> = {
  key: problems.keyRateExceeded,
  address: problems.addressRateExceeded,
  refusals: (_perMinute, waitSeconds) => problems.refusalRateExceeded(waitSeconds),
};
