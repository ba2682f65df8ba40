import { randomUUID } from "node:crypto";
import { problems } from "@agent-backends/contract";
import type { Logger } from "../../logger.ts";
import type { TokenCounts, TokenState, TokenWindow } from "./token-counts.ts";

/** The key whose tokens are counted, and its budgets. Undefined: no limit. */
export interface BudgetHolder {
  readonly id: string;
  readonly tokensPerMinute: number | undefined;
  readonly tokensPerDay: number | undefined;
}

/** Tokens reserved for a run until it is settled. */
export interface TokenReservation {
  /**
   * The key's windows and their remaining tokens: draft-ietf-httpapi-ratelimit-headers. Only the input of this run is subtracted, because
   * its answer may be far shorter than the reservation.
   */
  readonly headers: Record<string, string>;
  /**
   * Call when the run has ended, however it ended. Replaces the estimate with the tokens spent. It never rejects, and repeated calls do
   * nothing.
   *
   * @returns the headers afterwards; undefined for repeated calls. If the counts can't be read, the headers show the tokens at the start of
   *   the run minus those that it spent.
   */
  settle(): Promise<Record<string, string> | undefined>;
}

/**
 * Limits the tokens that a key spends per minute and day. A run is admitted as long as one token is left, and reserves an estimate, so the
 * last admitted run may exceed the budget.
 */
export class TokenBudgets {
  readonly #counts: TokenCounts;
  readonly #isShared: boolean;
  readonly #logger: Logger;
  #hasWarned = false;

  /** @param options.isShared whether other processes share the counts */
  constructor(options: { counts: TokenCounts; isShared: boolean; logger: Logger }) {
    this.#counts = options.counts;
    this.#isShared = options.isShared;
    this.#logger = options.logger;
  }

  /**
   * Reserves the tokens of one run. Undefined if the key has no budget.
   *
   * @param readSpent called when the run has ended
   * @throws ProblemError `too-many-requests` when a window is used up
   */
  async reserve(
    principal: BudgetHolder,
    inputTokens: number,
    readSpent: () => number,
  ): Promise<TokenReservation | undefined> {
    const windows = toWindows(principal);
    if (windows.length === 0) return undefined;
    this.#warnOnce();
    const claim = { id: randomUUID(), keyId: principal.id, windows, inputTokens };
    const before = await this.#counts.claim(claim);
    const headers = describe(windows, before, before.isAdmitted ? inputTokens : 0);
    if (!before.isAdmitted) throw refusal(windows, before, headers);
    let isSettled = false;
    return {
      headers,
      settle: async () => {
        if (isSettled) return undefined;
        isSettled = true;
        const spent = readSpent();
        const settlement = { ...claim, tokens: before.tokens, nowSeconds: before.nowSeconds, spent };
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
