import type { Chats } from "../chat/chats.ts";
import { Icon } from "../design/Icon.tsx";
import { hrefTo } from "../routes.ts";
import { useStore } from "../store.ts";
import type { View } from "./views.tsx";
import { isAgentView, viewGroups } from "./views.tsx";

/** Links to the views. An agent's link leads to its last open conversation, if that is in the selected namespace. */
export function Navigation({ current, chats, namespace }: { current: View; chats: Chats; namespace: string }) {
  const { all } = useStore(chats.store);
  const hrefToLastOpened = (view: View) => {
    const lastId = isAgentView(view) ? chats.lastOpened(view.name) : undefined;
    const last = all.find(({ id }) => id === lastId);
    const isElsewhere = last?.namespace !== undefined && last.namespace !== namespace;
    return hrefTo(view.name, isElsewhere ? undefined : last?.id);
  };
  return (
    <nav className="navigation" aria-label="Views">
      <ul>
        {viewGroups.flatMap((group) =>
          group.map((view) => (
            <li key={view.name} className={view === group[0] ? "navigation-break" : undefined}>
              <a href={hrefToLastOpened(view)} aria-current={view === current ? "page" : undefined}>
                <Icon name={view.icon} />
                <span>{view.title}</span>
              </a>
            </li>
          )),
        )}
      </ul>
    </nav>
  );
}
