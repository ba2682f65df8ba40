import type { AgentName } from "../routes.ts";
import type { ChatMessage } from "./messages.ts";

/** The fields of a conversation that the list shows and searches. */
export interface ConversationSummary {
  id: string;
  agent: AgentName;
  /** Given by the user. Without a name, the title is the first question. */
  name?: string;
  title: string;
  /** The namespace of all its answers. */
  namespace?: string;
  createdAt: number;
  updatedAt: number;
  /** Changes on each save, so that a tab notices when another one has saved. */
  revision: string;
  /** The beginning of questions and answers, in lower case. */
  searchText: string;
}

export interface Conversation {
  id: string;
  agent: AgentName;
  namespace?: string;
  createdAt: number;
  /** The tools that the model may call. Absent if there are no tools. */
  tools?: readonly object[];
  messages: readonly ChatMessage[];
}

/** Maximum length of a name and of a title made from a question, in characters. */
export const maxTitleLength = 100;

/** Maximum length of the searched text, in characters. Questions come first. */
const maxSearchTextLength = 8_000;

/** The first question, on one line. */
export function buildTitle(messages: readonly ChatMessage[]): string {
  const { text = "" } = messages.find(({ role }) => role === "user") ?? {};
  const question = text.replace(/\s+/g, " ").trim();
  if (question === "") return "New chat";
  return question.length > maxTitleLength ? `${question.slice(0, maxTitleLength - 1)}…` : question;
}

export function buildSummary(conversation: Conversation, name: string | undefined, now: number): ConversationSummary {
  const { messages, id, agent, namespace, createdAt } = conversation;
  const questions = messages.filter(({ role }) => role === "user");
  const answers = messages.filter(({ role }) => role === "assistant");
  const texts = [...questions, ...answers].map(({ text }) => text.slice(0, maxSearchTextLength));
  return {
    ...{ id, agent, createdAt, updatedAt: now, revision: crypto.randomUUID() },
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    title: name ?? buildTitle(messages),
    searchText: texts.join("\n").slice(0, maxSearchTextLength).toLowerCase(),
  };
}

/** The conversations whose title, namespace or text contain every word of a query. */
export function searchConversations(
  all: readonly ConversationSummary[],
  query: string,
): readonly ConversationSummary[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return all;
  return all.filter(({ title, namespace = "", searchText }) => {
    const text = `${title}\n${namespace}`.toLowerCase();
    return words.every((word) => text.includes(word) || searchText.includes(word));
  });
}

const dayMs = 86_400_000;
const timeFormat = new Intl.DateTimeFormat("en", { timeStyle: "short" });
const dateFormat = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const yearFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

/** The heading in the list: Today, Yesterday, Last 7 days or Older. */
export function formatAge(atMs: number, nowMs: number): string {
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  if (atMs >= midnight) return "Today";
  // Subtract half a day from midnight, which is yesterday even if a day has 23 or 25 hours.
  if (atMs >= new Date(midnight - dayMs / 2).setHours(0, 0, 0, 0)) return "Yesterday";
  return atMs >= midnight - 7 * dayMs ? "Last 7 days" : "Older";
}

/** The time if it is today, else the date. */
export function formatTime(atMs: number, nowMs: number): string {
  if (formatAge(atMs, nowMs) === "Today") return timeFormat.format(atMs);
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? dateFormat : yearFormat).format(atMs);
}
