import type { Conversation, ConversationSummary } from "./conversation.ts";
import { maxTitleLength, summarize, titleFrom } from "./conversation.ts";
import { ConversationDatabase } from "./database.ts";

export interface ConversationsSnapshot {
  /** Newest first. */
  all: readonly ConversationSummary[];
  isLoaded: boolean;
  /** Conversations whose deletion can be undone. */
  deleted: readonly ConversationSummary[];
  /** Why each conversation that could not be saved was not. */
  problems: ReadonlyMap<string, string>;
}

type Change = { id: string; isDeleted: boolean };

/**
 * All conversations of this browser. They are in IndexedDB; what the browser doesn't keep stays in memory, so that
 * nothing on the screen is lost. Tabs tell each other what they change.
 */
export class ConversationStore {
  readonly #listeners = new Set<() => void>();
  readonly #changeListeners = new Set<(change: Change) => void>();
  readonly #channel = new BroadcastChannel("conversations");
  readonly #database: Promise<ConversationDatabase | undefined>;
  readonly #summaries = new Map<string, ConversationSummary>();
  readonly #unsaved = new Map<string, Conversation>();
  readonly #deleted = new Map<string, { summary: ConversationSummary; conversation: Conversation }>();
  readonly #problems = new Map<string, string>();
  #snapshot: ConversationsSnapshot = { all: [], isLoaded: false, deleted: [], problems: new Map() };

  constructor() {
    this.#database = ConversationDatabase.open().catch(() => undefined);
    this.#channel.onmessage = ({ data }: MessageEvent<Change>) => void this.#takeOver(data);
    void this.#load();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): ConversationsSnapshot => this.#snapshot;

  /** Tells which conversations other tabs save or delete. */
  onChangeElsewhere(listener: (change: Change) => void): void {
    this.#changeListeners.add(listener);
  }

  async read(id: string): Promise<{ conversation: Conversation; revision: string } | undefined> {
    const unsaved = this.#unsaved.get(id);
    if (unsaved) return { conversation: unsaved, revision: this.#summaries.get(id)?.revision ?? "" };
    const stored = await (await this.#database)?.read(id).catch(() => undefined);
    return stored && { conversation: stored.conversation, revision: stored.summary.revision };
  }

  /** Whether a conversation can be read again when this tab forgets it. */
  isSaved(id: string): boolean {
    return this.#summaries.has(id) && !this.#unsaved.has(id);
  }

  /** The conversation as another tab has saved it; undefined where it is still of the given revision. */
  async readNewer(id: string, revision: string | undefined): Promise<Awaited<ReturnType<typeof this.read>>> {
    if (this.#unsaved.has(id)) return undefined;
    const summary = await (await this.#database)?.summary(id).catch(() => undefined);
    return summary && summary.revision !== revision ? this.read(id) : undefined;
  }

  /**
   * Saves a conversation. Where the browser can't, `problems` says why.
   *
   * @returns its revision
   */
  save(conversation: Conversation): string {
    const summary = summarize(conversation, this.#summaries.get(conversation.id)?.name, Date.now());
    this.#summaries.set(conversation.id, summary);
    this.#unsaved.set(conversation.id, conversation);
    this.#publish();
    void this.#write(summary, conversation);
    return summary.revision;
  }

  /** Gives a conversation a name; a blank one lets its first question name it again. */
  async rename(id: string, text: string): Promise<void> {
    const name = text.trim().slice(0, maxTitleLength);
    const messages = name === "" ? (await this.read(id))?.conversation.messages : undefined;
    const { name: _, ...summary } = this.#summaries.get(id) ?? {};
    if (!("id" in summary)) return;
    const title = name || titleFrom(messages ?? []);
    const renamed: ConversationSummary = { ...summary, title, ...(name !== "" && { name }) };
    this.#summaries.set(id, renamed);
    this.#publish();
    try {
      await (await this.#database)?.writeSummary(renamed);
      this.#tell({ id, isDeleted: false });
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /** Deletes a conversation; `restore` brings it back for a while. */
  async remove(id: string): Promise<void> {
    const summary = this.#summaries.get(id);
    const conversation = (await this.read(id))?.conversation;
    if (!summary) return;
    if (conversation) {
      this.#deleted.set(id, { summary, conversation });
      setTimeout(() => this.#forgetDeleted(id), undoTimeMs);
    }
    this.#forget(id);
    this.#publish();
    await (await this.#database)?.remove([id]).catch(() => undefined);
    this.#tell({ id, isDeleted: true });
  }

  /** Brings a deleted conversation back. */
  restore(id: string): void {
    const deleted = this.#deleted.get(id);
    if (!deleted) return;
    this.#deleted.delete(id);
    this.#summaries.set(id, deleted.summary);
    this.#unsaved.set(id, deleted.conversation);
    this.#publish();
    void this.#write(deleted.summary, deleted.conversation);
  }

  #forgetDeleted(id: string): void {
    if (this.#deleted.delete(id)) this.#publish();
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
      this.#tell({ id, isDeleted: false });
      const tooMany = this.#snapshot.all.filter((other) => other.agent === agent).slice(maxConversationsPerAgent);
      if (tooMany.length === 0) return;
      for (const oldest of tooMany) this.#forget(oldest.id);
      this.#publish();
      await database.remove(tooMany.map((oldest) => oldest.id));
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
    this.#publish();
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
    this.#publish(true);
  }

  async #takeOver(change: Change): Promise<void> {
    const summary = change.isDeleted ? undefined : await (await this.#database)?.summary(change.id);
    if (summary) this.#summaries.set(change.id, summary);
    else this.#forget(change.id);
    this.#publish();
    for (const listener of this.#changeListeners) listener({ id: change.id, isDeleted: !summary });
  }

  #tell(change: Change): void {
    this.#channel.postMessage(change);
  }

  #publish(isLoaded = this.#snapshot.isLoaded): void {
    this.#snapshot = {
      isLoaded,
      all: [...this.#summaries.values()].sort((a, b) => b.updatedAt - a.updatedAt),
      deleted: [...this.#deleted.values()].map(({ summary }) => summary),
      problems: new Map(this.#problems),
    };
    for (const listener of this.#listeners) listener();
  }
}

/** Maximum number of conversations kept for each agent. The oldest are deleted first. */
export const maxConversationsPerAgent = 500;

/** Maximum size of one conversation that is kept, as characters of its JSON. */
const maxConversationLength = 8_000_000;

/** Maximum number of saved conversations that a tab keeps in memory. */
export const maxLiveConversations = 20;

/** How long a deletion can be undone, in milliseconds. */
const undoTimeMs = 10_000;

/** What keeps a conversation from being kept, in words for the user. */
const storageProblems = {
  unavailable:
    "This browser doesn't let the page keep chats (private windows often don't). They are gone when the page is closed: export what you need.",
  full: "The browser has no room left, so this chat isn't kept. Delete chats you no longer need, or export this one.",
  tooLong: `This chat is longer than ${maxConversationLength / 1_000_000} MB, so what is new in it isn't kept. Export it, or start a new chat.`,
};
