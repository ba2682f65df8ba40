import { useSyncExternalStore } from "react";
import type { ConversationStore, ConversationsSnapshot } from "./conversation-store.ts";

export function useConversations(store: ConversationStore): ConversationsSnapshot {
  return useSyncExternalStore(store.subscribe, store.snapshot);
}
