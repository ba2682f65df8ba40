import type { IncomingMessage } from "node:http";
import type { RequestRecord } from "../../observability/request-record.ts";
import { bytesPerToken, getRecord } from "../../observability/request-record.ts";
import type { BudgetHolder, TokenBudgets, TokenReservation } from "./token-budgets.ts";

/** Estimate for an image or file in base64. Models count its pixels or pages, not its bytes. */
const mediaTokens = 1_000;
const minMediaCharacters = 2_048;
const budgetsKey = Symbol("token budgets");
type Budgeted = IncomingMessage & { [budgetsKey]?: { budgets: TokenBudgets; principal: BudgetHolder } };

/** Attaches the budget of a request's key, for `reserveTokens`. */
export function rememberBudgets(request: IncomingMessage, budgets: TokenBudgets, principal: BudgetHolder): void {
  if (principal.tokensPerMinute === undefined && principal.tokensPerDay === undefined) return;
  (request as Budgeted)[budgetsKey] = { budgets, principal };
}

/**
 * Reserves the tokens of a run before the provider is asked. Returns undefined instead of a promise if the request's key has no budget.
 *
 * @param input the provider's input. Its texts are counted at any depth
 * @throws ProblemError `too-many-requests`; the promise rejects with it
 */
export function reserveTokens(
  request: IncomingMessage,
  input: unknown,
): Promise<TokenReservation | undefined> | undefined {
  const budgeted = (request as Budgeted)[budgetsKey];
  if (budgeted === undefined) return undefined;
  const inputTokens = estimateTokens(input);
  return budgeted.budgets.reserve(budgeted.principal, inputTokens, () => countSpent(getRecord(request), inputTokens));
}

/** The target of response headers, such as fastify's reply. */
export interface HeaderTarget {
  readonly raw: { readonly headersSent: boolean };
  headers(values: Record<string, string>): unknown;
}

/**
 * Runs a function within the token budget of the request's key. `reply` gets the budget's headers: the remaining tokens when the run begins
 * and, if the response hasn't been started when it ends, the remaining tokens at that time.
 *
 * @throws ProblemError `too-many-requests` before it runs
 */
export async function withTokens<Result>(
  { request, input, reply }: { request: IncomingMessage; input: unknown; reply?: HeaderTarget | undefined },
  run: () => Promise<Result>,
): Promise<Result> {
  const budget = await reserveTokens(request, input);
  if (budget) reply?.headers(budget.headers);
  try {
    return await run();
  } finally {
    const settled = budget?.settle();
    // The head of a stream has been sent by now. A complete response waits for the count, which takes a round trip to Redis.
    if (reply && !reply.raw.headersSent) reply.headers((await settled) ?? {});
  }
}

/** The provider's token count. If it didn't count the input, the estimate is used. */
function countSpent(record: RequestRecord | undefined, estimatedInput: number): number {
  const { readTokens = estimatedInput, inputTokens, outputTokens = 0, uncountedTokens = 0 } = record ?? {};
  const { failure, queueMs } = record ?? {};
  if (inputTokens !== undefined || uncountedTokens > 0) return readTokens + outputTokens + uncountedTokens;
  // If the client leaves before the answer begins, the provider has still read the input. A failed run costs nothing.
  const hasAskedModel = queueMs !== undefined;
  return hasAskedModel && failure === undefined ? readTokens : 0;
}

/** Estimates the number of tokens in the texts of a JSON value. */
export function estimateTokens(value: unknown): number {
  if (typeof value === "string") {
    const isMedia = value.length >= minMediaCharacters && !/\s/.test(value.slice(0, minMediaCharacters));
    return isMedia ? mediaTokens : Math.ceil(Buffer.byteLength(value) / bytesPerToken);
  }
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, item: unknown) => sum + estimateTokens(item), 0);
}
