import type { Conversation, ConversationSummary } from "./conversation.ts";
import type { ChatMessage } from "./messages.ts";

const toPromise = <Value>(request: IDBRequest<Value>): Promise<Value> => {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
  return promise;
};

interface StoredMessages {
  id: string;
  messages: readonly ChatMessage[];
  tools?: readonly object[];
}

/** Conversations in IndexedDB. Summaries are in a separate store, so that the list loads without any messages. */
export class ConversationDatabase {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
    // An open connection would prevent a later version of the page from upgrading the database.
    database.onversionchange = () => database.close();
  }

  static async open(): Promise<ConversationDatabase> {
    const request = indexedDB.open("conversations", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("summaries", { keyPath: "id" });
      request.result.createObjectStore("messages", { keyPath: "id" });
    };
    return new ConversationDatabase(await toPromise(request));
  }

  summaries(): Promise<ConversationSummary[]> {
    return toPromise(this.#database.transaction("summaries").objectStore("summaries").getAll());
  }

  summary(id: string): Promise<ConversationSummary | undefined> {
    return toPromise(this.#database.transaction("summaries").objectStore("summaries").get(id));
  }

  /** A conversation and its summary, read in one transaction. */
  async read(id: string): Promise<{ conversation: Conversation; summary: ConversationSummary } | undefined> {
    const transaction = this.#database.transaction(["summaries", "messages"]);
    const [summary, stored] = await Promise.all([
      toPromise<ConversationSummary | undefined>(transaction.objectStore("summaries").get(id)),
      toPromise<StoredMessages | undefined>(transaction.objectStore("messages").get(id)),
    ]);
    if (!summary || !stored) return undefined;
    const { agent, namespace, createdAt } = summary;
    const conversation = { id, agent, createdAt, ...(namespace !== undefined && { namespace }) };
    // The record of messages contains everything that the list doesn't show.
    return { conversation: { ...conversation, ...stored }, summary };
  }

  write(summary: ConversationSummary, { id, messages, tools }: Conversation): Promise<void> {
    return this.#change((stores) => {
      stores.summaries.put(summary);
      stores.messages.put({ id, messages, ...(tools && { tools }) } satisfies StoredMessages);
    });
  }

  writeSummary(summary: ConversationSummary): Promise<void> {
    return this.#change((stores) => stores.summaries.put(summary));
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#change((stores) => {
      for (const id of ids) {
        stores.summaries.delete(id);
        stores.messages.delete(id);
      }
    });
  }

  /** Resolves when the change is committed, not when its requests have succeeded. */
  async #change(change: (stores: Record<"summaries" | "messages", IDBObjectStore>) => void): Promise<void> {
    const transaction = this.#database.transaction(["summaries", "messages"], "readwrite");
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    change({ summaries: transaction.objectStore("summaries"), messages: transaction.objectStore("messages") });
    await promise;
  }
}
