import { useSyncExternalStore } from "react";
import type { IconName } from "../design/Icon.tsx";

export const views = ["knowledge", "listing", "relay", "library", "status"] as const;
export type View = (typeof views)[number];

export const viewTitles: Record<View, { title: string; icon: IconName }> = {
  knowledge: { title: "Knowledge", icon: "book" },
  listing: { title: "Listing", icon: "chart" },
  relay: { title: "Relay", icon: "relay" },
  library: { title: "Library", icon: "folder" },
  status: { title: "Status", icon: "pulse" },
};

/** The view that the page's address names; the first one for any other address. */
export function viewOf(hash: string): View {
  const name = hash.replace(/^#\/?/, "");
  return views.find((view) => view === name) ?? views[0];
}

export const hrefOf = (view: View): string => `#/${view}`;

const subscribe = (listener: () => void) => {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
};

export function useView(): View {
  return useSyncExternalStore(subscribe, () => viewOf(location.hash));
}
