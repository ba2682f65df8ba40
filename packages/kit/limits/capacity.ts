import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { problems } from "@agent-backends/contract";
import type { Slots, Work } from "./slots.ts";

/** Maximum number of concurrent tasks of one kind. */
export interface WorkLimit {
  total: number;
  perKey: number;
}

/**
 * Limits the running work of each kind, in total and per key. The totals protect this process. The counts per key may be shared with other
 * processes.
 */
export class Capacity {
  readonly #limits: Record<Work, WorkLimit>;
  readonly #slots: Slots;
  readonly #workers: number;
  readonly #running: Record<Work, number> = { stream: 0, ingest: 0, search: 0, document: 0 };
  readonly #id = randomUUID();
  #slotsTaken = 0;

  /** @param options.workers number of processes that share the totals evenly */
  constructor(workLimits: Record<Work, WorkLimit>, { slots, workers }: { slots: Slots; workers: number }) {
    this.#limits = workLimits;
    this.#slots = slots;
    this.#workers = workers;
  }

  running(work: Work): number {
    return this.#running[work];
  }

  /** @throws ProblemError `too-many-requests` if this much running work uses up a key's share */
  requireShare(work: Work, running: number): void {
    const { perKey } = this.#limits[work];
    if (running >= perKey) throw problems.keyConcurrencyExceeded(work, perKey);
  }

  /**
   * Takes a slot until the response is closed. Running work is never interrupted.
   *
   * @param keyId the key whose share is used, if the service requires keys
   * @returns undefined if no key is counted
   * @throws ProblemError `unavailable` when the process is full, `too-many-requests` when the key's share is used up; a promise rejects
   *   with it
   */
  take(work: Work, keyId: string | undefined, response: ServerResponse): Promise<void> | undefined {
    this.#requireRoom(work);
    if (keyId !== undefined) return this.#takeOfKey(work, keyId, response);
    this.#enter(work, response);
    return undefined;
  }

  async #takeOfKey(work: Work, keyId: string, response: ServerResponse): Promise<void> {
    const { perKey } = this.#limits[work];
    this.#slotsTaken += 1;
    const slot = { id: `${this.#id}.${this.#slotsTaken}`, work, keyId };
    if (!(await this.#slots.take(slot, perKey))) throw problems.keyConcurrencyExceeded(work, perKey);
    try {
      this.#requireRoom(work);
    } catch (error) {
      this.#slots.release(slot);
      throw error;
    }
    this.#enter(work, response);
    if (response.closed) this.#slots.release(slot);
    else response.once("close", () => this.#slots.release(slot));
  }

  #requireRoom(work: Work): void {
    const { total } = this.#limits[work];
    if (this.#running[work] >= Math.ceil(total / this.#workers)) throw problems.concurrencyExceeded(work, total);
  }

  #enter(work: Work, response: ServerResponse): void {
    // A closed response emits no more "close" events.
    if (response.closed) return;
    this.#running[work] += 1;
    response.once("close", () => {
      this.#running[work] -= 1;
    });
  }
}
