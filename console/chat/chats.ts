import { tabStorage } from "../browser-storage.ts";
import type { Conversation } from "../conversations/conversation.ts";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import type { AgentName } from "../routes.ts";
import { ChatSession } from "./chat-session.ts";
import type { Protocol } from "./protocol.ts";

/** Maximum number of saved conversations that a tab keeps in memory. */
const maxLiveConversations = 20;

const openKey = (agent: AgentName) => `open-conversation:${agent}`;

/** The conversations that this tab has opened. They outlive the views, so that answers continue while another view is shown. */
export class Chats {
  readonly store: ConversationStore;
  readonly #protocols: Record<AgentName, Protocol>;
  readonly #live = new Map<string, ChatSession>();
  readonly #fresh = new Map<AgentName, ChatSession>();

  constructor(store: ConversationStore, protocols: Record<AgentName, Protocol>) {
    this.store = store;
    this.#protocols = protocols;
    store.onChangeElsewhere(({ id, isDeleted }) => {
      const session = this.#live.get(id);
      if (isDeleted) session?.markDeleted();
      else void session?.reload();
    });
  }

  /** An agent's empty conversation. */
  fresh(agent: AgentName): ChatSession {
    const known = this.#fresh.get(agent);
    if (known) return known;
    const session = this.#add({ id: crypto.randomUUID(), agent, createdAt: Date.now(), messages: [] });
    this.#fresh.set(agent, session);
    return session;
  }

  /** Records the conversation that an agent's view shows. Once it has begun, the agent gets a new empty one. */
  noteOpened(agent: AgentName, id: string): void {
    if (this.#fresh.get(agent)?.id === id) this.#fresh.delete(agent);
    tabStorage.write(openKey(agent), id);
  }

  /** A conversation in memory. */
  live(agent: AgentName, id: string): ChatSession | undefined {
    const session = this.#live.get(id);
    return session?.agent === agent ? session : undefined;
  }

  /** Opens a stored conversation. Undefined if it doesn't exist. */
  async open(agent: AgentName, id: string): Promise<ChatSession | undefined> {
    const stored = await this.store.read(id);
    const known = this.live(agent, id);
    if (known || stored?.conversation.agent !== agent) return known;
    return this.#add(stored.conversation, stored.revision);
  }

  /** Deletes a conversation and stops its answer. */
  readonly remove = (id: string): void => {
    const session = this.#live.get(id);
    this.#live.delete(id);
    session?.markDeleted();
    session?.stop();
    void this.store.remove(id);
  };

  /** The id of the agent's conversation that this tab showed last. */
  lastOpened(agent: AgentName): string | undefined {
    return tabStorage.read(openKey(agent));
  }

  #add(conversation: Conversation, revision?: string): ChatSession {
    const session = new ChatSession(this.#protocols[conversation.agent], this.store, conversation, revision);
    this.#evict();
    this.#live.set(conversation.id, session);
    return session;
  }

  /** Drops the conversations that were opened first from memory, if they can be loaded again. */
  #evict(): void {
    for (const [id, session] of this.#live) {
      if (this.#live.size < maxLiveConversations) return;
      if (session.isIdle && session.snapshot().messages.length > 0 && this.store.isSaved(id)) this.#live.delete(id);
    }
  }
}
