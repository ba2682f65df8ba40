import type { Conversation } from "../conversations/conversation.ts";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import type { AgentName } from "../routes.ts";

/** The parts of a conversation that change. */
interface Content extends Pick<Conversation, "messages"> {
  namespace: string | undefined;
  tools: readonly object[];
}

/** Minimum time between two saves of a streaming answer, in milliseconds. */
const saveIntervalMs = 2_000;

/** Maximum time that a question waits for the browser to store it before it is sent. */
const maxSaveWaitMs = 1_000;

/** A conversation in the store. Other tabs may also save and delete it. */
export class ConversationRecord {
  readonly id: string;
  readonly agent: AgentName;
  /** Another tab has deleted the conversation. It isn't saved until the user continues it. */
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

  /** Whether a streaming answer is due to be saved again. */
  get isDue(): boolean {
    return performance.now() - this.#savedAt > saveIntervalMs;
  }

  /** Saves the conversation, unless it is deleted or empty. */
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

  /** The version that another tab has saved since, or undefined. */
  readNewer(): ReturnType<ConversationStore["readNewer"]> {
    return this.#store.readNewer(this.id, this.#revision);
  }

  /** Continues from the version that another tab has saved. */
  takeOver(revision: string): void {
    this.#revision = revision;
    this.isDeleted = false;
  }
}
