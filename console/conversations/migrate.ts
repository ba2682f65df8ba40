import type { AgentName } from "../routes/agents.ts";
import type { Conversation } from "./conversation.ts";
import type { AssistantMessage, ChatMessage } from "./messages.ts";

const keyOf = (agent: AgentName) => `conversation:${agent}`;

/**
 * Takes over the conversation that earlier versions of the page kept for as long as the tab lived. Answers of different
 * namespaces, which those versions mixed, become conversations of their own. The last one is the one that was shown last.
 */
export function takeOverStoredConversations(agent: AgentName, storage: Storage, now: number): Conversation[] {
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
