import type { ProblemError } from "@agent-backends/contract";
import { problems } from "@agent-backends/contract";
import type { Counted, RequestCounts } from "./request-counts.ts";

/** Limits requests per minute. */
export class RateLimits {
  readonly #counts: RequestCounts;

  constructor(counts: RequestCounts) {
    this.#counts = counts;
  }

  /**
   * Counts one request.
   *
   * @throws ProblemError `too-many-requests`, with the time until the next request is accepted
   */
  async count(counted: Counted, id: string, perMinute: number): Promise<void> {
    const waitMs = await this.#counts.count(counted, id, perMinute);
    if (waitMs > 0) throw exceeded[counted](perMinute, Math.max(1, Math.ceil(waitMs / 1_000)));
  }
}

const exceeded: Record<Counted, (perMinute: number, waitSeconds: number) => ProblemError> = {
  key: problems.keyRateExceeded,
  address: problems.addressRateExceeded,
  refusals: (_perMinute, waitSeconds) => problems.refusalRateExceeded(waitSeconds),
};
