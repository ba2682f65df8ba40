import type { DownloadedFile } from "../design/download.ts";
import type { Conversation, ConversationSummary } from "./conversation.ts";
import type { ChatMessage } from "./messages.ts";

const maxFileNameLength = 60;

const buildFileName = (title: string) =>
  title
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, maxFileNameLength) || "chat";

/** A conversation as readable text. */
export function exportMarkdown(summary: ConversationSummary, { messages }: Conversation): DownloadedFile {
  const about = [
    `Agent: ${summary.agent}`,
    summary.namespace && `Namespace: ${summary.namespace}`,
    `Saved: ${new Date(summary.updatedAt).toISOString()}`,
  ];
  const parts = [`# ${summary.title}`, about.filter(Boolean).join("  \n"), ...messages.flatMap(toMarkdown)];
  const content = `${parts.filter(Boolean).join("\n\n")}\n`;
  return { name: `${buildFileName(summary.title)}.md`, type: "text/markdown", content };
}

/** A conversation with everything stored of it. */
export function exportJson(summary: ConversationSummary, { messages, tools }: Conversation): DownloadedFile {
  const { id, agent, title, namespace, createdAt, updatedAt } = summary;
  const times = { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
  const content = `${JSON.stringify({ id, agent, title, namespace, ...times, tools, messages }, null, 2)}\n`;
  return { name: `${buildFileName(title)}.json`, type: "application/json", content };
}

function toMarkdown(message: ChatMessage): string[] {
  if (message.role === "user") return ["## Question", message.text];
  const calls = message.toolCalls.map(({ name, args }) => `Tool call: \`${name}(${args})\``);
  const sources = message.citations.map(({ n, title, source }) => `- [${n}] ${title} (${source})`);
  return ["## Answer", ...calls, message.text, message.error ?? "", sources.join("\n")];
}
