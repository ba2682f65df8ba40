import type { ServerResponse } from "node:http";
import { problems } from "@agent-backends/contract";

/** What takes long enough to be counted while it runs. */
export type Work = "stream" | "ingest" | "search" | "document";

/** How many of one kind may run at the same time. */
export interface Most {
  inAll: number;
  perKey: number;
}

/** Counts what runs, of each kind, in all and per key. */
export class Capacity {
  readonly #most: Record<Work, Most>;
  readonly #running: Record<Work, number> = { stream: 0, ingest: 0, search: 0, document: 0 };
  readonly #runningOfKey = new Map<string, number>();

  constructor(most: Record<Work, Most>) {
    this.#most = most;
  }

  /** How many run now. */
  running(work: Work): number {
    return this.#running[work];
  }

  /** @throws ProblemError `too-many-requests` when so many of one key take all of its share */
  requireShare(work: Work, running: number): void {
    const { perKey } = this.#most[work];
    if (running < perKey) return;
    throw problems.keyConcurrencyExceeded(work, perKey);
  }

  /**
   * Takes a place until the response is closed. What already runs is not touched.
   *
   * @param keyId whose place it is; undefined where there are no keys
   * @throws ProblemError `unavailable` when the process is full, `too-many-requests` when the key's share is
   */
  take(work: Work, keyId: string | undefined, response: ServerResponse): void {
    const { inAll } = this.#most[work];
    if (this.#running[work] >= inAll) {
      throw problems.concurrencyExceeded(work, inAll);
    }
    const share = keyId === undefined ? undefined : `${work} ${keyId}`;
    if (share !== undefined) this.requireShare(work, this.#runningOfKey.get(share) ?? 0);
    // Its end would not be told any more.
    if (response.closed) return;
    this.#running[work] += 1;
    if (share !== undefined) this.#runningOfKey.set(share, (this.#runningOfKey.get(share) ?? 0) + 1);
    response.once("close", () => {
      this.#running[work] -= 1;
      if (share === undefined) return;
      const left = (this.#runningOfKey.get(share) ?? 1) - 1;
      if (left > 0) this.#runningOfKey.set(share, left);
      else this.#runningOfKey.delete(share);
    });
  }
}
