import type PQueue from "p-queue";

/** A batch holds items up to a total weight; a heavier item has a batch of its own. */
export interface BatcherOptions<Item, Result> {
  /** Runs the batches one at a time, between other work of the queue. */
  queue: PQueue;
  /** 1 by default. */
  weightOf?(item: Item): number;
  /** Unlimited by default. */
  maxWeight?: number;
  /** Handles a batch and returns a result for each item, in their order. */
  work(items: Item[]): Promise<Result[]>;
}

/**
 * Batches the items that arrive while the previous batch runs: a commit, or a query, costs about the same for one item and for
 * many.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #waiting: { item: Item; done: PromiseWithResolvers<Result> }[] = [];

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  /** Resolves with the item's result, or rejects with the error of its batch, which starts after this call. */
  add(item: Item): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    // While any item waits, a run is queued.
    if (this.#waiting.push({ item, done }) === 1) this.#queueRun();
    return done.promise;
  }

  #queueRun(): void {
    void this.#options.queue.add(() => this.#run());
  }

  async #run(): Promise<void> {
    const { weightOf = () => 1, maxWeight = Number.POSITIVE_INFINITY, work } = this.#options;
    let weight = 0;
    let count = 0;
    for (const { item } of this.#waiting) {
      weight += weightOf(item);
      if (count > 0 && weight > maxWeight) break;
      count += 1;
    }
    const group = this.#waiting.splice(0, count);
    if (this.#waiting.length > 0) this.#queueRun();
    try {
      const results = await work(group.map(({ item }) => item));
      for (const [position, { done }] of group.entries()) done.resolve(results[position] as Result);
    } catch (error) {
      for (const { done } of group) done.reject(error);
    }
  }
}
