import type PQueue from "p-queue";

/** What one turn takes, by weight; a heavier item has a turn of its own. */
export interface BatcherOptions<Item, Result> {
  /** Turns come in here, one at a time. */
  queue: PQueue;
  weightOf(item: Item): number;
  weightAtMost: number;
  /** Does the work for all items together and gives a result for each, in their order. */
  work(items: Item[]): Promise<Result[]>;
}

/**
 * Takes what is waiting into one turn: a commit, or a query, costs about the same for one item and for many, so that those
 * who come while one is running share the next.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #waiting: { item: Item; done: PromiseWithResolvers<Result> }[] = [];

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  /** Resolves with the item's result when its turn, which begins after this call, is over; rejects with the turn's error. */
  add(item: Item): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    this.#waiting.push({ item, done });
    // One run for each item: those that find nothing left to do end at once.
    void this.#options.queue.add(() => this.#workNext());
    return done.promise;
  }

  async #workNext(): Promise<void> {
    const { weightOf, weightAtMost, work } = this.#options;
    let weight = 0;
    let count = 0;
    for (const { item } of this.#waiting) {
      weight += weightOf(item);
      if (count > 0 && weight > weightAtMost) break;
      count += 1;
    }
    const group = this.#waiting.splice(0, count);
    if (group.length === 0) return;
    try {
      const results = await work(group.map(({ item }) => item));
      for (const [position, { done }] of group.entries()) done.resolve(results[position] as Result);
    } catch (error) {
      for (const { done } of group) done.reject(error);
    }
  }
}
