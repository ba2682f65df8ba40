import type { Connection } from "../connections/connections.ts";
import type { Item } from "./pasted.ts";
import { sendItem } from "./send-item.ts";
import type { Stage } from "./stages.ts";
import { isSettled } from "./stages.ts";

export interface Upload {
  id: string;
  name: string;
  namespace: string;
  stage: Stage;
}

/** Requests that run at the same time. */
const parallelAtMost = 2;

/** Items on their way into the library, one request each, so that each has its own outcome. */
export class UploadQueue {
  readonly #listeners = new Set<() => void>();
  readonly #waiting: { id: string; item: Item; connection: Connection; namespace: string }[] = [];
  #uploads: readonly Upload[] = [];
  #running = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): readonly Upload[] => this.#uploads;

  add(connection: Connection, namespace: string, items: readonly Item[]): void {
    const uploads = items.map((item) => ({ id: crypto.randomUUID(), item, connection, namespace }));
    this.#waiting.push(...uploads);
    const shown = uploads.map(({ id, item }) => ({
      id,
      namespace,
      name: item.name,
      stage: { name: "waiting" } as const,
    }));
    this.#publish([...shown, ...this.#uploads]);
    this.#next();
  }

  /** Forgets what has its outcome. */
  clear(): void {
    this.#publish(this.#uploads.filter(({ stage }) => !isSettled(stage)));
  }

  #next(): void {
    while (this.#running < parallelAtMost) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running++;
      const { id, item, connection, namespace } = next;
      void sendItem(connection, namespace, item, (stage) => this.#tell(id, stage)).then(() => {
        this.#running--;
        this.#next();
      });
    }
  }

  #tell(id: string, stage: Stage): void {
    this.#publish(this.#uploads.map((upload) => (upload.id === id ? { ...upload, stage } : upload)));
  }

  #publish(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    for (const listener of this.#listeners) listener();
  }
}
