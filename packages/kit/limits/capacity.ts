import type { ServerResponse } from "node:http";
import { problems } from "@agent-backends/contract";

/** Work that takes long enough to be limited in number. */
export type Work = "stream" | "ingest" | "search" | "document";

/** How many of one kind may run at the same time. */
export interface WorkLimit {
  total: number;
  perKey: number;
}

/** Counts the running work of each kind, in total and per key. */
export class Capacity {
  readonly #limits: Record<Work, WorkLimit>;
  readonly #running: Record<Work, number> = { stream: 0, ingest: 0, search: 0, document: 0 };
  readonly #runningOfKey = new Map<string, number>();

  constructor(workLimits: Record<Work, WorkLimit>) {
    this.#limits = workLimits;
  }

  running(work: Work): number {
    return this.#running[work];
  }

  /** @throws ProblemError `too-many-requests` if so many running use up a key's share */
  requireShare(work: Work, running: number): void {
    const { perKey } = this.#limits[work];
    if (running < perKey) return;
    throw problems.keyConcurrencyExceeded(work, perKey);
  }

  /**
   * Takes a slot until the response is closed. Running work is never interrupted.
   *
   * @param keyId the key whose share it counts towards, if the service asks for keys
   * @throws ProblemError `unavailable` when the process is full, `too-many-requests` when the key's share is
   */
  take(work: Work, keyId: string | undefined, response: ServerResponse): void {
    const { total } = this.#limits[work];
    if (this.#running[work] >= total) {
      throw problems.concurrencyExceeded(work, total);
    }
    const share = keyId === undefined ? undefined : `${work} ${keyId}`;
    if (share !== undefined) this.requireShare(work, this.#runningOfKey.get(share) ?? 0);
    // It emits no more "close".
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
