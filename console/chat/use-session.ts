import { useEffect, useState, useSyncExternalStore } from "react";
import type { AgentName } from "../routes.ts";
import { goTo, hrefTo } from "../routes.ts";
import { useStore } from "../store.ts";
import type { ChatSession } from "./chat-session.ts";
import type { Chats } from "./chats.ts";

/** The conversation in the page's address. Undefined while it is loading, `"missing"` if it doesn't exist. */
export function useSession(
  chats: Chats,
  agent: AgentName | undefined,
  id: string | undefined,
): ChatSession | "missing" | undefined {
  const [missing, setMissing] = useState<string>();
  const [, setOpened] = useState<ChatSession>();
  // A deleted conversation may be restored.
  const isListed = useStore(chats.store).all.some((summary) => summary.id === id);
  const session = agent && (id === undefined ? chats.fresh(agent) : chats.live(agent, id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a conversation that appears in the list can be opened
  useEffect(() => {
    if (!agent || id === undefined || session) return;
    let isCurrent = true;
    void chats.open(agent, id).then((opened) => {
      if (!isCurrent) return;
      if (opened) setOpened(opened);
      else setMissing(id);
    });
    return () => {
      isCurrent = false;
    };
  }, [chats, agent, id, session, isListed]);

  const hasBegun = useSyncExternalStore(
    (listener) => session?.subscribe(listener) ?? (() => undefined),
    () => (session?.snapshot().messages.length ?? 0) > 0,
  );
  useEffect(() => {
    if (!session || !hasBegun) return;
    chats.noteOpened(session.agent, session.id);
    // A new conversation gets its address once it has begun.
    if (id === undefined) goTo(hrefTo(session.agent, session.id), { replace: true });
  }, [chats, session, hasBegun, id]);

  if (session) return session;
  return missing === id && agent && !isListed ? "missing" : undefined;
}
