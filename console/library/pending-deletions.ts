/** How long a deletion can be undone, in milliseconds. */
export const undoTimeMs = 6_000;

/** Deletions that are carried out after a while, unless they are undone before. */
export class PendingDeletions {
  readonly #pending = new Map<string, { timer: ReturnType<typeof setTimeout>; carryOut: () => void }>();

  add(id: string, carryOut: () => void, delayMs = undoTimeMs): void {
    const now = () => {
      if (this.#pending.delete(id)) carryOut();
    };
    this.#pending.set(id, { timer: setTimeout(now, delayMs), carryOut });
  }

  undo(id: string): void {
    clearTimeout(this.#pending.get(id)?.timer);
    this.#pending.delete(id);
  }

  /** Carries out at once what is pending: there will be no later. */
  flush(): void {
    for (const { timer, carryOut } of this.#pending.values()) {
      clearTimeout(timer);
      carryOut();
    }
    this.#pending.clear();
  }
}
