import { limits } from "@agent-backends/contract";
import type { Operation } from "@agent-backends/contract/openapi";
import type { Redis } from "../redis/index.ts";

/** Kinds of work whose concurrency is limited. */
export type Work = NonNullable<Operation["takes"]>;

/** One running piece of work of a key. */
export interface Slot {
  /** Unique among all processes. */
  id: string;
  work: Work;
  keyId: string;
}

/** Counts the concurrent work of each key. */
export interface Slots {
  /** Takes a slot and returns true, unless the key already has this many. */
  take(slot: Slot, perKey: number): Promise<boolean>;
  release(slot: Slot): void;
}

/** How often a slot is renewed during one lease. */
const renewalsPerLease = 3;
/** Lua can't pass more than some thousand arguments to one command. */
const maxIdsPerCommand = 1_000;

/** KEYS: the key's slots, scored by the end of their leases. ARGV: slot id, the key's maximum, lease in milliseconds. */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

/** KEYS as above. ARGV: lease in milliseconds, slot ids. Adds slots that Redis has lost, or that were taken while it was down. */
const renewScript = `
local time = redis.call('TIME')
local until_ = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
for at = 2, #ARGV do redis.call('ZADD', KEYS[1], until_, ARGV[at]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

/**
 * Counts in this process and, with Redis, across all processes of the same name. In Redis a slot is a lease: the slots of a dead process
 * become free after `limits.slotLeaseMs`. While Redis is down, each process counts on its own.
 */
export class LeasedSlots implements Slots {
  readonly #prefix: string;
  readonly #redis: Redis | undefined;
  readonly #leaseMs: number;
  readonly #renewal: NodeJS.Timeout | undefined;
  /** Ids of this process's slots, by their key in Redis. */
  readonly #localIdsByKey = new Map<string, Set<string>>();

  constructor(options: { name: string; redis?: Redis | undefined; leaseMs?: number }) {
    const { name, redis, leaseMs = limits.slotLeaseMs } = options;
    this.#prefix = `agent-backends:${name}:slots`;
    this.#redis = redis;
    this.#leaseMs = leaseMs;
    if (redis) this.#renewal = setInterval(() => this.#renew(redis), leaseMs / renewalsPerLease).unref();
  }

  async take(slot: Slot, perKey: number): Promise<boolean> {
    const key = this.#toKey(slot);
    const own = this.#localIdsByKey.get(key) ?? new Set();
    if (own.size >= perKey) return false;
    // Add the slot before Redis answers, so that concurrent requests are counted even if Redis fails.
    own.add(slot.id);
    this.#localIdsByKey.set(key, own);
    if (this.#redis === undefined) return true;
    try {
      if ((await this.#redis.eval(takeScript, 1, key, slot.id, perKey, this.#leaseMs)) === 1) return true;
      this.#forget(key, slot);
      return false;
    } catch {
      // The connection has already logged that Redis is down.
      return true;
    }
  }

  release(slot: Slot): void {
    const key = this.#toKey(slot);
    if (!this.#forget(key, slot)) return;
    // If Redis is down, the lease expires by itself.
    this.#redis?.zrem(key, slot.id).catch(() => undefined);
  }

  close(): void {
    clearInterval(this.#renewal);
  }

  #forget(key: string, { id }: Slot): boolean {
    const own = this.#localIdsByKey.get(key);
    const wasOwn = own?.delete(id) === true;
    if (own?.size === 0) this.#localIdsByKey.delete(key);
    return wasOwn;
  }

  #renew(redis: Redis): void {
    for (const [key, own] of this.#localIdsByKey) {
      const ids = [...own];
      for (let at = 0; at < ids.length; at += maxIdsPerCommand) {
        const some = ids.slice(at, at + maxIdsPerCommand);
        redis.eval(renewScript, 1, key, this.#leaseMs, ...some).catch(() => undefined);
      }
    }
  }

  /** The braces are a Redis Cluster hash tag: they keep all slots of a key on one server. */
  #toKey({ work, keyId }: Slot): string {
    return `${this.#prefix}:${work}:{${keyId}}`;
  }
}
