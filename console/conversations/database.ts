import type { Conversation, ConversationSummary } from "./conversation.ts";
import type { ChatMessage } from "./messages.ts";

const settled = <Value>(request: IDBRequest<Value>): Promise<Value> => {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
  return promise;
};

const completed = (transaction: IDBTransaction): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  transaction.oncomplete = () => resolve();
  transaction.onabort = () => reject(transaction.error);
  return promise;
};

interface StoredMessages {
  id: string;
  messages: readonly ChatMessage[];
  tools?: readonly object[];
}

/** Conversations in IndexedDB. Summaries are apart from messages, so that the list loads without these. */
export class ConversationDatabase {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
    // A page of a later version could not open its database while this connection is there.
    database.onversionchange = () => database.close();
  }

  static async open(): Promise<ConversationDatabase> {
    const request = indexedDB.open("conversations", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("summaries", { keyPath: "id" });
      request.result.createObjectStore("messages", { keyPath: "id" });
    };
    return new ConversationDatabase(await settled(request));
  }

  summaries(): Promise<ConversationSummary[]> {
    return settled(this.#database.transaction("summaries").objectStore("summaries").getAll());
  }

  summary(id: string): Promise<ConversationSummary | undefined> {
    return settled(this.#database.transaction("summaries").objectStore("summaries").get(id));
  }

  /** A conversation and its summary, of the same moment. */
  async read(id: string): Promise<{ conversation: Conversation; summary: ConversationSummary } | undefined> {
    const transaction = this.#database.transaction(["summaries", "messages"]);
    const [summary, stored] = await Promise.all([
      settled<ConversationSummary | undefined>(transaction.objectStore("summaries").get(id)),
      settled<StoredMessages | undefined>(transaction.objectStore("messages").get(id)),
    ]);
    if (!summary || !stored) return undefined;
    const { agent, namespace, createdAt } = summary;
    const conversation = { id, agent, createdAt, ...(namespace !== undefined && { namespace }) };
    // The messages' record holds all that the list doesn't show.
    return { conversation: { ...conversation, ...stored }, summary };
  }

  async write(summary: ConversationSummary, { id, messages, tools }: Conversation): Promise<void> {
    const transaction = this.#database.transaction(["summaries", "messages"], "readwrite");
    transaction.objectStore("summaries").put(summary);
    transaction.objectStore("messages").put({ id, messages, ...(tools && { tools }) } satisfies StoredMessages);
    await completed(transaction);
  }

  async writeSummary(summary: ConversationSummary): Promise<void> {
    const transaction = this.#database.transaction("summaries", "readwrite");
    transaction.objectStore("summaries").put(summary);
    await completed(transaction);
  }

  async remove(ids: readonly string[]): Promise<void> {
    const transaction = this.#database.transaction(["summaries", "messages"], "readwrite");
    for (const id of ids) {
      transaction.objectStore("summaries").delete(id);
      transaction.objectStore("messages").delete(id);
    }
    await completed(transaction);
  }
}
