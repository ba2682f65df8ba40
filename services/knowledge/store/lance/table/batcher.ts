import type PQueue from "p-queue";

/** A batch contains items up to a total weight. A heavier item gets a batch of its own. */
export interface BatcherOptions<Item, Result> {
  /** Runs the batches one at a time, between other work of the queue. */
  queue: PQueue;
  /** 1 by default. */
  getWeight?(item: Item): number;
  /** Unlimited by default. */
  maxWeight?: number;
  /**
   * Maximum time that a batch waits for items. It waits until as many items have arrived as in the last batches, but never longer than
   * twice the duration of the last one. Clients that got their results at the same time send their next items shortly after each other.
   * Without this wait, the first one of them would get a batch of its own. Items that arrived during a batch also wait for those of the
   * batch's clients; otherwise two groups would alternate forever. 0 by default.
   */
  maxGatherMs?: number;
  /** Handles a batch. Resolves with a result for each item, in order. */
  work(items: Item[]): Promise<Result[]>;
}

/** After a batch, its results are flushed to the disk before clients send their next item. The flush takes about as long as the batch. */
const maxGatherFactor = 2;

/** Batches the items that arrive while the previous batch runs. A commit or a query costs about the same for one item as for many. */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #waiting: { item: Item; done: PromiseWithResolvers<Result> }[] = [];
  /** Number of items in each of the last two batches, including those that were waiting at its end. */
  #lastCounts: [number, number] = [0, 0];
  #lastDurationMs = 0;
  #endGathering: (() => void) | undefined;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  /** Resolves with the item's result, or rejects with the error of its batch. The batch starts after this call. */
  add(item: Item): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    // A run is queued whenever any items are waiting.
    if (this.#waiting.push({ item, done }) === 1) this.#queueRun();
    if (this.#waiting.length >= this.#expectedItems) this.#endGathering?.();
    return done.promise;
  }

  get #expectedItems(): number {
    return Math.max(...this.#lastCounts);
  }

  #queueRun(): void {
    void this.#options.queue.add(async () => {
      await this.#gather();
      await this.#run();
    });
  }

  /** Waits for more items. A client that sends one item after the other never waits, because each of its batches has one item. */
  async #gather(): Promise<void> {
    const waitMs = Math.min(maxGatherFactor * this.#lastDurationMs, this.#options.maxGatherMs ?? 0);
    if (waitMs === 0 || this.#waiting.length >= this.#expectedItems) return;
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
    const { getWeight = () => 1, maxWeight = Number.POSITIVE_INFINITY, work } = this.#options;
    let weight = 0;
    let count = 0;
    for (const { item } of this.#waiting) {
      weight += getWeight(item);
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
      this.#lastDurationMs = performance.now() - startedAt;
      this.#lastCounts = [this.#lastCounts[1], count + this.#waiting.length];
    }
  }
}
