import type { ReactNode } from "react";
import { useState } from "react";
import { DeletedConversations } from "../conversations/ConversationList.tsx";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import { useConversations } from "../conversations/use-conversations.ts";
import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import { Icon } from "../design/Icon.tsx";
import { hrefOf } from "../routes.ts";
import type { ChatSession } from "./chat-session.ts";

/** Over a conversation: its agent, its title and what can be set. Where there is no room beside it, its list is behind a button. */
export function ChatHead({
  title,
  session,
  store,
  list,
  controls,
  wireOpen,
  onWire,
}: {
  title: string;
  session: ChatSession;
  store: ConversationStore;
  list: ReactNode;
  controls: ReactNode;
  wireOpen: boolean;
  onWire: () => void;
}) {
  const [listOpen, setListOpen] = useState(false);
  const summary = useConversations(store).all.find(({ id }) => id === session.id);
  return (
    <div className="chat-head">
      <div className="chat-title">
        <h1>{title}</h1>
        {summary && <p className="muted small truncate">{summary.title}</p>}
      </div>
      {controls}
      <div className="row push">
        <Button className="only-narrow" small icon="chats" iconOnly title="Chats" onClick={() => setListOpen(true)}>
          Chats
        </Button>
        <a className="button button-small button-icon only-narrow" href={hrefOf(session.agent)} title="New chat">
          <Icon name="plus" />
          <span className="visually-hidden">New chat</span>
        </a>
        <Button small icon="wire" aria-expanded={wireOpen} onClick={onWire}>
          Wire
        </Button>
      </div>
      {listOpen && (
        <Dialog title={`${title} chats`} onClose={() => setListOpen(false)}>
          {list}
          <DeletedConversations store={store} />
        </Dialog>
      )}
    </div>
  );
}
