import type { Conversation } from "../conversations/conversation.ts";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import { maxLiveConversations } from "../conversations/conversation-store.ts";
import type { AgentName } from "../routes.ts";
import { ChatSession } from "./chat-session.ts";
import type { Protocol } from "./protocol.ts";

const openKey = (agent: AgentName) => `open-conversation:${agent}`;

/** The conversations that this tab has opened. They outlive the views, so that answers go on while others are looked at. */
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

  /** Saves a conversation, as the one of its agent that was open last. */
  add(conversation: Conversation): void {
    this.#add(conversation, this.store.save(conversation));
    this.noteOpened(conversation.agent, conversation.id);
  }

  /** The conversation of an agent that has not begun. */
  fresh(agent: AgentName): ChatSession {
    const known = this.#fresh.get(agent);
    if (known) return known;
    const session = this.#add({ id: crypto.randomUUID(), agent, createdAt: Date.now(), messages: [] });
    this.#fresh.set(agent, session);
    return session;
  }

  /** Remembers the conversation that an agent's view shows. One that has begun is not the fresh one any more. */
  noteOpened(agent: AgentName, id: string): void {
    if (this.#fresh.get(agent)?.id === id) this.#fresh.delete(agent);
    sessionStorage.setItem(openKey(agent), id);
  }

  /** A conversation that this tab has opened before. */
  live(agent: AgentName, id: string): ChatSession | undefined {
    const session = this.#live.get(id);
    return session?.agent === agent ? session : undefined;
  }

  /** Opens a conversation; undefined where there is none. */
  async open(agent: AgentName, id: string): Promise<ChatSession | undefined> {
    const stored = await this.store.read(id);
    const known = this.live(agent, id);
    if (known || stored?.conversation.agent !== agent) return known;
    return this.#add(stored.conversation, stored.revision);
  }

  /** Deletes a conversation, its answer included where one is coming. */
  remove(id: string): void {
    const session = this.#live.get(id);
    this.#live.delete(id);
    session?.markDeleted();
    session?.stop();
    void this.store.remove(id);
  }

  /** Which conversation of an agent this tab showed last. */
  lastOpened(agent: AgentName): string | undefined {
    return sessionStorage.getItem(openKey(agent)) ?? undefined;
  }

  #add(conversation: Conversation, revision?: string): ChatSession {
    const session = new ChatSession(this.#protocols[conversation.agent], this.store, conversation, revision);
    this.#evict();
    this.#live.set(conversation.id, session);
    return session;
  }

  /** Forgets the conversations that were opened first, as far as they can be read again. */
  #evict(): void {
    for (const [id, session] of this.#live) {
      if (this.#live.size < maxLiveConversations) return;
      if (session.isIdle && session.snapshot().messages.length > 0 && this.store.isSaved(id)) this.#live.delete(id);
    }
  }
}
