import { useSyncExternalStore } from "react";

/** State that outlives components. Subclasses call `publish` after each change; components read it with `useStore`. */
export abstract class Store<Snapshot> {
  readonly #listeners = new Set<() => void>();
  #snapshot: Snapshot | undefined;

  /** The state as an immutable value. It is built at most once between two calls of `publish`. */
  protected abstract buildSnapshot(): Snapshot;

  readonly snapshot = (): Snapshot => {
    this.#snapshot ??= this.buildSnapshot();
    return this.#snapshot;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  protected publish(): void {
    this.#snapshot = undefined;
    for (const listener of this.#listeners) listener();
  }
}

export function useStore<Snapshot>(store: Store<Snapshot>): Snapshot {
  return useSyncExternalStore(store.subscribe, store.snapshot);
}
