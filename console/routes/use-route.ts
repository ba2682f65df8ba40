import { useEffect, useSyncExternalStore } from "react";
import type { Route } from "./views.ts";
import { routeOf } from "./views.ts";

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
