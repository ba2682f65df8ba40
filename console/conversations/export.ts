import type { DownloadedFile } from "../design/download.ts";
import type { Conversation, ConversationSummary } from "./conversation.ts";
import type { AssistantMessage, ChatMessage } from "./messages.ts";

const fileNameLength = 60;
const fileNameOf = (title: string) =>
  title
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, fileNameLength) || "chat";

/** A conversation to read. */
export function exportMarkdown(summary: ConversationSummary, { messages }: Conversation): DownloadedFile {
  const about = [`Agent: ${summary.agent}`, summary.namespace && `Namespace: ${summary.namespace}`];
  const parts = [
    `# ${summary.title}`,
    [...about, `Saved: ${new Date(summary.updatedAt).toISOString()}`].filter(Boolean).join("  \n"),
    ...messages.flatMap(partsOf),
  ];
  const content = `${parts.filter(Boolean).join("\n\n")}\n`;
  return { name: `${fileNameOf(summary.title)}.md`, type: "text/markdown", content };
}

/** A conversation to work with: all that is stored of it. */
export function exportJson(summary: ConversationSummary, { messages, tools }: Conversation): DownloadedFile {
  const { id, agent, title, namespace, createdAt, updatedAt } = summary;
  const times = { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
  const content = `${JSON.stringify({ id, agent, title, namespace, ...times, tools, messages }, null, 2)}\n`;
  return { name: `${fileNameOf(title)}.json`, type: "application/json", content };
}

function partsOf(message: ChatMessage): string[] {
  if (message.role === "user") return ["## Question", message.text];
  return ["## Answer", ...message.toolCalls.map(toolCallOf), message.text, message.error ?? "", sourcesOf(message)];
}

const toolCallOf = ({ name, args }: AssistantMessage["toolCalls"][number]) => `Tool call: \`${name}(${args})\``;

function sourcesOf({ citations }: AssistantMessage): string {
  if (citations.length === 0) return "";
  return citations.map(({ n, title, source }) => `- [${n}] ${title} (${source})`).join("\n");
}
