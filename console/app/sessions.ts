import { ChatSession } from "../chat/chat-session.ts";
import { conversationStore } from "../chat/stored-conversation.ts";
import { knowledgeProtocol } from "../knowledge/protocol.ts";
import { celebrate } from "../listing/celebrate.ts";
import { listingProtocol } from "../listing/protocol.ts";
import { relayProtocol } from "../relay/protocol.ts";

/** One conversation for each agent. They outlive the views, so that an answer goes on while another view is looked at. */
export function createSessions() {
  return {
    knowledge: new ChatSession(knowledgeProtocol, conversationStore("knowledge")),
    listing: new ChatSession(listingProtocol(celebrate), conversationStore("listing")),
    relay: new ChatSession(relayProtocol, conversationStore("relay")),
  };
}
