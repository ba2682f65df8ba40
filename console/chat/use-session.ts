import { useEffect, useState, useSyncExternalStore } from "react";
import { useConversations } from "../conversations/use-conversations.ts";
import type { AgentName } from "../routes.ts";
import { goTo, hrefOf } from "../routes.ts";
import type { ChatSession } from "./chat-session.ts";
import type { Chats } from "./chats.ts";

/** The conversation that the page's address names, `"missing"` where there is none; undefined while it is being looked for. */
export function useSession(
  chats: Chats,
  agent: AgentName | undefined,
  id: string | undefined,
): ChatSession | "missing" | undefined {
  const [missing, setMissing] = useState<string>();
  const [, setOpened] = useState<ChatSession>();
  // One that was deleted may be brought back.
  const isListed = useConversations(chats.store).all.some((summary) => summary.id === id);
  const session = agent && (id === undefined ? chats.fresh(agent) : chats.live(agent, id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is listed now can be opened now
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
    // The address names a new conversation as soon as there is something to come back to.
    if (id === undefined) goTo(hrefOf(session.agent, session.id), { replace: true });
  }, [chats, session, hasBegun, id]);

  if (session) return session;
  return missing === id && agent && !isListed ? "missing" : undefined;
}
