import type { AgentName } from "../routes.ts";
import type { ChatMessage } from "./messages.ts";

/** What the list of conversations shows and searches. */
export interface ConversationSummary {
  id: string;
  agent: AgentName;
  /** Given by the user; without one the first question names the conversation. */
  name?: string;
  title: string;
  /** The only namespace that its answers come from. */
  namespace?: string;
  createdAt: number;
  updatedAt: number;
  /** Differs after each save, so that a tab knows that another one has saved. */
  revision: string;
  /** Lower-case words of questions and answers. */
  searchText: string;
}

export interface Conversation {
  id: string;
  agent: AgentName;
  namespace?: string;
  createdAt: number;
  /** What the model may call in it; absent where that is nothing. */
  tools?: readonly object[];
  messages: readonly ChatMessage[];
}

/** Maximum length of a name and of a title made from a question, in characters. */
export const maxTitleLength = 100;

/** Maximum length of the text by which a conversation is found, in characters. Questions come first. */
const maxSearchTextLength = 8_000;

/** The first question on one line. */
export function titleFrom(messages: readonly ChatMessage[]): string {
  const question =
    messages
      .find(({ role }) => role === "user")
      ?.text.replace(/\s+/g, " ")
      .trim() ?? "";
  if (question === "") return "New chat";
  return question.length > maxTitleLength ? `${question.slice(0, maxTitleLength - 1)}…` : question;
}

/** The summary of a conversation as it is saved now, under the name that it had. */
export function summarize(conversation: Conversation, name: string | undefined, now: number): ConversationSummary {
  const { messages, id, agent, namespace, createdAt } = conversation;
  const questions = messages.filter(({ role }) => role === "user");
  const answers = messages.filter(({ role }) => role === "assistant");
  const texts = [...questions, ...answers].map(({ text }) => text.slice(0, maxSearchTextLength));
  return {
    ...{ id, agent, createdAt, updatedAt: now, revision: crypto.randomUUID() },
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    title: name ?? titleFrom(messages),
    searchText: texts.join("\n").slice(0, maxSearchTextLength).toLowerCase(),
  };
}

/** The conversations in which every word of a query occurs: in the title, the namespace or the text. */
export function findConversations(all: readonly ConversationSummary[], query: string): readonly ConversationSummary[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return all;
  return all.filter(({ title, namespace = "", searchText }) => {
    const text = `${title}\n${namespace}`.toLowerCase();
    return words.every((word) => text.includes(word) || searchText.includes(word));
  });
}

const dayMs = 86_400_000;
const times = new Intl.DateTimeFormat("en", { timeStyle: "short" });
const dates = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const datesOfYears = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

/** Where a moment stands in a list that is ordered by time: under Today, Yesterday, Last 7 days or Older. */
export function ageOf(atMs: number, nowMs: number): string {
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  if (atMs >= midnight) return "Today";
  if (atMs >= new Date(midnight - dayMs / 2).setHours(0, 0, 0, 0)) return "Yesterday";
  return atMs >= midnight - 7 * dayMs ? "Last 7 days" : "Older";
}

/** A moment in few letters: the time of today, else the day. */
export function shortTime(atMs: number, nowMs: number): string {
  if (ageOf(atMs, nowMs) === "Today") return times.format(atMs);
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? dates : datesOfYears).format(atMs);
}
