import { Fragment, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { protocols } from "../agents/protocols.ts";
import { Chats } from "../chat/chats.ts";
import { useSession } from "../chat/use-session.ts";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { ConversationList, DeletedConversations } from "../conversations/ConversationList.tsx";
import { ConversationStore } from "../conversations/conversation-store.ts";
import { RenameDialog } from "../conversations/RenameDialog.tsx";
import { Icon } from "../design/Icon.tsx";
import { findAllowedNamespace, readNamespace, storeNamespace } from "../documents/namespaces.ts";
import type { AgentName } from "../routes.ts";
import { hrefTo, useRoute } from "../routes.ts";
import { useStore } from "../store.ts";
import { UploadQueue } from "../uploads/upload-queue.ts";
import { Navigation } from "./Navigation.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";
import { findView, isAgentView } from "./views.tsx";

export function App() {
  const { view: name, conversationId } = useRoute();
  const view = findView(name);
  const [chats] = useState(() => new Chats(new ConversationStore(), protocols));
  const [uploads] = useState(() => new UploadQueue());
  const [namespace, onNamespace] = useState(readNamespace);
  const [renamedId, setRenamedId] = useState<string>();
  const agent = isAgentView(view) ? view.name : undefined;
  const session = useSession(chats, agent, conversationId);
  const main = useRef<HTMLElement>(null);
  const previousView = useRef(view);
  useEffect(() => {
    if (previousView.current !== view) main.current?.focus({ preventScroll: true });
    previousView.current = view;
  }, [view]);
  useLayoutEffect(() => {
    // In a small window all views share the page's scroll position. Chats set it themselves.
    if (!isAgentView(view)) scrollTo(0, 0);
  }, [view]);

  useEffect(() => storeNamespace(namespace), [namespace]);

  const { knowledge } = useConnections().connections;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another key changes what is allowed
  useEffect(() => {
    if (knowledge.key === "") return;
    // Ignore errors: the views show why a service refuses to answer.
    findAllowedNamespace(knowledge, namespace).then(
      (allowed) => allowed !== namespace && onNamespace(allowed),
      () => {},
    );
  }, [knowledge]);

  const conversationTitle = useStore(chats.store).all.find(({ id }) => id === conversationId)?.title;
  useEffect(() => {
    const titles = [conversationTitle, view.title, "Agent Backends"];
    document.title = titles.filter(Boolean).join(" · ");
  }, [conversationTitle, view]);

  const list = agent && (
    <ConversationList
      store={chats.store}
      agent={agent}
      currentId={conversationId}
      onRename={setRenamedId}
      onRemove={chats.remove}
    />
  );
  const state = { uploads, namespace, onNamespace };
  return (
    <div className="app">
      <button type="button" className="skip-link button" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header className="sidebar">
        <p className="brand">
          <img src="/icon.svg" alt="" width="28" height="28" />
          <span>Agent Backends</span>
        </p>
        <Navigation current={view} chats={chats} namespace={namespace} />
        {list}
        <ThemeToggle />
      </header>
      <main className="main" id="main" ref={main} tabIndex={-1}>
        {agent && session === "missing" && <MissingConversation agent={agent} />}
        {isAgentView(view) && typeof session === "object" && (
          <Fragment key={session.id}>{view.renderChat({ session, list, store: chats.store }, state)}</Fragment>
        )}
        {!isAgentView(view) && <Suspense>{view.render(state)}</Suspense>}
      </main>
      <DeletedConversations store={chats.store} />
      {renamedId !== undefined && (
        <RenameDialog store={chats.store} id={renamedId} onClose={() => setRenamedId(undefined)} />
      )}
    </div>
  );
}

/** Shown when the page's address names an unknown conversation. */
function MissingConversation({ agent }: { agent: AgentName }) {
  return (
    <div className="page">
      <div className="page-inner missing-conversation">
        <h1>This chat isn't here</h1>
        <p className="muted">
          It was deleted, or it is in another browser: chats are stored only in the browser where they were started.
        </p>
        <a className="button button-primary" href={hrefTo(agent)}>
          <Icon name="plus" />
          New chat
        </a>
      </div>
    </div>
  );
}
