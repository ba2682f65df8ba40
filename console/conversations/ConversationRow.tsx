import { memo } from "react";
import { download } from "../design/download.ts";
import { Menu } from "../design/Menu.tsx";
import { goTo } from "../routes/use-route.ts";
import { hrefOf } from "../routes/views.ts";
import { shortTime } from "./ages.ts";
import type { ConversationSummary } from "./conversation.ts";
import type { ConversationStore } from "./conversation-store.ts";
import { exportJson, exportMarkdown } from "./export.ts";

/** A conversation in the list, and what can be done with it. */
export const ConversationRow = memo(function ConversationRow({
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
