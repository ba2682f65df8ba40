import { useEffect, useSyncExternalStore } from "react";
import type { IconName } from "./design/Icon.tsx";

/** The agents. Each has a view with its conversations. */
export const agentNames = ["knowledge", "listing", "relay"] as const;
export type AgentName = (typeof agentNames)[number];

/** All views, in the order of the navigation. */
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

/** Parses the fragment of the page's address. An unknown view becomes the first view. */
export function parseRoute(hash: string): Route {
  const [name, conversationId] = hash.replace(/^#\/?/, "").split("/");
  return { view: views.find((view) => view === name) ?? views[0], conversationId: conversationId || undefined };
}

/** The address of a view, or of a conversation in it. An agent's view without a conversation is a new chat. */
export const hrefTo = (view: View, conversationId?: string): string =>
  conversationId === undefined ? `#/${view}` : `#/${view}/${conversationId}`;

/**
 * Navigates at once. The browser follows a link to a fragment only after the click event, so keys pressed in between would
 * still reach the old view.
 *
 * @param options.replace replaces the current history entry instead of adding one
 */
export function goTo(href: string, options: { replace?: boolean } = {}): void {
  const isSame = options.replace || href === location.hash;
  history[isSame ? "replaceState" : "pushState"](null, "", href);
  // The history methods don't fire this event themselves.
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** The current route. Links to the page's own views navigate with `goTo`. */
export function useRoute(): Route {
  useEffect(() => {
    document.addEventListener("click", followOwnLink);
    return () => document.removeEventListener("click", followOwnLink);
  }, []);
  return parseRoute(useSyncExternalStore(subscribe, () => location.hash));
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

function followOwnLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#/"]') : null;
  // Other buttons and modifier keys open a new tab or window.
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!link || !isPlain || event.defaultPrevented) return;
  event.preventDefault();
  goTo(link.getAttribute("href") ?? "");
}
