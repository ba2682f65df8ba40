import type { ChatMessage } from "./messages.ts";

export interface StoredConversation {
  threadId: string;
  messages: ChatMessage[];
}

export interface ConversationStore {
  read(): StoredConversation | undefined;
  write(conversation: StoredConversation | undefined): void;
}

/** Messages of a conversation that are kept; older ones are forgotten on a reload. */
const messagesAtMost = 60;

/** Keeps a conversation for as long as the tab lives. Without room to keep it, it is there until the page is left. */
export function conversationStore(name: string, storage: Storage = sessionStorage): ConversationStore {
  const key = `conversation:${name}`;
  return {
    read() {
      try {
        return JSON.parse(storage.getItem(key) ?? "null") ?? undefined;
      } catch {
        return undefined;
      }
    },
    write(conversation) {
      if (!conversation) return storage.removeItem(key);
      const { threadId, messages } = conversation;
      try {
        storage.setItem(key, JSON.stringify({ threadId, messages: messages.slice(-messagesAtMost) }));
      } catch {
        storage.removeItem(key);
      }
    },
  };
}
