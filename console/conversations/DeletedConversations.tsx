import { Button } from "../design/Button.tsx";
import { goTo } from "../routes/use-route.ts";
import { hrefOf } from "../routes/views.ts";
import type { ConversationStore } from "./conversation-store.ts";
import { useConversations } from "./use-conversations.ts";

/** The conversations that have just been deleted, as long as that can be undone. */
export function DeletedConversations({ store }: { store: ConversationStore }) {
  const { deleted } = useConversations(store);
  return (
    <div className="undo-bars" role="status">
      {deleted.map(({ id, agent, title }) => (
        <div key={id} className="undo-bar">
          <span className="truncate">Deleted “{title}”</span>
          <Button
            small
            onClick={() => {
              store.restore(id);
              goTo(hrefOf(agent, id));
            }}
          >
            Undo
          </Button>
        </div>
      ))}
    </div>
  );
}
