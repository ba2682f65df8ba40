import { useDeferredValue, useMemo, useState } from "react";
import { hrefOf } from "../app/views.ts";
import { Icon } from "../design/Icon.tsx";
import { ageOf } from "./ages.ts";
import { ConversationRow } from "./ConversationRow.tsx";
import type { Chats } from "./chats.ts";
import type { AgentName } from "./conversation.ts";
import { findConversations } from "./conversation.ts";
import { maxConversationsPerAgent } from "./limits.ts";
import { useConversations } from "./use-conversations.ts";

/** An agent's conversations, newest first, to search and to choose from. */
export function ConversationList({
  chats,
  agent,
  currentId,
  onRename,
}: {
  chats: Chats;
  agent: AgentName;
  currentId: string | undefined;
  onRename: (id: string) => void;
}) {
  const { all, isLoaded } = useConversations(chats.store);
  const [query, setQuery] = useState("");
  const wanted = useDeferredValue(query);
  const own = useMemo(() => all.filter((summary) => summary.agent === agent), [all, agent]);
  const groups = useMemo(() => {
    const now = Date.now();
    return Map.groupBy(findConversations(own, wanted), ({ updatedAt }) => ageOf(updatedAt, now));
  }, [own, wanted]);
  return (
    <section className="conversations" aria-label="Chats">
      <a className="button" href={hrefOf(agent)}>
        <Icon name="plus" />
        New chat
      </a>
      {own.length > 0 && (
        <input
          type="search"
          className="input"
          aria-label="Search chats"
          placeholder="Search chats"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      <div className="conversations-list">
        {[...groups].map(([age, summaries]) => (
          <section key={age} aria-label={age}>
            <h2 className="conversations-age">{age}</h2>
            <ul>
              {summaries.map((summary) => (
                <ConversationRow
                  key={summary.id}
                  summary={summary}
                  isCurrent={summary.id === currentId}
                  chats={chats}
                  onRename={onRename}
                />
              ))}
            </ul>
          </section>
        ))}
        {isLoaded && own.length === 0 && <p className="muted small">Chats are kept in this browser and listed here.</p>}
        {own.length > 0 && groups.size === 0 && <p className="muted small">No chat has these words.</p>}
        {own.length > maxConversationsPerAgent * 0.9 && (
          <p className="muted small">The newest {maxConversationsPerAgent} chats are kept. Older ones are deleted.</p>
        )}
      </div>
      <p role="status" className="visually-hidden">
        {wanted && `${[...groups.values()].flat().length} chats found`}
      </p>
    </section>
  );
}
