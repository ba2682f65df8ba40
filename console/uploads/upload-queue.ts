import type { Connection } from "../connections/connections.ts";
import type { Item } from "./pasted.ts";
import { sendItem } from "./send-item.ts";
import type { Stage } from "./stages.ts";
import { isSettled } from "./stages.ts";

export interface Upload {
  id: string;
  name: string;
  /** Size of a file in bytes. */
  size?: number;
  namespace: string;
  stage: Stage;
}

/** What is sent for an upload; kept until it has come through, so that it can be sent again. */
interface Order {
  item: Item;
  connection: Connection;
  namespace: string;
}

/** Requests that run at the same time. */
const maxParallelRequests = 2;

/** Items on their way into the library, one request each, so that each has its own outcome. */
export class UploadQueue {
  readonly #listeners = new Set<() => void>();
  readonly #orders = new Map<string, Order>();
  #waiting: string[] = [];
  #uploads: readonly Upload[] = [];
  #running = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): readonly Upload[] => this.#uploads;

  add(connection: Connection, namespace: string, items: readonly Item[]): void {
    const added = items.map((item): Upload => {
      const id = crypto.randomUUID();
      this.#orders.set(id, { item, connection, namespace });
      const { name } = item;
      return { id, name, namespace, stage: { name: "waiting" }, ...(item.kind === "file" && { size: item.file.size }) };
    });
    this.#waiting.push(...added.map(({ id }) => id));
    this.#publish([...added, ...this.#uploads]);
    this.#next();
  }

  /** Sends what failed once more: one upload, or all. */
  retry(only?: string): void {
    const failed = this.#uploads.filter(({ id, stage }) => stage.name === "error" && (only ?? id) === id);
    const ids = new Set(failed.map(({ id }) => id));
    this.#waiting.push(...ids);
    this.#publish(
      this.#uploads.map((upload) => (ids.has(upload.id) ? { ...upload, stage: { name: "waiting" } } : upload)),
    );
    this.#next();
  }

  /** Forgets what has its outcome. */
  clear(): void {
    for (const { id, stage } of this.#uploads) if (isSettled(stage)) this.#orders.delete(id);
    this.#publish(this.#uploads.filter(({ stage }) => !isSettled(stage)));
  }

  #next(): void {
    while (this.#running < maxParallelRequests) {
      const id = this.#waiting.shift();
      const order = id === undefined ? undefined : this.#orders.get(id);
      if (id === undefined || !order) return;
      this.#running++;
      const { connection, namespace, item } = order;
      void sendItem(connection, namespace, item, (stage) => this.#tell(id, stage)).then(() => {
        this.#running--;
        this.#next();
      });
    }
  }

  #tell(id: string, stage: Stage): void {
    if (stage.name === "saved" || stage.name === "skipped") this.#orders.delete(id);
    this.#publish(this.#uploads.map((upload) => (upload.id === id ? { ...upload, stage } : upload)));
  }

  #publish(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    for (const listener of this.#listeners) listener();
  }
}
