import { limits } from "@agent-backends/contract";
import type { Redis } from "../../redis/index.ts";

/** Token limit of a key in one window. Windows start at multiples of their length (UTC). */
export interface TokenWindow {
  name: "minute" | "day";
  seconds: number;
  limit: number;
}

/** The state of a key's windows at one time. */
export interface TokenState {
  nowSeconds: number;
  /** Tokens spent or reserved in each window. */
  used: number[];
}

/** Tokens that a run of a key holds in each of the key's windows. */
export interface TokenClaim {
  id: string;
  keyId: string;
  windows: readonly TokenWindow[];
  tokens: number;
}

/** The state before a claim. */
interface ClaimedState extends TokenState {
  /** False: nothing was reserved, because a window has no token left. */
  isAdmitted: boolean;
}

/** What was spent instead, of a claim that was made at a time. */
export interface Settlement extends TokenClaim {
  nowSeconds: number;
  spent: number;
}

export interface TokenCounts {
  claim(claim: TokenClaim): Promise<ClaimedState>;
  /**
   * Replaces a claim with the tokens spent. A window that has ended meanwhile stays unchanged.
   *
   * @returns the windows afterwards; undefined if only another process knows them
   */
  settle(settlement: Settlement): Promise<TokenState | undefined>;
}

export class LocalTokenCounts implements TokenCounts {
  readonly #nowMs: () => number;
  readonly #windows = new Map<string, { number: number; used: number }>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async claim({ keyId, windows, tokens }: TokenClaim): Promise<ClaimedState> {
    const nowSeconds = this.#nowMs() / 1_000;
    const counts = windows.map((window) => this.#getCount(keyId, window, nowSeconds));
    const used = counts.map((count) => count.used);
    const isAdmitted = windows.every(({ limit }, position) => (used[position] ?? 0) < limit);
    if (isAdmitted) for (const count of counts) count.used += tokens;
    return { isAdmitted, nowSeconds, used };
  }

  async settle({ keyId, windows, tokens, nowSeconds: claimedSeconds, spent }: Settlement): Promise<TokenState> {
    const nowSeconds = this.#nowMs() / 1_000;
    const counts = windows.map((window) => this.#getCount(keyId, window, nowSeconds));
    for (const [position, { seconds }] of windows.entries()) {
      const count = counts[position];
      if (count?.number === Math.floor(claimedSeconds / seconds)) count.used += spent - tokens;
    }
    return { nowSeconds, used: counts.map((count) => count.used) };
  }

  #getCount(keyId: string, { name, seconds }: TokenWindow, nowSeconds: number) {
    const number = Math.floor(nowSeconds / seconds);
    const known = this.#windows.get(`${keyId} ${name}`);
    if (known?.number === number) return known;
    const count = { number, used: 0 };
    this.#windows.set(`${keyId} ${name}`, count);
    return count;
  }
}

/** Drops the count of an earlier window, then the claims of processes that ended without settling. */
const openWindow = `
local function open(used, leases, seconds, now)
  local window = string.format('%d', math.floor(now / seconds))
  if redis.call('HGET', used, 'window') ~= window then
    redis.call('DEL', used, leases)
    redis.call('HSET', used, 'window', window, 'tokens', 0)
    redis.call('EXPIRE', used, seconds)
  end
  for _, lease in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', now)) do
    redis.call('ZREM', leases, lease)
    redis.call('HINCRBY', used, 'tokens', -tonumber(string.match(lease, '%d+$')))
  end
end
`;

/** KEYS: for each window its count and its leases. ARGV: lease id, tokens, the lease's seconds, then each window's seconds and limit. */
const claimScript = `${openWindow}
local now = tonumber(redis.call('TIME')[1])
local result = {1, now}
for at = 1, #KEYS, 2 do
  open(KEYS[at], KEYS[at + 1], tonumber(ARGV[at + 3]), now)
  local used = tonumber(redis.call('HGET', KEYS[at], 'tokens'))
  if used >= tonumber(ARGV[at + 4]) then result[1] = 0 end
  table.insert(result, used)
end
if result[1] == 1 then
  for at = 1, #KEYS, 2 do
    redis.call('HINCRBY', KEYS[at], 'tokens', ARGV[2])
    redis.call('ZADD', KEYS[at + 1], now + tonumber(ARGV[3]), ARGV[1])
    redis.call('EXPIRE', KEYS[at + 1], ARGV[at + 3])
  end
end
return result`;

/** KEYS as above. ARGV: lease id, tokens, tokens spent, the claim's time, then each window's seconds. */
const settleScript = `${openWindow}
local now = tonumber(redis.call('TIME')[1])
local result = {now}
for at = 1, #KEYS, 2 do
  local seconds = tonumber(ARGV[4 + (at + 1) / 2])
  open(KEYS[at], KEYS[at + 1], seconds, now)
  local window = string.format('%d', math.floor(tonumber(ARGV[4]) / seconds))
  if redis.call('HGET', KEYS[at], 'window') == window then
    local held = redis.call('ZREM', KEYS[at + 1], ARGV[1]) * tonumber(ARGV[2])
    redis.call('HINCRBY', KEYS[at], 'tokens', tonumber(ARGV[3]) - held)
  end
  table.insert(result, tonumber(redis.call('HGET', KEYS[at], 'tokens')))
end
return result`;

/**
 * Counts in Redis, shared by all processes. A claim is a lease: if its process ends without settling it, its tokens become free after
 * `limits.tokenLeaseSeconds`.
 */
export class RedisTokenCounts implements TokenCounts {
  readonly #redis: Redis;
  readonly #leaseSeconds: number;

  constructor(redis: Redis, leaseSeconds: number = limits.tokenLeaseSeconds) {
    this.#redis = redis;
    this.#leaseSeconds = leaseSeconds;
  }

  async claim(claim: TokenClaim): Promise<ClaimedState> {
    const perWindow = claim.windows.flatMap(({ seconds, limit }) => [seconds, limit]);
    const [isAdmitted, nowSeconds = 0, ...used] = await this.#run(claimScript, claim, this.#leaseSeconds, ...perWindow);
    return { isAdmitted: isAdmitted === 1, nowSeconds, used };
  }

  async settle({ nowSeconds: claimedSeconds, spent, ...claim }: Settlement): Promise<TokenState> {
    const perWindow = claim.windows.map(({ seconds }) => seconds);
    const [nowSeconds = 0, ...used] = await this.#run(settleScript, claim, spent, claimedSeconds, ...perWindow);
    return { nowSeconds, used };
  }

  #run(script: string, { id, keyId, windows, tokens }: TokenClaim, ...given: number[]): Promise<number[]> {
    const keys = windows.flatMap(({ name }) => {
      // The braces keep a key's counts on one server of a cluster.
      const key = `agent-backends:tokens:{${keyId}}:${name}`;
      return [key, `${key}:leases`];
    });
    const reply = this.#redis.eval(script, keys.length, ...keys, `${id}:${tokens}`, tokens, ...given);
    return reply as Promise<number[]>;
  }
}

/** Counts together with other processes. While that fails, this process counts for itself. */
export class FallbackTokenCounts implements TokenCounts {
  readonly #shared: TokenCounts;
  readonly #local: TokenCounts;
  /** Claims of this process that the shared counts don't contain. */
  readonly #localClaims = new Set<string>();

  constructor(shared: TokenCounts, local: TokenCounts) {
    this.#shared = shared;
    this.#local = local;
  }

  async claim(claim: TokenClaim): Promise<ClaimedState> {
    try {
      return await this.#shared.claim(claim);
    } catch {
      // The connection has logged that it is down.
      const state = await this.#local.claim(claim);
      if (state.isAdmitted) this.#localClaims.add(claim.id);
      return state;
    }
  }

  settle(settlement: Settlement): Promise<TokenState | undefined> {
    return (this.#localClaims.delete(settlement.id) ? this.#local : this.#shared).settle(settlement);
  }
}
