import type { ReactNode, RefObject } from "react";
import { useState } from "react";
import { DeletedConversations } from "../conversations/ConversationList.tsx";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import { Button, IconButton } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import { Icon } from "../design/Icon.tsx";
import { hrefTo } from "../routes.ts";
import { useStore } from "../store.ts";
import type { ChatSession } from "./chat-session.ts";

/** The agent, the conversation's title and the view's controls. On narrow screens the list of chats opens from here. */
export function ChatHead({
  title,
  session,
  store,
  list,
  controls,
  wireOpen,
  wireButton,
  onWire,
}: {
  title: string;
  session: ChatSession;
  store: ConversationStore;
  list: ReactNode;
  controls: ReactNode;
  wireOpen: boolean;
  wireButton: RefObject<HTMLButtonElement | null>;
  onWire: () => void;
}) {
  const [listOpen, setListOpen] = useState(false);
  const summary = useStore(store).all.find(({ id }) => id === session.id);
  return (
    <div className="chat-head">
      <div className="chat-title">
        <h1>{title}</h1>
        {summary && <p className="muted small">{summary.title}</p>}
      </div>
      {controls}
      <div className="row push">
        <IconButton className="only-narrow" look="plain" icon="chats" label="Chats" onClick={() => setListOpen(true)} />
        <a className="button button-small button-icon only-narrow" href={hrefTo(session.agent)} title="New chat">
          <Icon name="plus" />
          <span className="visually-hidden">New chat</span>
        </a>
        <Button ref={wireButton} small icon="wire" aria-expanded={wireOpen} onClick={onWire}>
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
