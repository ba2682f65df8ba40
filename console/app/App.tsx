import { useEffect, useRef, useState } from "react";
import { KnowledgeView } from "../knowledge/KnowledgeView.tsx";
import { LibraryView } from "../library/LibraryView.tsx";
import { ListingView } from "../listing/ListingView.tsx";
import { RelayView } from "../relay/RelayView.tsx";
import { StatusView } from "../status/StatusView.tsx";
import { UploadQueue } from "../uploads/upload-queue.ts";
import { Brand } from "./Brand.tsx";
import { Navigation } from "./Navigation.tsx";
import { createSessions } from "./sessions.ts";
import { ThemeToggle } from "./ThemeToggle.tsx";
import { useView, viewTitles } from "./views.ts";

export function App() {
  const view = useView();
  const [sessions] = useState(createSessions);
  const [uploads] = useState(() => new UploadQueue());
  const [namespace, setNamespace] = useState("default");
  const main = useRef<HTMLElement>(null);
  const shownBefore = useRef(view);
  useEffect(() => {
    document.title = `${viewTitles[view].title} · Agent Backends`;
    if (shownBefore.current !== view) main.current?.focus();
    shownBefore.current = view;
  }, [view]);

  return (
    <div className="app">
      <button type="button" className="skip-link button" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header className="sidebar">
        <Brand />
        <Navigation current={view} />
        <ThemeToggle />
      </header>
      <main className="main" id="main" ref={main} tabIndex={-1}>
        {view === "knowledge" && (
          <KnowledgeView session={sessions.knowledge} namespace={namespace} onNamespace={setNamespace} />
        )}
        {view === "listing" && <ListingView session={sessions.listing} />}
        {view === "relay" && <RelayView session={sessions.relay} />}
        {view === "library" && <LibraryView uploads={uploads} namespace={namespace} onNamespace={setNamespace} />}
        {view === "status" && <StatusView />}
      </main>
    </div>
  );
}
