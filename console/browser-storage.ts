/**
 * Short texts that the browser stores for the page. A browser that blocks cookies denies the storage, and a full one refuses longer texts:
 * these last until the page is closed.
 */
class BrowserStorage {
  readonly #open: () => Storage;
  readonly #refused = new Map<string, string>();

  constructor(open: () => Storage) {
    this.#open = open;
  }

  read(key: string): string | undefined {
    return this.#refused.get(key) ?? this.#try((storage) => storage.getItem(key)) ?? undefined;
  }

  write(key: string, text: string): void {
    this.#refused.set(key, text);
    this.#try((storage) => {
      storage.setItem(key, text);
      this.#refused.delete(key);
    });
  }

  remove(key: string): void {
    this.#refused.delete(key);
    this.#try((storage) => storage.removeItem(key));
  }

  #try<Result>(access: (storage: Storage) => Result): Result | undefined {
    try {
      return access(this.#open());
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      return undefined;
    }
  }
}

/** Shared by all tabs, and kept when the browser is closed. */
export const browserStorage = new BrowserStorage(() => localStorage);

/** This tab's own. It survives a reload. */
export const tabStorage = new BrowserStorage(() => sessionStorage);
