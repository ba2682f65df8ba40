import type { IconName } from "../design/Icon.tsx";
import type { AgentName } from "./agents.ts";
import { agentNames } from "./agents.ts";

export const views = [...agentNames, "library", "status"] as const;
export type View = (typeof views)[number];

export const viewTitles: Record<View, { title: string; icon: IconName }> = {
  knowledge: { title: "Knowledge", icon: "book" },
  listing: { title: "Listing", icon: "chart" },
  relay: { title: "Relay", icon: "relay" },
  library: { title: "Library", icon: "folder" },
  status: { title: "Status", icon: "pulse" },
};

export const isAgent = (view: View): view is AgentName => agentNames.some((agent) => agent === view);

export interface Route {
  view: View;
  conversationId: string | undefined;
}

/** What the page's address names; the first view for any address that names none. */
export function routeOf(hash: string): Route {
  const [name, conversationId] = hash.replace(/^#\/?/, "").split("/");
  return { view: views.find((view) => view === name) ?? views[0], conversationId: conversationId || undefined };
}

/** The address of a view, or of a conversation in it. An agent's view alone is a new conversation. */
export const hrefOf = (view: View, conversationId?: string): string =>
  conversationId === undefined ? `#/${view}` : `#/${view}/${conversationId}`;
