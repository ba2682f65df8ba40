import { memo, useDeferredValue, useMemo, useState } from "react";
import { Button } from "../design/Button.tsx";
import { download } from "../design/download.ts";
import { formatCount } from "../design/format.ts";
import { Icon } from "../design/Icon.tsx";
import { Menu } from "../design/Menu.tsx";
import type { AgentName } from "../routes.ts";
import { goTo, hrefOf } from "../routes.ts";
import type { ConversationSummary } from "./conversation.ts";
import { ageOf, findConversations, shortTime } from "./conversation.ts";
import type { ConversationStore } from "./conversation-store.ts";
import { maxConversationsPerAgent } from "./conversation-store.ts";
import { exportJson, exportMarkdown } from "./export.ts";
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

/** A conversation in the list, and what can be done with it. */
const ConversationRow = memo(function ConversationRow({
  summary,
  isCurrent,
  store,
  onRename,
  onRemove,
}: {
  summary: ConversationSummary;
  isCurrent: boolean;
  store: ConversationStore;
  onRename: (id: string) => void;
  onRemove: (id: string) => void;
}) {
  const { id, agent, title, namespace, updatedAt } = summary;
  const save = async (format: typeof exportJson) => {
    const stored = await store.read(id);
    if (stored) download(format(summary, stored.conversation));
  };
  const remove = () => {
    onRemove(id);
    if (isCurrent) goTo(hrefOf(agent), { replace: true });
  };
  return (
    <li className="conversation-row">
      <a href={hrefOf(agent, id)} aria-current={isCurrent ? "page" : undefined} title={title}>
        <span className="truncate">{title}</span>
        <span className="small truncate conversation-about">
          {namespace !== undefined && `${namespace} · `}
          {shortTime(updatedAt, Date.now())}
        </span>
      </a>
      <Menu
        label={`Actions for ${title}`}
        items={[
          { label: "Rename", onChoose: () => onRename(id) },
          { label: "Export as Markdown", onChoose: () => void save(exportMarkdown) },
          { label: "Export as JSON", onChoose: () => void save(exportJson) },
          { label: "Delete", onChoose: remove },
        ]}
      />
    </li>
  );
});

/** The conversations that have just been deleted, as long as that can be undone. */
export function DeletedConversations({ store }: { store: ConversationStore }) {
  const { deleted } = useConversations(store);
  return (
    <div className="undo-bars" role="status">
      {deleted.map(({ id, agent, title }) => (
        <div key={id} className="undo-bar">
          <span className="truncate">Deleted “{title}”</span>
          <Button
            small
            onClick={() => {
              store.restore(id);
              goTo(hrefOf(agent, id));
            }}
          >
            Undo
          </Button>
        </div>
      ))}
    </div>
  );
}
