import { memo } from "react";
import { hrefOf } from "../app/views.ts";
import { download } from "../design/download.ts";
import { Menu } from "../design/Menu.tsx";
import { shortTime } from "./ages.ts";
import type { Chats } from "./chats.ts";
import type { ConversationSummary } from "./conversation.ts";
import { exportJson, exportMarkdown } from "./export.ts";

/** A conversation in the list, and what can be done with it. */
export const ConversationRow = memo(function ConversationRow({
  summary,
  isCurrent,
  chats,
  onRename,
}: {
  summary: ConversationSummary;
  isCurrent: boolean;
  chats: Chats;
  onRename: (id: string) => void;
}) {
  const { id, agent, title, namespace, updatedAt } = summary;
  const save = async (format: typeof exportJson) => {
    const stored = await chats.store.read(id);
    if (stored) download(format(summary, stored.conversation));
  };
  const remove = () => {
    chats.remove(id);
    if (isCurrent) location.replace(hrefOf(agent));
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
