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

/** A run of a key that reserves tokens in each of the key's windows: its input, and as many as the key's recent runs took beyond theirs. */
export interface TokenClaim {
  id: string;
  keyId: string;
  windows: readonly TokenWindow[];
  inputTokens: number;
}

/** The state before a claim. */
interface ClaimedState extends TokenState {
  /** False: nothing was reserved, because a window has no token left. */
  isAdmitted: boolean;
  /** Tokens that the claim holds if it is admitted. */
  tokens: number;
}

/** What was spent instead, of a claim that was made at a time. */
export interface Settlement extends TokenClaim {
  tokens: number;
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

/** What the key's runs take beyond their input is a slowly decaying maximum, so that concurrent runs reserve enough. */
const decay = 0.9;
const beyondInputSeconds = 86_400;

export class LocalTokenCounts implements TokenCounts {
  readonly #nowMs: () => number;
  readonly #windows = new Map<string, { number: number; used: number }>();
  /** Tokens that a run of a key takes beyond its input, by key id: search results and the answer. */
  readonly #beyondInput = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async claim({ keyId, windows, inputTokens }: TokenClaim): Promise<ClaimedState> {
    const nowSeconds = this.#nowMs() / 1_000;
    const tokens = inputTokens + Math.ceil(this.#getBeyondInput(keyId));
    const counts = windows.map((window) => this.#getCount(keyId, window, nowSeconds));
    const used = counts.map((count) => count.used);
    const isAdmitted = windows.every(({ limit }, position) => (used[position] ?? 0) < limit);
    if (isAdmitted) for (const count of counts) count.used += tokens;
    return { isAdmitted, nowSeconds, used, tokens };
  }

  async settle(settlement: Settlement): Promise<TokenState> {
    const { keyId, windows, inputTokens, tokens, nowSeconds: claimedSeconds, spent } = settlement;
    const nowSeconds = this.#nowMs() / 1_000;
    this.#beyondInput.set(keyId, Math.max(spent - inputTokens, this.#getBeyondInput(keyId) * decay, 1));
    const counts = windows.map((window) => this.#getCount(keyId, window, nowSeconds));
    for (const [position, { seconds }] of windows.entries()) {
      const count = counts[position];
      if (count?.number === Math.floor(claimedSeconds / seconds)) count.used += spent - tokens;
    }
    return { nowSeconds, used: counts.map((count) => count.used) };
  }

  #getBeyondInput(keyId: string): number {
    return this.#beyondInput.get(keyId) ?? limits.assumedRunTokens;
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

/**
 * KEYS: for each window its count and its leases, then what runs take beyond their input. ARGV: lease id, tokens of the input and assumed
 * beyond it, the lease's seconds, then each window's seconds and limit.
 */
const claimScript = `${openWindow}
local now = tonumber(redis.call('TIME')[1])
local tokens = ARGV[2] + math.ceil(redis.call('GET', KEYS[#KEYS]) or ARGV[3])
local result = {1, now, tokens}
for at = 1, #KEYS - 1, 2 do
  open(KEYS[at], KEYS[at + 1], tonumber(ARGV[at + 4]), now)
  local used = tonumber(redis.call('HGET', KEYS[at], 'tokens'))
  if used >= tonumber(ARGV[at + 5]) then result[1] = 0 end
  table.insert(result, used)
end
if result[1] == 1 then
  for at = 1, #KEYS - 1, 2 do
    redis.call('HINCRBY', KEYS[at], 'tokens', tokens)
    redis.call('ZADD', KEYS[at + 1], now + tonumber(ARGV[4]), string.format('%s:%d', ARGV[1], tokens))
    redis.call('EXPIRE', KEYS[at + 1], ARGV[at + 4])
  end
end
return result`;

/** KEYS as above. ARGV: lease id, tokens of the input and assumed beyond it, held, spent, the claim's time, then each window's seconds. */
const settleScript = `${openWindow}
local now = tonumber(redis.call('TIME')[1])
local beyond = math.max(ARGV[5] - ARGV[2], (redis.call('GET', KEYS[#KEYS]) or ARGV[3]) * ${decay}, 1)
redis.call('SET', KEYS[#KEYS], beyond, 'EX', ${beyondInputSeconds})
local result = {now}
for at = 1, #KEYS - 1, 2 do
  local seconds = tonumber(ARGV[6 + (at + 1) / 2])
  open(KEYS[at], KEYS[at + 1], seconds, now)
  local window = string.format('%d', math.floor(tonumber(ARGV[6]) / seconds))
  if redis.call('HGET', KEYS[at], 'window') == window then
    local held = redis.call('ZREM', KEYS[at + 1], ARGV[1] .. ':' .. ARGV[4]) * tonumber(ARGV[4])
    redis.call('HINCRBY', KEYS[at], 'tokens', tonumber(ARGV[5]) - held)
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
    const reply = await this.#run(claimScript, claim, this.#leaseSeconds, ...perWindow);
    const [isAdmitted, nowSeconds = 0, tokens = 0, ...used] = reply;
    return { isAdmitted: isAdmitted === 1, nowSeconds, used, tokens };
  }

  async settle({ tokens, nowSeconds: claimedSeconds, spent, ...claim }: Settlement): Promise<TokenState> {
    const perWindow = claim.windows.map(({ seconds }) => seconds);
    const [nowSeconds = 0, ...used] = await this.#run(settleScript, claim, tokens, spent, claimedSeconds, ...perWindow);
    return { nowSeconds, used };
  }

  #run(script: string, { id, keyId, windows, inputTokens }: TokenClaim, ...given: number[]): Promise<number[]> {
    // The braces keep a key's counts on one server of a cluster.
    const prefix = `agent-backends:tokens:{${keyId}}`;
    const keys = windows.flatMap(({ name }) => [`${prefix}:${name}`, `${prefix}:${name}:leases`]);
    keys.push(`${prefix}:beyond-input`);
    const args = [id, inputTokens, limits.assumedRunTokens, ...given];
    return this.#redis.eval(script, keys.length, ...keys, ...args) as Promise<number[]>;
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
