import { useSyncExternalStore } from "react";
import type { ChatSession, ChatSnapshot } from "./chat-session.ts";

export function useChat(session: ChatSession): ChatSnapshot {
  return useSyncExternalStore(session.subscribe, session.snapshot);
}
