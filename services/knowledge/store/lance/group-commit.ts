import type PQueue from "p-queue";

/** What one commit takes, by weight; a heavier item has a commit of its own. */
export interface GroupCommitOptions<Item, Result> {
  /** Commits run in here, one at a time. */
  queue: PQueue;
  weightOf(item: Item): number;
  weightAtMost: number;
  /** Commits the items together and gives a result for each, in their order. */
  commit(items: Item[]): Promise<Result[]>;
}

/**
 * Takes what is waiting into one commit: a commit costs about the same for one item and for many, so that writers
 * who come while one is running share the next.
 */
export class GroupCommit<Item, Result> {
  readonly #options: GroupCommitOptions<Item, Result>;
  readonly #waiting: { item: Item; done: PromiseWithResolvers<Result> }[] = [];

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.#options = options;
  }

  /** Resolves with the item's result when its commit is done; rejects with the commit's error. */
  add(item: Item): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    this.#waiting.push({ item, done });
    // One run for each item: those that find nothing left to do end at once.
    void this.#options.queue.add(() => this.#commitNext());
    return done.promise;
  }

  async #commitNext(): Promise<void> {
    const { weightOf, weightAtMost, commit } = this.#options;
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
      const results = await commit(group.map(({ item }) => item));
      for (const [position, { done }] of group.entries()) done.resolve(results[position] as Result);
    } catch (error) {
      for (const { done } of group) done.reject(error);
    }
  }
}
