import { Store } from "../store.ts";
import type { Conversation, ConversationSummary } from "./conversation.ts";
import { buildSummary, buildTitle, maxTitleLength } from "./conversation.ts";
import { ConversationDatabase } from "./database.ts";

/** Maximum number of conversations kept for each agent. The oldest are deleted first. */
export const maxConversationsPerAgent = 500;

/** Maximum size of a stored conversation, as characters of its JSON. */
const maxConversationLength = 8_000_000;

/** Time during which a deletion can be undone, in milliseconds. */
const undoTimeMs = 10_000;

/** Messages that explain why a conversation isn't stored. */
const storageProblems = {
  unavailable:
    "This browser doesn't let the page store chats (private windows often don't). They are lost when you close the page: export those that you need.",
  full: "The browser's storage is full, so this chat isn't stored. Delete chats you no longer need, or export this one.",
  tooLong: `This chat is longer than ${maxConversationLength / 1_000_000} MB, so its new messages aren't stored. Export it, or start a new chat.`,
};

interface ConversationsSnapshot {
  /** Newest first. */
  all: readonly ConversationSummary[];
  isLoaded: boolean;
  /** Conversations whose deletion can be undone. */
  deleted: readonly ConversationSummary[];
  /** Why each conversation could not be stored, by its id. */
  problems: ReadonlyMap<string, string>;
}

type Change = { id: string; isDeleted: boolean };

/**
 * All conversations of this browser. They are in IndexedDB. What the browser can't store stays in memory, so that nothing on the screen
 * is lost. Tabs notify each other of their changes.
 */
export class ConversationStore extends Store<ConversationsSnapshot> {
  readonly #changeListeners = new Set<(change: Change) => void>();
  readonly #channel = new BroadcastChannel("conversations");
  readonly #database: Promise<ConversationDatabase | undefined>;
  readonly #summaries = new Map<string, ConversationSummary>();
  readonly #unsaved = new Map<string, Conversation>();
  readonly #deleted = new Map<string, { summary: ConversationSummary; conversation: Conversation }>();
  /** Ids deleted in this tab, perhaps not yet in the database. */
  readonly #removed = new Set<string>();
  readonly #problems = new Map<string, string>();
  #isLoaded = false;
  #written: Promise<void> = Promise.resolve();

  constructor() {
    super();
    this.#database = ConversationDatabase.open().catch(() => undefined);
    this.#channel.onmessage = ({ data }: MessageEvent<Change>) => void this.#takeOver(data);
    void this.#load();
  }

  protected buildSnapshot(): ConversationsSnapshot {
    return {
      isLoaded: this.#isLoaded,
      all: [...this.#summaries.values()].sort((a, b) => b.updatedAt - a.updatedAt),
      deleted: [...this.#deleted.values()].map(({ summary }) => summary),
      problems: new Map(this.#problems),
    };
  }

  /** Calls the listener when another tab saves or deletes a conversation. */
  onChangeElsewhere(listener: (change: Change) => void): void {
    this.#changeListeners.add(listener);
  }

  async read(id: string): Promise<{ conversation: Conversation; revision: string } | undefined> {
    if (this.#removed.has(id)) return undefined;
    const unsaved = this.#unsaved.get(id);
    if (unsaved) return { conversation: unsaved, revision: this.#summaries.get(id)?.revision ?? "" };
    const stored = await (await this.#database)?.read(id).catch(() => undefined);
    return stored && { conversation: stored.conversation, revision: stored.summary.revision };
  }

  /** Whether a conversation is in the database, so that it can be dropped from memory. */
  isSaved(id: string): boolean {
    return this.#summaries.has(id) && !this.#unsaved.has(id);
  }

  /** The version that another tab has saved, or undefined if the conversation still has the given revision. */
  async readNewer(id: string, revision: string | undefined): ReturnType<typeof this.read> {
    if (this.#unsaved.has(id)) return undefined;
    const summary = await (await this.#database)?.summary(id).catch(() => undefined);
    return summary && summary.revision !== revision ? this.read(id) : undefined;
  }

  /** Saves a conversation and returns its revision. If saving fails, `problems` contains the reason. */
  save(conversation: Conversation): string {
    const summary = buildSummary(conversation, this.#summaries.get(conversation.id)?.name, Date.now());
    this.#save(summary, conversation);
    return summary.revision;
  }

  /** Resolves once the latest save is in the database or has failed. */
  get written(): Promise<void> {
    return this.#written;
  }

  /** Names a conversation. A blank name restores the title made from the first question. */
  async rename(id: string, text: string): Promise<void> {
    const name = text.trim().slice(0, maxTitleLength);
    const messages = name === "" ? (await this.read(id))?.conversation.messages : undefined;
    const { name: _, ...summary } = this.#summaries.get(id) ?? {};
    if (!("id" in summary)) return;
    const title = name || buildTitle(messages ?? []);
    const renamed: ConversationSummary = { ...summary, title, ...(name !== "" && { name }) };
    this.#summaries.set(id, renamed);
    this.publish();
    try {
      await (await this.#database)?.writeSummary(renamed);
      this.#broadcast({ id, isDeleted: false });
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /** Deletes a conversation. `restore` can undo it for a while. */
  async remove(id: string): Promise<void> {
    const summary = this.#summaries.get(id);
    const reading = this.read(id);
    this.#removed.add(id);
    const conversation = (await reading)?.conversation;
    if (!summary) return;
    if (conversation) {
      this.#deleted.set(id, { summary, conversation });
      setTimeout(() => this.#deleted.delete(id) && this.publish(), undoTimeMs);
    }
    this.#forget(id);
    this.publish();
    await (await this.#database)?.remove([id]).catch(() => undefined);
    this.#broadcast({ id, isDeleted: true });
  }

  restore(id: string): void {
    const deleted = this.#deleted.get(id);
    if (!deleted) return;
    this.#deleted.delete(id);
    this.#save(deleted.summary, deleted.conversation);
  }

  #save(summary: ConversationSummary, conversation: Conversation): void {
    this.#removed.delete(conversation.id);
    this.#summaries.set(conversation.id, summary);
    this.#unsaved.set(conversation.id, conversation);
    this.publish();
    this.#written = this.#write(summary, conversation);
  }

  async #write(summary: ConversationSummary, conversation: Conversation): Promise<void> {
    const { id, agent } = conversation;
    try {
      const database = await this.#database;
      if (!database) return this.#setProblem(id, storageProblems.unavailable);
      if (JSON.stringify(conversation.messages).length > maxConversationLength) {
        return this.#setProblem(id, storageProblems.tooLong);
      }
      await database.write(summary, conversation);
      if (this.#unsaved.get(id) === conversation) this.#unsaved.delete(id);
      this.#setProblem(id, undefined);
      this.#broadcast({ id, isDeleted: false });
      const excess = this.snapshot()
        .all.filter((other) => other.agent === agent)
        .slice(maxConversationsPerAgent);
      if (excess.length === 0) return;
      for (const oldest of excess) this.#forget(oldest.id);
      this.publish();
      await database.remove(excess.map((oldest) => oldest.id));
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #fail(id: string, error: unknown): void {
    const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
    this.#setProblem(id, isFull ? storageProblems.full : storageProblems.unavailable);
  }

  #setProblem(id: string, problem: string | undefined): void {
    if (this.#problems.get(id) === problem) return;
    if (problem === undefined) this.#problems.delete(id);
    else this.#problems.set(id, problem);
    this.publish();
  }

  #forget(id: string): void {
    this.#summaries.delete(id);
    this.#unsaved.delete(id);
    this.#problems.delete(id);
  }

  async #load(): Promise<void> {
    const summaries = await this.#database.then((database) => database?.summaries()).catch(() => undefined);
    for (const summary of summaries ?? []) {
      if (!this.#summaries.has(summary.id)) this.#summaries.set(summary.id, summary);
    }
    this.#isLoaded = true;
    this.publish();
  }

  /** Applies a change made in another tab. */
  async #takeOver(change: Change): Promise<void> {
    const summary = change.isDeleted ? undefined : await (await this.#database)?.summary(change.id);
    if (summary) {
      this.#removed.delete(change.id);
      this.#summaries.set(change.id, summary);
    } else this.#forget(change.id);
    this.publish();
    for (const listener of this.#changeListeners) listener({ id: change.id, isDeleted: !summary });
  }

  #broadcast(change: Change): void {
    this.#channel.postMessage(change);
  }
}
