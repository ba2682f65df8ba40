import { useSyncExternalStore } from "react";
import type { ChatSession } from "./chat-session.ts";
import type { ChatSnapshot } from "./chat-snapshot.ts";

export function useChat(session: ChatSession): ChatSnapshot {
  return useSyncExternalStore(session.subscribe, session.snapshot);
}
