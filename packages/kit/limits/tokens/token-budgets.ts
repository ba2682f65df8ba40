import { randomUUID } from "node:crypto";
import { limits, problems } from "@agent-backends/contract";
import type { Logger } from "../../logger.ts";
import type { TokenCounts, TokenState, TokenWindow } from "./token-counts.ts";

/** Whose tokens are counted, and how many it may spend. Undefined: no limit. */
export interface BudgetHolder {
  readonly id: string;
  readonly tokensPerMinute: number | undefined;
  readonly tokensPerDay: number | undefined;
}

/** Tokens that a run holds until it is settled. */
export interface TokenReservation {
  /**
   * The key's windows and what is left of them: draft-ietf-httpapi-ratelimit-headers. Of this run only the input is taken off, as its
   * answer may be far shorter than what is held for it.
   */
  readonly headers: Record<string, string>;
  /**
   * Replaces the estimate by what was spent. Repeated calls do nothing.
   *
   * @returns the headers afterwards; undefined for repeated calls. Where the counts can't be read they say what was left when the run
   *   began, less what it spent.
   */
  settle(spent: number): Promise<Record<string, string> | undefined>;
}

/**
 * Limits the tokens that a key spends per minute and day. A run is admitted as long as a token is left, and reserves an
 * estimate, so the last one that is admitted may overshoot.
 */
export class TokenBudgets {
  readonly #counts: TokenCounts;
  readonly #isShared: boolean;
  readonly #logger: Logger;
  #hasWarned = false;
  /** What a run of a key takes beyond its input, by the key's id: the results of searches, and the answer. */
  readonly #beyondInput = new Map<string, number>();

  /** @param options.isShared whether other processes count with this one */
  constructor(options: { counts: TokenCounts; isShared: boolean; logger: Logger }) {
    this.#counts = options.counts;
    this.#isShared = options.isShared;
    this.#logger = options.logger;
  }

  /**
   * Reserves the tokens of one run. Undefined: the key has no budget.
   *
   * @throws ProblemError `too-many-requests` when a window is used up
   */
  async reserve(principal: BudgetHolder, inputTokens: number): Promise<TokenReservation | undefined> {
    const windows = toWindows(principal);
    if (windows.length === 0) return undefined;
    this.#warnOnce();
    const beyond = this.#beyondInput.get(principal.id) ?? limits.assumedRunTokens;
    const claim = { id: randomUUID(), keyId: principal.id, windows, tokens: inputTokens + Math.ceil(beyond) };
    const before = await this.#counts.claim(claim);
    const headers = describe(windows, before, before.isAdmitted ? inputTokens : 0);
    if (!before.isAdmitted) throw refusal(windows, before, headers);
    let isSettled = false;
    return {
      headers,
      settle: async (spent) => {
        if (isSettled) return undefined;
        isSettled = true;
        // The largest of the last runs, so that concurrent ones reserve enough.
        this.#beyondInput.set(principal.id, Math.max(spent - inputTokens, beyond * 0.9, 1));
        const settlement = { ...claim, nowSeconds: before.nowSeconds, spent };
        // While the others can't be reached, the claim stays until its lease ends.
        const after = await this.#counts.settle(settlement).catch(() => undefined);
        return after ? describe(windows, after, 0) : describe(windows, before, spent);
      },
    };
  }

  #warnOnce(): void {
    if (this.#isShared || this.#hasWarned) return;
    this.#hasWarned = true;
    this.#logger.warn("token budgets are counted by this process alone: set RATE_LIMIT_URL to count them together");
  }
}

function toWindows({ tokensPerMinute, tokensPerDay }: BudgetHolder): TokenWindow[] {
  const windows: TokenWindow[] = [];
  if (tokensPerMinute !== undefined) windows.push({ name: "minute", seconds: 60, limit: tokensPerMinute });
  if (tokensPerDay !== undefined) windows.push({ name: "day", seconds: 86_400, limit: tokensPerDay });
  return windows;
}

const secondsLeft = ({ seconds }: TokenWindow, { nowSeconds }: TokenState) =>
  Math.max(1, Math.ceil(seconds - (nowSeconds % seconds)));

function describe(windows: readonly TokenWindow[], state: TokenState, reserved: number): Record<string, string> {
  const policy = windows.map(({ name, limit, seconds }) => `"tokens-per-${name}";q=${limit};w=${seconds}`);
  const left = windows.map((window, position) => {
    const remaining = Math.max(0, window.limit - (state.used[position] ?? 0) - reserved);
    return `"tokens-per-${window.name}";r=${remaining};t=${secondsLeft(window, state)}`;
  });
  return { "RateLimit-Policy": policy.join(", "), RateLimit: left.join(", ") };
}

/** The refusal names the window that stays used up for the longest time. */
function refusal(windows: readonly TokenWindow[], state: TokenState, headers: Record<string, string>) {
  const usedUp = windows.filter(({ limit }, position) => (state.used[position] ?? 0) >= limit);
  const window = usedUp.at(-1) as TokenWindow;
  return problems.tokenBudgetExceeded({ ...window, waitSeconds: secondsLeft(window, state), headers });
}
