import { setImmediate as nextTurn } from "node:timers/promises";

let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a turn of the event loop that no other caller gets: each piece of long work, of any request, has a turn of its own.
 * Pieces of different requests would otherwise add up to a turn in which nobody else is answered.
 */
export function ownTurn(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}
