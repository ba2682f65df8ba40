import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { applyStoredTheme } from "./app/ThemeToggle.tsx";
import { ConnectionsProvider } from "./connections/ConnectionsProvider.tsx";
import { readDeployment } from "./connections/connections.ts";
import { keepFocus } from "./design/keep-focus.ts";
import "./design/tokens.css";
import "./design/base.css";
import "./design/controls.css";
import "./design/overlays.css";
import "./app/app.css";
import "./chat/chat.css";
import "./conversations/conversations.css";
import "./markdown/markdown.css";
import "./documents/documents.css";
import "./agents/agents.css";
import "./wire/wire.css";
import "./library/library.css";
import "./status/status.css";
import "./design/forced-colors.css";
import "./design/print.css";

/** Prevents the browser from leaving the page to open a file that was dropped next to the fields for files. */
function refuseStrayFiles(event: DragEvent): void {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "none";
}

const root = document.getElementById("root");
if (!root) throw new Error("The page has no element with the id root");
applyStoredTheme();
keepFocus(root);
for (const type of ["dragover", "drop"] as const) addEventListener(type, refuseStrayFiles);
const deployment = await readDeployment();
createRoot(root).render(
  <StrictMode>
    <ConnectionsProvider deployment={deployment}>
      <App />
    </ConnectionsProvider>
  </StrictMode>,
);
