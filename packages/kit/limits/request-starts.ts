import { limits, problems } from "@agent-backends/contract";

/**
 * Starts a bounded number of requests in each turn of the event loop, shared fairly between keys. Otherwise every request of a burst adds
 * work to every turn, and another key's request takes several turns.
 */
export class RequestStarts {
  /** Waiting requests by key. The first key is next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #startsThisTurn = 0;

  /**
   * Resolves when a request may start. Undefined if it may start at once.
   *
   * @throws ProblemError `too-many-requests` when too many requests of the key are waiting
   */
  enter(keyId: string, maxWaiting: number = limits.waitingRequestsPerKey): Promise<void> | undefined {
    const waiting = this.#waiting.get(keyId);
    if (waiting === undefined && this.#startsThisTurn < limits.requestStartsPerTurn) {
      this.#count();
      return undefined;
    }
    if ((waiting?.length ?? 0) >= maxWaiting) throw problems.keyQueueFull(maxWaiting);
    return new Promise((resolve) => {
      if (waiting) waiting.push(resolve);
      else this.#waiting.set(keyId, [resolve]);
    });
  }

  #count(): void {
    if (this.#startsThisTurn === 0) setImmediate(() => this.#startWaiting());
    this.#startsThisTurn += 1;
  }

  #startWaiting(): void {
    this.#startsThisTurn = 0;
    while (this.#startsThisTurn < limits.requestStartsPerTurn) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const [keyId, waiting] = next;
      const start = waiting.shift();
      // Move the key behind the others.
      this.#waiting.delete(keyId);
      if (waiting.length > 0) this.#waiting.set(keyId, waiting);
      this.#count();
      start?.();
    }
  }
}
