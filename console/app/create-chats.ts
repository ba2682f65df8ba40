import { celebrate, knowledgeProtocol, listingProtocol, relayProtocol } from "../agents/protocols.ts";
import { Chats } from "../chat/chats.ts";
import type { Conversation } from "../conversations/conversation.ts";
import { ConversationStore } from "../conversations/conversation-store.ts";
import type { AssistantMessage, ChatMessage } from "../conversations/messages.ts";
import type { AgentName } from "../routes.ts";
import { agentNames, hrefOf, routeOf } from "../routes.ts";

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

const keyOf = (agent: AgentName) => `conversation:${agent}`;

/**
 * Takes over the conversation that earlier versions of the page kept for as long as the tab lived. Answers of different
 * namespaces, which those versions mixed, become conversations of their own. The last one is the one that was shown last.
 */
function takeOverStoredConversations(agent: AgentName, storage: Storage, now: number): Conversation[] {
  const stored = parse(storage.getItem(keyOf(agent)));
  storage.removeItem(keyOf(agent));
  const byNamespace = new Map<string | undefined, ChatMessage[]>();
  let questions: ChatMessage[] = [];
  let last: string | undefined;
  for (const message of stored) {
    questions.push(message);
    if (message.role !== "assistant") continue;
    last = (message as AssistantMessage).namespace;
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

function parse(text: string | null): ChatMessage[] {
  try {
    const { messages } = JSON.parse(text ?? "null") ?? {};
    return Array.isArray(messages) ? messages : [];
  } catch {
    return [];
  }
}
