import { useEffect, useSyncExternalStore } from "react";
import type { IconName } from "./design/Icon.tsx";

/** The agents that can be talked to, each in a view of its own. */
export const agentNames = ["knowledge", "listing", "relay"] as const;
export type AgentName = (typeof agentNames)[number];

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

interface Route {
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

const listeners = new Set<() => void>();

/**
 * Shows what an address names, at once. The browser follows a link to a fragment only after the event that asked for it, and
 * what is typed in between would go to what was shown before.
 *
 * @param options `replace` leaves no way back to the address that was shown before
 */
export function goTo(href: string, options: { replace?: boolean } = {}): void {
  const isSame = options.replace || href === location.hash;
  history[isSame ? "replaceState" : "pushState"](null, "", href);
  for (const listener of listeners) listener();
}

/** What the page's address names. Links to the page's own views are followed by `goTo`. */
export function useRoute(): Route {
  useEffect(() => {
    document.addEventListener("click", followOwnLink);
    return () => document.removeEventListener("click", followOwnLink);
  }, []);
  return routeOf(useSyncExternalStore(subscribe, () => location.hash));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("hashchange", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("hashchange", listener);
  };
}

function followOwnLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#/"]') : null;
  // A click with another button or a key is for a new tab or window.
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!link || !isPlain || event.defaultPrevented) return;
  event.preventDefault();
  goTo(link.getAttribute("href") ?? "");
}
