/** What can be in one bag at a time. `place` belongs to the bag. */
export interface BagItem {
  place: number;
}

/**
 * Things in no order, quickly added and removed. Unlike a Set it leaves no table behind when it grows or shrinks: such
 * tables grow old with the process and keep everything that they once held from being collected young.
 */
export class Bag<Item extends BagItem> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    item.place = this.#items.push(item) - 1;
  }

  /** Removes an item if it is there. */
  remove(item: Item): void {
    const { place } = item;
    if (this.#items[place] !== item) return;
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#items[place] = last;
    last.place = place;
  }

  /** Calls back for each item, which may be removed meanwhile. */
  visit(take: (item: Item) => void): void {
    for (let place = this.#items.length - 1; place >= 0; place -= 1) {
      const item = this.#items[place];
      if (item) take(item);
    }
  }
}
