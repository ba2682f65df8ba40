import type { ProblemError } from "@agent-backends/contract";
import { limits, problems } from "@agent-backends/contract";
import type { Redis } from "ioredis";
import type { RateLimiterAbstract } from "rate-limiter-flexible";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { Logger } from "../logger.ts";

const windowSeconds = 60;
const redisTimeoutMs = 1_000;
const maxReconnectDelayMs = 5_000;

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
    const redis = options.redisUrl === undefined ? undefined : await connect(options.redisUrl, options.logger);
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

async function connect(url: string, logger: Logger): Promise<Redis> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    connectTimeout: redisTimeoutMs,
    // After the first timeout Redis counts as down, so that later requests don't wait.
    socketTimeout: redisTimeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 200, maxReconnectDelayMs),
  });
  let isDown = false;
  redis.on("error", (error: Error) => {
    if (isDown) return;
    isDown = true;
    logger.error({ err: error }, "RATE_LIMIT_URL does not answer; until it does, this process counts requests alone");
  });
  redis.on("ready", () => {
    if (isDown) logger.info("RATE_LIMIT_URL answers again");
    isDown = false;
  });
  return redis;
}
