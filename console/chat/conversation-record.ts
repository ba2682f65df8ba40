import type { Conversation } from "../conversations/conversation.ts";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import type { AgentName } from "../routes.ts";

/** The parts of a conversation that change. */
interface Content extends Pick<Conversation, "messages"> {
  namespace: string | undefined;
  tools: readonly object[];
}

/** How often an answer is saved while it streams, in milliseconds. */
const saveIntervalMs = 2_000;

/** A question is sent after this time even if the browser has not stored it yet. */
const maxSaveWaitMs = 1_000;

/** A conversation in the store. Other tabs may save and delete it as well. */
export class ConversationRecord {
  readonly id: string;
  readonly agent: AgentName;
  /** Another tab has deleted it. It is not saved until the user goes on with it. */
  isDeleted = false;
  readonly #store: ConversationStore;
  readonly #createdAt: number;
  #revision: string | undefined;
  #savedAt = 0;

  /** @param revision undefined if it was never saved */
  constructor(store: ConversationStore, { id, agent, createdAt }: Conversation, revision: string | undefined) {
    this.id = id;
    this.agent = agent;
    this.#store = store;
    this.#createdAt = createdAt;
    this.#revision = revision;
  }

  get wasSaved(): boolean {
    return this.#revision !== undefined;
  }

  /** Whether the last save is long enough ago to save a streaming answer again. */
  get isDue(): boolean {
    return performance.now() - this.#savedAt > saveIntervalMs;
  }

  /** Saves it, unless it is deleted or empty. */
  save({ messages, namespace, tools }: Content): void {
    if (this.isDeleted || messages.length === 0) return;
    this.#savedAt = performance.now();
    this.#revision = this.#store.save({
      ...{ id: this.id, agent: this.agent, createdAt: this.#createdAt, messages },
      ...(namespace !== undefined && { namespace }),
      ...(tools.length > 0 && { tools }),
    });
  }

  /** Resolves once the latest save is in the database or has failed, or after `maxSaveWaitMs`. */
  async written(): Promise<void> {
    await Promise.race([this.#store.written, new Promise((resolve) => setTimeout(resolve, maxSaveWaitMs))]);
  }

  /** What another tab has saved since, or undefined. */
  readNewer(): ReturnType<ConversationStore["readNewer"]> {
    return this.#store.readNewer(this.id, this.#revision);
  }

  /** Continues from what another tab has saved. */
  takeOver(revision: string): void {
    this.#revision = revision;
    this.isDeleted = false;
  }
}
