import { Chats } from "../chat/chats.ts";
import { ConversationStore } from "../conversations/conversation-store.ts";
import { takeOverStoredConversations } from "../conversations/migrate.ts";
import { knowledgeProtocol } from "../knowledge/protocol.ts";
import { celebrate } from "../listing/celebrate.ts";
import { listingProtocol } from "../listing/protocol.ts";
import { relayProtocol } from "../relay/protocol.ts";
import { agentNames } from "../routes/agents.ts";
import { hrefOf, routeOf } from "../routes/views.ts";

/** The conversations of this tab. One that an earlier version of the page has left in it is shown where it was. */
export function createChats(): Chats {
  const chats = new Chats(new ConversationStore(), {
    knowledge: knowledgeProtocol,
    listing: listingProtocol(celebrate),
    relay: relayProtocol,
  });
  const { view, conversationId } = routeOf(location.hash);
  for (const agent of agentNames) {
    const stored = takeOverStoredConversations(agent, sessionStorage, Date.now());
    for (const conversation of stored) chats.add(conversation);
    const last = stored.at(-1);
    if (last && view === agent && !conversationId) history.replaceState(null, "", hrefOf(agent, last.id));
  }
  return chats;
}
