import { memo, useDeferredValue, useMemo, useState } from "react";
import { download } from "../design/download.ts";
import { SearchInput } from "../design/Field.tsx";
import { formatCount } from "../design/format.ts";
import { Icon } from "../design/Icon.tsx";
import { Menu } from "../design/Menu.tsx";
import { UndoBars } from "../design/Notice.tsx";
import type { AgentName } from "../routes.ts";
import { goTo, hrefTo } from "../routes.ts";
import { useStore } from "../store.ts";
import type { ConversationSummary } from "./conversation.ts";
import { formatAge, formatTime, searchConversations } from "./conversation.ts";
import type { ConversationStore } from "./conversation-store.ts";
import { maxConversationsPerAgent } from "./conversation-store.ts";
import { exportJson, exportMarkdown } from "./export.ts";

interface Actions {
  store: ConversationStore;
  onRename: (id: string) => void;
  onRemove: (id: string) => void;
}

/** An agent's conversations, newest first, with a search. */
export function ConversationList({
  agent,
  currentId,
  ...actions
}: Actions & { agent: AgentName; currentId: string | undefined }) {
  const { all, isLoaded } = useStore(actions.store);
  const [query, setQuery] = useState("");
  const deferredQuery = useDeferredValue(query);
  const own = useMemo(() => all.filter((summary) => summary.agent === agent), [all, agent]);
  const found = useMemo(() => searchConversations(own, deferredQuery), [own, deferredQuery]);
  const groups = useMemo(() => {
    const now = Date.now();
    return Map.groupBy(found, ({ updatedAt }) => formatAge(updatedAt, now));
  }, [found]);
  return (
    <section className="conversations" aria-label="Chats">
      <a className="button" href={hrefTo(agent)}>
        <Icon name="plus" />
        New chat
      </a>
      {own.length > 0 && <SearchInput label="Search chats" value={query} onChange={setQuery} />}
      <div className="conversations-list">
        {[...groups].map(([age, summaries]) => (
          <section key={age} aria-label={age}>
            <h2 className="conversations-age">{age}</h2>
            <ul>
              {summaries.map((summary) => (
                <ConversationRow key={summary.id} summary={summary} isCurrent={summary.id === currentId} {...actions} />
              ))}
            </ul>
          </section>
        ))}
        {isLoaded && own.length === 0 && (
          <p className="muted small">Chats are stored in this browser and listed here.</p>
        )}
        {own.length > 0 && found.length === 0 && <p className="muted small">No chat has these words.</p>}
        {own.length > maxConversationsPerAgent * 0.9 && (
          <p className="muted small">The newest {maxConversationsPerAgent} chats are kept. Older ones are deleted.</p>
        )}
      </div>
      <p role="status" className="visually-hidden">
        {deferredQuery && `${formatCount(found.length, "chat")} found`}
      </p>
    </section>
  );
}

const ConversationRow = memo(function ConversationRow({
  summary,
  isCurrent,
  store,
  onRename,
  onRemove,
}: Actions & { summary: ConversationSummary; isCurrent: boolean }) {
  const { id, agent, title, namespace, updatedAt } = summary;
  const save = async (format: typeof exportJson) => {
    const stored = await store.read(id);
    if (stored) download(format(summary, stored.conversation));
  };
  const remove = () => {
    onRemove(id);
    if (isCurrent) goTo(hrefTo(agent), { replace: true });
  };
  return (
    <li className="conversation-row">
      <a href={hrefTo(agent, id)} aria-current={isCurrent ? "page" : undefined} title={title}>
        <span className="truncate">{title}</span>
        <span className="small truncate conversation-about">
          {namespace !== undefined && `${namespace} · `}
          {formatTime(updatedAt, Date.now())}
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

/** Recently deleted conversations, while their deletion can be undone. */
export function DeletedConversations({ store }: { store: ConversationStore }) {
  const { deleted } = useStore(store);
  const undo = (id: string) => {
    const summary = deleted.find((other) => other.id === id);
    store.restore(id);
    if (summary) goTo(hrefTo(summary.agent, id));
  };
  return <UndoBars deleted={deleted} onUndo={undo} />;
}
