import { Icon } from "../design/Icon.tsx";
import type { AgentName } from "../routes/agents.ts";
import { hrefOf } from "../routes/views.ts";

/** Stands where the page's address names a conversation that isn't there. */
export function MissingConversation({ agent }: { agent: AgentName }) {
  return (
    <div className="page">
      <div className="page-inner missing-conversation">
        <h1>This chat isn't here</h1>
        <p className="muted">It was deleted, or it was held in another browser: chats are kept where they are held.</p>
        <a className="button button-primary" href={hrefOf(agent)}>
          <Icon name="plus" />
          New chat
        </a>
      </div>
    </div>
  );
}
