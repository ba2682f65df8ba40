import type PQueue from "p-queue";

/** A batch holds items up to a total weight; a heavier item has a batch of its own. */
export interface BatcherOptions<Item, Result> {
  /** Runs the batches one at a time, between other work of the queue. */
  queue: PQueue;
  /** 1 by default. */
  weightOf?(item: Item): number;
  /** Unlimited by default. */
  maxWeight?: number;
  /**
   * A batch waits until as many items have arrived as the last batches had, at most twice as long as the last one took and this time. Items of
   * clients that got their results at the same time arrive soon after each other: without this the first one of them has a batch of
   * its own. Items that arrived during a batch wait for those of its clients too, or two groups would take turns for ever. 0 by
   * default.
   */
  maxGatherMs?: number;
  /** Handles a batch and returns a result for each item, in their order. */
  work(items: Item[]): Promise<Result[]>;
}

/** A result is flushed to the disk after its batch, which takes about as long, before its client sends the next item. */
const maxGatherFactor = 2;

/**
 * Batches the items that arrive while the previous batch runs: a commit, or a query, costs about the same for one item and for
 * many.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #waiting: { item: Item; done: PromiseWithResolvers<Result> }[] = [];
  /** How many items each of the last two batches had, with those that waited at its end. */
  #lastCounts: [number, number] = [0, 0];
  #lastMs = 0;
  #endGathering: (() => void) | undefined;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  /** Resolves with the item's result, or rejects with the error of its batch, which starts after this call. */
  add(item: Item): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    // While any item waits, a run is queued.
    if (this.#waiting.push({ item, done }) === 1) this.#queueRun();
    if (this.#waiting.length >= this.#expected) this.#endGathering?.();
    return done.promise;
  }

  get #expected(): number {
    return Math.max(...this.#lastCounts);
  }

  #queueRun(): void {
    void this.#options.queue.add(async () => {
      await this.#gather();
      await this.#run();
    });
  }

  /** A client that sends one item after the other never waits: each of its batches has one item. */
  async #gather(): Promise<void> {
    const waitMs = Math.min(maxGatherFactor * this.#lastMs, this.#options.maxGatherMs ?? 0);
    if (waitMs === 0 || this.#waiting.length >= this.#expected) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endGathering = undefined;
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
    const startedAt = performance.now();
    try {
      const results = await work(group.map(({ item }) => item));
      for (const [position, { done }] of group.entries()) done.resolve(results[position] as Result);
    } catch (error) {
      for (const { done } of group) done.reject(error);
    } finally {
      this.#lastMs = performance.now() - startedAt;
      this.#lastCounts = [this.#lastCounts[1], count + this.#waiting.length];
    }
  }
}
