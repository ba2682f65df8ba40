import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";

/** Gives each caller a separate turn of the event loop among all callers of the queue. */
class TurnQueue {
  #last: Promise<void> = Promise.resolve();

  /** Resolves in the caller's turn. */
  turn(): Promise<void> {
    this.#last = this.#last.then(() => nextTurn());
    return this.#last;
  }
}

const workTurns = new TurnQueue();

/**
 * Resolves in an event loop turn that no other caller gets: each piece of long work, of any request, gets its own turn. Otherwise pieces of
 * different requests would add up to one turn in which no other request is answered.
 */
export function waitForTurn(): Promise<void> {
  return workTurns.turn();
}

/**
 * For streams of providers that send faster than clients read. They have a separate queue, so that a search, which uses `waitForTurn`, doesn't
 * wait for them.
 */
export const fastStreamTurns = new TurnQueue();

/** No single piece of work within the limits takes longer than this. */
const maxPauseMs = 100;

/**
 * Spaces out work that blocks the event loop for long: after each piece, the loop is free for as long as the piece took. Otherwise a small
 * request, which takes several turns, would wait for a large one in each of them.
 */
class PacedTurns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves when the work may begin. The work ends with that turn of the event loop. */
  turn(): Promise<unknown> {
    const turn = this.#last.then(waitForTurn);
    this.#last = turn.then(async () => {
      const startedAt = performance.now();
      await nextTurn();
      await delay(Math.min(maxPauseMs, performance.now() - startedAt));
    });
    return turn;
  }
}

/** One queue for all work on large bodies, because they share one event loop. */
export const largeBodyTurns = new PacedTurns();
