import type { ConversationStore } from "../conversations/conversation-store.ts";
import { useConversations } from "../conversations/use-conversations.ts";
import { Button } from "../design/Button.tsx";
import { Notice } from "../design/Notice.tsx";
import type { ChatSession } from "./chat-session.ts";
import { useChat } from "./use-chat.ts";

/** What the user should know about a conversation: what an edit has removed, and whether it is kept. */
export function ChatNotices({ session, store }: { session: ChatSession; store: ConversationStore }) {
  const { removedCount, isDeleted } = useChat(session);
  const problem = useConversations(store).problems.get(session.id);
  return (
    <div className="chat-notices" role="status">
      {removedCount > 0 && (
        <p className="row removed-messages small">
          {removedCount === 1 ? "1 message was" : `${removedCount} messages were`} replaced.
          <Button small onClick={() => session.undoRemoval()}>
            Undo
          </Button>
        </p>
      )}
      {problem && <Notice>{problem}</Notice>}
      {isDeleted && (
        <Notice
          action={
            <Button small onClick={() => session.keep()}>
              Keep it
            </Button>
          }
        >
          This chat was deleted in another tab. It stays here until you leave the page.
        </Notice>
      )}
    </div>
  );
}
