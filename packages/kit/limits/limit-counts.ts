import type { z } from "zod";
import type { guardVariables } from "../configuration.ts";
import type { Logger } from "../logger.ts";
import type { Redis } from "../redis/index.ts";
import { connectRedis } from "../redis/index.ts";
import type { RequestCounts } from "./request-counts.ts";
import { WindowCounts } from "./request-counts.ts";
import type { Slots } from "./slots.ts";
import { LeasedSlots } from "./slots.ts";
import type { TokenCounts } from "./tokens/token-counts.ts";
import { FallbackTokenCounts, LocalTokenCounts, RedisTokenCounts } from "./tokens/token-counts.ts";

/** The counts behind the limits of clients. */
export interface LimitCounts {
  readonly requests: RequestCounts;
  readonly slots: Slots;
  readonly tokens: TokenCounts;
  /** Whether other processes share these counts. */
  readonly isShared: boolean;
  close(): void;
}

/** Opens counts in this process or, with `RATE_LIMIT_URL`, in Redis. While Redis is down, this process counts on its own. */
export async function openLimitCounts(
  { RATE_LIMIT_URL: url }: Pick<z.output<z.ZodObject<typeof guardVariables>>, "RATE_LIMIT_URL">,
  { name, logger }: { name: string; logger: Logger },
): Promise<LimitCounts> {
  const whileDown = "this process counts requests, slots and tokens alone";
  const redis = url && (await connectRedis({ url, logger, variable: "RATE_LIMIT_URL", whileDown }));
  return createLimitCounts(name, redis || undefined);
}

/** @param redis closed with the counts. Without it, this process counts on its own */
export function createLimitCounts(name: string, redis?: Redis): LimitCounts {
  const slots = new LeasedSlots({ name, redis });
  const local = new LocalTokenCounts(Date.now);
  return {
    requests: new WindowCounts({ name, redis }),
    slots,
    tokens: redis ? new FallbackTokenCounts(new RedisTokenCounts(redis), local) : local,
    isShared: redis !== undefined,
    close() {
      slots.close();
      redis?.disconnect();
    },
  };
}
