import type { Chats } from "../chat/chats.ts";
import { Icon } from "../design/Icon.tsx";
import type { View } from "../routes.ts";
import { hrefTo, isAgent, views, viewTitles } from "../routes.ts";
import { useStore } from "../store.ts";

/** Links to the views. An agent's link leads to its last open conversation, if that is in the selected namespace. */
export function Navigation({ current, chats, namespace }: { current: View; chats: Chats; namespace: string }) {
  const { all } = useStore(chats.store);
  const hrefToLastOpened = (view: View) => {
    const lastId = isAgent(view) ? chats.lastOpened(view) : undefined;
    const last = all.find(({ id }) => id === lastId);
    const isElsewhere = last?.namespace !== undefined && last.namespace !== namespace;
    return hrefTo(view, isElsewhere ? undefined : last?.id);
  };
  return (
    <nav className="navigation" aria-label="Views">
      <ul>
        {views.map((view) => (
          <li key={view} className={view === "library" ? "navigation-break" : undefined}>
            <a href={hrefToLastOpened(view)} aria-current={view === current ? "page" : undefined}>
              <Icon name={viewTitles[view].icon} />
              <span>{viewTitles[view].title}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
