import type { ReactNode } from "react";
import { lazy } from "react";
import { KnowledgeView } from "../agents/KnowledgeView.tsx";
import { ListingView } from "../agents/ListingView.tsx";
import { RelayView } from "../agents/RelayView.tsx";
import type { ChatOfView } from "../chat/ChatFrame.tsx";
import type { IconName } from "../design/Icon.tsx";
import type { AgentName } from "../routes.ts";
import type { UploadQueue } from "../uploads/upload-queue.ts";

/** State shared by all views. */
export interface PageState {
  uploads: UploadQueue;
  namespace: string;
  onNamespace: (namespace: string) => void;
}

interface Entry {
  /** Name of the view in the page's address. */
  name: string;
  /** Text of its link in the navigation, and its heading. */
  title: string;
  icon: IconName;
}

/** A view with an agent's conversations. */
interface AgentView extends Entry {
  name: AgentName;
  renderChat: (chat: ChatOfView, state: PageState) => ReactNode;
}

interface PlainView extends Entry {
  render: (state: PageState) => ReactNode;
}

export type View = AgentView | PlainView;

// Views that a first visit doesn't show are loaded on demand.
const LibraryView = lazy(() =>
  import("../library/LibraryView.tsx").then((module) => ({ default: module.LibraryView })),
);
const StatusView = lazy(() => import("../status/StatusView.tsx").then((module) => ({ default: module.StatusView })));

const agentViews: [AgentView, ...AgentView[]] = [
  {
    name: "knowledge",
    title: "Knowledge",
    icon: "book",
    renderChat: (chat, { namespace, onNamespace }) => (
      <KnowledgeView {...chat} namespace={namespace} onNamespace={onNamespace} />
    ),
  },
  { name: "listing", title: "Listing", icon: "chart", renderChat: (chat) => <ListingView {...chat} /> },
  { name: "relay", title: "Relay", icon: "relay", renderChat: (chat) => <RelayView {...chat} /> },
];

const plainViews: PlainView[] = [
  { name: "library", title: "Library", icon: "folder", render: (state) => <LibraryView {...state} /> },
  { name: "status", title: "Status", icon: "pulse", render: () => <StatusView /> },
];

/** Groups of views, in the order of the navigation. To add a view, add it to a group: navigation, title and tests follow. */
export const viewGroups: readonly (readonly View[])[] = [agentViews, plainViews];

/** The view of a route. An unknown name returns the first view. */
export const findView = (name: string): View => viewGroups.flat().find((view) => view.name === name) ?? agentViews[0];

export const isAgentView = (view: View): view is AgentView => "renderChat" in view;
