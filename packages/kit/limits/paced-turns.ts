import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";

/** No work of one turn of the event loop that is within the limits takes longer. */
const maxPauseMs = 100;

/**
 * Spaces out work that holds the event loop for long: after each piece others have it for as long as that took. Without this a
 * small request, which takes several turns, waits for a large one in each of them.
 */
export class PacedTurns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves when the work may begin. It ends with the turn of the event loop. */
  turn(): Promise<unknown> {
    const turn = this.#last;
    this.#last = turn.then(async () => {
      const startedAt = performance.now();
      await nextTurn();
      await delay(Math.min(maxPauseMs, performance.now() - startedAt));
    });
    return turn;
  }
}
