import type { Connection } from "../connections/connections.ts";
import { Store } from "../store.ts";
import type { Item } from "./items.ts";
import { isLeftOut, leaveOutUnsupported } from "./items.ts";
import { sendItem } from "./send-item.ts";
import type { Stage } from "./stages.ts";
import { canRetry, isSettled } from "./stages.ts";

export interface Upload {
  id: string;
  name: string;
  /** Size of a file, in bytes. */
  size?: number;
  namespace: string;
  stage: Stage;
}

/** The content of an upload, kept until it has succeeded so that it can be retried. */
interface Order {
  item: Item;
  connection: Connection;
  namespace: string;
  /** Cancels the upload while it is running. */
  running?: AbortController;
}

const maxConcurrentUploads = 2;

/** Uploads to the library. Each item is a separate request, so that each has its own outcome. */
export class UploadQueue extends Store<readonly Upload[]> {
  readonly #orders = new Map<string, Order>();
  #waiting: string[] = [];
  #uploads: readonly Upload[] = [];
  #running = 0;

  protected buildSnapshot(): readonly Upload[] {
    return this.#uploads;
  }

  add(connection: Connection, namespace: string, items: readonly Item[]): void {
    const added = items.map((item): Upload => {
      const id = crypto.randomUUID();
      const stage: Stage = { name: isLeftOut(item) ? "left-out" : "waiting" };
      if (stage.name === "waiting") {
        this.#orders.set(id, { item, connection, namespace });
        this.#waiting.push(id);
      }
      return { id, name: item.name, namespace, stage, ...(item.kind === "file" && { size: item.file.size }) };
    });
    this.#set([...added, ...this.#uploads]);
    this.#startNext();
  }

  /** Retries one upload, or all that failed. */
  retry(only?: string): void {
    const retried = this.#uploads.filter(({ id, stage }) =>
      only === undefined ? stage.name === "error" : only === id && canRetry(stage),
    );
    const ids = retried.map(({ id }) => id);
    this.#waiting.push(...ids);
    this.#setStage(ids, { name: "waiting" });
    this.#startNext();
  }

  /** Cancels one upload, or all unsettled ones. What the service has begun may still be stored. */
  cancel(only?: string): void {
    const isMeant = (id: string) => (only ?? id) === id;
    const ids = this.#waiting.filter(isMeant);
    this.#waiting = this.#waiting.filter((id) => !isMeant(id));
    for (const [id, { running }] of this.#orders) if (isMeant(id)) running?.abort();
    this.#setStage(ids, { name: "cancelled" });
  }

  /** Removes all settled uploads. */
  clear(): void {
    for (const { id, stage } of this.#uploads) if (isSettled(stage)) this.#orders.delete(id);
    this.#set(this.#uploads.filter(({ stage }) => !isSettled(stage)));
  }

  #startNext(): void {
    while (this.#running < maxConcurrentUploads) {
      const id = this.#waiting.shift();
      const order = id === undefined ? undefined : this.#orders.get(id);
      if (id === undefined || !order) return;
      this.#running++;
      const { connection, namespace, item } = order;
      const running = new AbortController();
      order.running = running;
      const onStage = (reported: Stage) => {
        const stage = leaveOutUnsupported(item, reported);
        if (isSettled(stage) && !canRetry(stage)) this.#orders.delete(id);
        this.#setStage([id], stage);
      };
      void sendItem(connection, namespace, item, { signal: running.signal, onStage }).then(() => {
        delete order.running;
        this.#running--;
        this.#startNext();
      });
    }
  }

  #setStage(ids: readonly string[], stage: Stage): void {
    const changed = new Set(ids);
    this.#set(this.#uploads.map((upload) => (changed.has(upload.id) ? { ...upload, stage } : upload)));
  }

  #set(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    this.publish();
  }
}
