import type { Conversation } from "../conversations/conversation.ts";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import type { AgentName } from "../routes.ts";

/** What of a conversation changes. */
export interface Content extends Pick<Conversation, "messages"> {
  namespace: string | undefined;
  tools: readonly object[];
}

/** How often an answer is saved while it is being streamed, in milliseconds. */
const saveIntervalMs = 2_000;

/** A conversation in the store, which other tabs save and delete as well. */
export class ConversationRecord {
  readonly id: string;
  readonly agent: AgentName;
  /** Another tab has deleted it. It is saved again once the user goes on with it. */
  isDeleted = false;
  readonly #store: ConversationStore;
  readonly #createdAt: number;
  #revision: string | undefined;
  #savedAt = 0;

  /** @param revision absent where it was never saved */
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

  /** Whether what came since it was saved last is worth another time. */
  get isDue(): boolean {
    return performance.now() - this.#savedAt > saveIntervalMs;
  }

  /** Saves it, unless it is deleted or has not begun. */
  save({ messages, namespace, tools }: Content): void {
    if (this.isDeleted || messages.length === 0) return;
    this.#savedAt = performance.now();
    this.#revision = this.#store.save({
      ...{ id: this.id, agent: this.agent, createdAt: this.#createdAt, messages },
      ...(namespace !== undefined && { namespace }),
      ...(tools.length > 0 && { tools }),
    });
  }

  /** What another tab has saved since; undefined where none has. */
  readNewer(): ReturnType<ConversationStore["readNewer"]> {
    return this.#store.readNewer(this.id, this.#revision);
  }

  /** Goes on from what another tab has saved. */
  takeOver(revision: string): void {
    this.#revision = revision;
    this.isDeleted = false;
  }
}
