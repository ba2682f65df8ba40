/** An item can be in one list at a time. The list owns `index`. */
export interface SwapRemoveItem {
  index: number;
}

/**
 * An unordered list with constant-time add and remove: the last item takes the place of the removed one. It replaces a
 * Set, whose hash table V8 reallocates as it grows and shrinks. The old tables reach the old generation and keep
 * everything they once held alive until the next full collection.
 */
export class SwapRemoveList<Item extends SwapRemoveItem> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    item.index = this.#items.push(item) - 1;
  }

  /** Does nothing if the item isn't in the list. */
  remove(item: Item): void {
    const { index } = item;
    if (this.#items[index] !== item) return;
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#items[index] = last;
    last.index = index;
  }

  /** Calls `onItem` for each item. The callback may remove the item. */
  visit(onItem: (item: Item) => void): void {
    for (let index = this.#items.length - 1; index >= 0; index -= 1) {
      const item = this.#items[index];
      if (item) onItem(item);
    }
  }
}
