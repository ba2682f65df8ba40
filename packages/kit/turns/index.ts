import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";

/** Gives each caller a turn of the event loop that no other caller of the same queue gets. */
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
 * Resolves in a turn of the event loop that no other caller gets: each piece of long work, of any request, has a turn of its own.
 * Pieces of different requests would otherwise add up to a turn in which nobody else is answered.
 */
export function ownTurn(): Promise<void> {
  return workTurns.turn();
}

/**
 * For streams of providers that send faster than their streams are read. They have a queue of their own: a search, whose pieces
 * have their turns by `ownTurn`, doesn't wait for them.
 */
export const fastStreamTurns = new TurnQueue();

/** No work of one turn of the event loop that is within the limits takes longer. */
const maxPauseMs = 100;

/**
 * Spaces out work that holds the event loop for long: after each piece others have it for as long as that took. Without this a
 * small request, which takes several turns, waits for a large one in each of them.
 */
class PacedTurns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves when the work may begin. It ends with the turn of the event loop. */
  turn(): Promise<unknown> {
    const turn = this.#last.then(ownTurn);
    this.#last = turn.then(async () => {
      const startedAt = performance.now();
      await nextTurn();
      await delay(Math.min(maxPauseMs, performance.now() - startedAt));
    });
    return turn;
  }
}

/** For all work on large bodies, because they share one event loop. */
export const largeBodyTurns = new PacedTurns();
