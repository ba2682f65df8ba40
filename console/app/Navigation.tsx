import type { Chats } from "../chat/chats.ts";
import { useConversations } from "../conversations/use-conversations.ts";
import { Icon } from "../design/Icon.tsx";
import type { View } from "../routes.ts";
import { hrefOf, isAgent, views, viewTitles } from "../routes.ts";

/** The views. An agent's leads back to the conversation that was open in it, unless another namespace was chosen since. */
export function Navigation({ current, chats, namespace }: { current: View; chats: Chats; namespace: string }) {
  const { all } = useConversations(chats.store);
  const hrefTo = (view: View) => {
    const openId = isAgent(view) ? chats.lastOpened(view) : undefined;
    const open = all.find(({ id }) => id === openId);
    const isElsewhere = open?.namespace !== undefined && open.namespace !== namespace;
    return hrefOf(view, isElsewhere ? undefined : open?.id);
  };
  return (
    <nav className="navigation" aria-label="Views">
      <ul>
        {views.map((view) => (
          <li key={view} className={view === "library" ? "navigation-break" : undefined}>
            <a href={hrefTo(view)} aria-current={view === current ? "page" : undefined}>
              <Icon name={viewTitles[view].icon} />
              <span>{viewTitles[view].title}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
