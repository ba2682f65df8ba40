import { knowledgeProtocol, listingProtocol, relayProtocol } from "../agents/protocols.ts";
import { Chats } from "../chat/chats.ts";
import type { Protocol } from "../chat/protocol.ts";
import type { Conversation } from "../conversations/conversation.ts";
import { ConversationStore } from "../conversations/conversation-store.ts";
import type { ChatMessage } from "../conversations/messages.ts";
import { parseObject } from "../json.ts";
import type { AgentName } from "../routes.ts";
import { hrefTo, parseRoute } from "../routes.ts";
import { findView } from "./views.tsx";

const protocols: Record<AgentName, Protocol> = {
  knowledge: knowledgeProtocol,
  listing: listingProtocol,
  relay: relayProtocol,
};

/** The conversations of this tab, with those that an earlier version of the page has left in it. */
export function createChats(): Chats {
  const chats = new Chats(new ConversationStore(), protocols);
  const { view, conversationId } = parseRoute(location.hash);
  for (const agent of Object.keys(protocols) as AgentName[]) {
    const migrated = migrateConversations(agent, sessionStorage, Date.now());
    for (const conversation of migrated) chats.add(conversation);
    const last = migrated.at(-1);
    if (last && findView(view).name === agent && !conversationId)
      history.replaceState(null, "", hrefTo(agent, last.id));
  }
  return chats;
}

/**
 * Moves the conversation that earlier versions of the page kept in sessionStorage. Those versions mixed the answers of
 * several namespaces, which become one conversation each. The one that was shown last comes last.
 */
function migrateConversations(agent: AgentName, storage: Storage, now: number): Conversation[] {
  const key = `conversation:${agent}`;
  const { messages: stored } = parseObject(storage.getItem(key) ?? "") ?? {};
  storage.removeItem(key);
  const byNamespace = new Map<string | undefined, ChatMessage[]>();
  let questions: ChatMessage[] = [];
  let last: string | undefined;
  for (const message of Array.isArray(stored) ? (stored as ChatMessage[]) : []) {
    questions.push(message);
    if (message.role !== "assistant") continue;
    last = message.namespace;
    const before = byNamespace.get(last) ?? [];
    byNamespace.delete(last);
    byNamespace.set(last, [...before, ...questions]);
    questions = [];
  }
  if (questions.length > 0) byNamespace.set(last, [...(byNamespace.get(last) ?? []), ...questions]);
  return [...byNamespace].map(([namespace, messages]) => ({
    id: crypto.randomUUID(),
    agent,
    createdAt: now,
    messages,
    ...(namespace !== undefined && { namespace }),
  }));
}
