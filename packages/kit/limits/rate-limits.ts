import type { ProblemError } from "@agent-backends/contract";
import { limits, problems } from "@agent-backends/contract";
import type { RateLimiterAbstract } from "rate-limiter-flexible";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { Logger } from "../logger.ts";
import type { Redis } from "../redis/index.ts";
import { connectRedis } from "../redis/index.ts";

const windowSeconds = 60;
const whileDown = "this process counts requests alone";

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

  private constructor(prefix: string, redis: Redis | undefined) {
    this.#prefix = prefix;
    this.#redis = redis;
  }

  /** @param options.redisUrl `redis://…` or `rediss://…`. Without it, this process counts alone */
  static async open(options: { name: string; redisUrl?: string | undefined; logger: Logger }): Promise<RateLimits> {
    const { redisUrl: url, logger } = options;
    const redis =
      url === undefined ? undefined : await connectRedis({ url, logger, variable: "RATE_LIMIT_URL", whileDown });
    return new RateLimits(`agent-backends:${options.name}`, redis);
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

  close(): void {
    this.#redis?.disconnect();
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
