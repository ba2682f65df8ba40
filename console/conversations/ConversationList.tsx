import { useDeferredValue, useMemo, useState } from "react";
import { formatCount } from "../design/format-count.ts";
import { Icon } from "../design/Icon.tsx";
import type { AgentName } from "../routes/agents.ts";
import { hrefOf } from "../routes/views.ts";
import { ageOf } from "./ages.ts";
import { ConversationRow } from "./ConversationRow.tsx";
import { findConversations } from "./conversation.ts";
import type { ConversationStore } from "./conversation-store.ts";
import { maxConversationsPerAgent } from "./limits.ts";
import { useConversations } from "./use-conversations.ts";

/** An agent's conversations, newest first, to search and to choose from. */
export function ConversationList({
  store,
  agent,
  currentId,
  onRename,
  onRemove,
}: {
  store: ConversationStore;
  agent: AgentName;
  currentId: string | undefined;
  onRename: (id: string) => void;
  onRemove: (id: string) => void;
}) {
  const { all, isLoaded } = useConversations(store);
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
                  store={store}
                  onRename={onRename}
                  onRemove={onRemove}
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
        {wanted && `${formatCount([...groups.values()].flat().length, "chat")} found`}
      </p>
    </section>
  );
}
