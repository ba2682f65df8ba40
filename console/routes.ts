import { useEffect, useSyncExternalStore } from "react";

/** The agents. Each has a view with its conversations. */
export type AgentName = "knowledge" | "listing" | "relay";

export interface Route {
  /** The name of a view. The view may not exist. */
  view: string;
  conversationId: string | undefined;
}

/** Parses the fragment of the page's address. */
export function parseRoute(hash: string): Route {
  const [view = "", conversationId] = hash.replace(/^#\/?/, "").split("/");
  return { view, conversationId: conversationId || undefined };
}

/** The address of a view, or of a conversation in it. An agent's view without a conversation is a new chat. */
export const hrefTo = (view: string, conversationId?: string): string =>
  conversationId === undefined ? `#/${view}` : `#/${view}/${conversationId}`;

/**
 * Navigates at once. Browsers follow a link to a fragment only after the click event, so keys pressed in between would still reach the
 * old view.
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
