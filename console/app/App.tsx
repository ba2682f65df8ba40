import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { KnowledgeView } from "../agents/KnowledgeView.tsx";
import { ListingView } from "../agents/ListingView.tsx";
import { RelayView } from "../agents/RelayView.tsx";
import { useSession } from "../chat/use-session.ts";
import { ConversationList, DeletedConversations } from "../conversations/ConversationList.tsx";
import { RenameDialog } from "../conversations/RenameDialog.tsx";
import { useConversations } from "../conversations/use-conversations.ts";
import { Icon } from "../design/Icon.tsx";
import { storedNamespace, storeNamespace } from "../documents/namespaces.ts";
import type { AgentName } from "../routes.ts";
import { goTo, hrefOf, isAgent, useRoute, viewTitles } from "../routes.ts";
import { UploadQueue } from "../uploads/upload-queue.ts";
import { createChats } from "./create-chats.ts";
import { Navigation } from "./Navigation.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";

// What a first visit does not show is loaded when it is looked at.
const LibraryView = lazy(() =>
  import("../library/LibraryView.tsx").then((module) => ({ default: module.LibraryView })),
);
const StatusView = lazy(() => import("../status/StatusView.tsx").then((module) => ({ default: module.StatusView })));

export function App() {
  const { view, conversationId } = useRoute();
  const [chats] = useState(createChats);
  const [uploads] = useState(() => new UploadQueue());
  const [namespace, setNamespace] = useState(storedNamespace);
  const [renamed, setRenamed] = useState<string>();
  const agent = isAgent(view) ? view : undefined;
  const session = useSession(chats, agent, conversationId);
  const main = useRef<HTMLElement>(null);
  const shownBefore = useRef(view);
  useEffect(() => {
    if (shownBefore.current !== view) main.current?.focus({ preventScroll: true });
    shownBefore.current = view;
  }, [view]);
  useLayoutEffect(() => {
    // In a small window all views share the page's scroll position. A chat sets it by itself.
    if (!isAgent(view)) scrollTo(0, 0);
  }, [view]);

  useEffect(() => storeNamespace(namespace), [namespace]);

  const { all } = useConversations(chats.store);
  const conversationTitle = all.find(({ id }) => id === conversationId)?.title;
  useEffect(() => {
    const titles = [conversationTitle, viewTitles[view].title, "Agent Backends"];
    document.title = titles.filter(Boolean).join(" · ");
  }, [conversationTitle, view]);

  const list = agent && (
    <ConversationList
      store={chats.store}
      agent={agent}
      currentId={conversationId}
      onRename={setRenamed}
      onRemove={(id) => chats.remove(id)}
    />
  );
  const key = typeof session === "object" ? session.id : undefined;
  const chat = session && session !== "missing" && { session, list, store: chats.store };
  return (
    <div className="app">
      <button type="button" className="skip-link button" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header className="sidebar">
        <Brand />
        <Navigation current={view} chats={chats} namespace={namespace} />
        {list}
        <ThemeToggle />
      </header>
      <main className="main" id="main" ref={main} tabIndex={-1}>
        {agent && session === "missing" && <MissingConversation agent={agent} />}
        {chat && view === "knowledge" && (
          <KnowledgeView
            key={key}
            {...chat}
            namespace={namespace}
            onNamespace={(chosen, isOther) => {
              setNamespace(chosen);
              if (isOther) goTo(hrefOf("knowledge"));
            }}
          />
        )}
        {chat && view === "listing" && <ListingView key={key} {...chat} />}
        {chat && view === "relay" && <RelayView key={key} {...chat} />}
        <Suspense>
          {view === "library" && <LibraryView uploads={uploads} namespace={namespace} onNamespace={setNamespace} />}
          {view === "status" && <StatusView />}
        </Suspense>
      </main>
      <DeletedConversations store={chats.store} />
      {renamed !== undefined && <RenameDialog store={chats.store} id={renamed} onClose={() => setRenamed(undefined)} />}
    </div>
  );
}

function Brand() {
  return (
    <p className="brand">
      <img src="/icon.svg" alt="" width="28" height="28" />
      <span>Agent Backends</span>
    </p>
  );
}

/** Stands where the page's address names a conversation that isn't there. */
function MissingConversation({ agent }: { agent: AgentName }) {
  return (
    <div className="page">
      <div className="page-inner missing-conversation">
        <h1>This chat isn't here</h1>
        <p className="muted">It was deleted, or it was held in another browser: chats are kept where they are held.</p>
        <a className="button button-primary" href={hrefOf(agent)}>
          <Icon name="plus" />
          New chat
        </a>
      </div>
    </div>
  );
}
