import type { Connection } from "../connections/connections.ts";
import type { Item } from "./items.ts";
import { isOfOtherKind, withoutOtherKinds } from "./items.ts";
import { sendItem } from "./send-item.ts";
import type { Stage } from "./stages.ts";
import { canRetry, isSettled } from "./stages.ts";

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
  /** Cancels it while it is on its way. */
  running?: AbortController;
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
      const { name } = item;
      const isLeftOut = isOfOtherKind(item);
      if (!isLeftOut) {
        this.#orders.set(id, { item, connection, namespace });
        this.#waiting.push(id);
      }
      const stage: Stage = { name: isLeftOut ? "left-out" : "waiting" };
      return { id, name, namespace, stage, ...(item.kind === "file" && { size: item.file.size }) };
    });
    this.#publish([...added, ...this.#uploads]);
    this.#next();
  }

  /** Sends once more what failed, or one upload that failed or was cancelled. */
  retry(only?: string): void {
    const ids = new Set(
      this.#uploads
        .filter(({ id, stage }) => (only === undefined ? stage.name === "error" : only === id && canRetry(stage)))
        .map(({ id }) => id),
    );
    this.#waiting.push(...ids);
    this.#publish(
      this.#uploads.map((upload) => (ids.has(upload.id) ? { ...upload, stage: { name: "waiting" } } : upload)),
    );
    this.#next();
  }

  /** Gives up one upload, or all that have no outcome yet. What the service has begun with may be stored all the same. */
  cancel(only?: string): void {
    const isMeant = (id: string) => (only ?? id) === id;
    const ids = new Set(this.#waiting.filter(isMeant));
    this.#waiting = this.#waiting.filter((id) => !ids.has(id));
    for (const [id, { running }] of this.#orders) if (isMeant(id)) running?.abort();
    this.#publish(
      this.#uploads.map((upload) => (ids.has(upload.id) ? { ...upload, stage: { name: "cancelled" } } : upload)),
    );
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
      const running = new AbortController();
      order.running = running;
      const onStage = (stage: Stage) => this.#tell(id, withoutOtherKinds(item, stage));
      void sendItem(connection, namespace, item, { signal: running.signal, onStage }).then(() => {
        delete order.running;
        this.#running--;
        this.#next();
      });
    }
  }

  #tell(id: string, stage: Stage): void {
    if (isSettled(stage) && !canRetry(stage)) this.#orders.delete(id);
    this.#publish(this.#uploads.map((upload) => (upload.id === id ? { ...upload, stage } : upload)));
  }

  #publish(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    for (const listener of this.#listeners) listener();
  }
}
