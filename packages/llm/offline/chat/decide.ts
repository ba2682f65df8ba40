import type { ChatRequest } from "./chat-request.ts";
import { readChunks } from "./chunks.ts";
import { extractAnswer } from "./extract.ts";
import { introduce, isGreeting } from "./introduction.ts";
import { findPayload } from "./payload.ts";
import { isSearchTool, searchArguments, searchedIn } from "./search-tool.ts";
import { summarise } from "./summary.ts";

/** What the offline provider does: it says something, or it calls a tool. */
export type Decision = { say: string } | { call: { name: string; args: Record<string, unknown> } };

/**
 * Decides the answer to a conversation, by rules alone: with a search tool it searches first; with what a tool
 * found it answers by the best matching sentences; data in the prompt is summarised; else it says what it is.
 */
export function decide(request: ChatRequest): Decision {
  const { messages } = request;
  const asked = messages.findLastIndex((message) => message.role === "user");
  const question = messages[asked]?.content.trim() ?? "";
  const results = messages.slice(asked + 1).filter((message) => message.role === "tool");
  if (results.length > 0) {
    const said = messages.slice(0, asked).flatMap(({ role, content }) => (role === "assistant" ? [content] : []));
    const searched = messages.slice(asked + 1).flatMap(searchedIn);
    const chunks = readChunks(results.map(({ content }) => content));
    if (chunks.length === 0 && isGreeting(question)) return { say: introduce(question, []) };
    return { say: extractAnswer(question, chunks, { context: searched.join(" "), said: said.join("\n") }) };
  }

  const tools = (request.tools ?? []).map((tool) => tool.function);
  const searchTool = request.tool_choice === "none" ? undefined : tools.find(isSearchTool);
  if (searchTool && question) {
    return { call: { name: searchTool.name, args: searchArguments(searchTool.parameters ?? {}, question) } };
  }
  const payload = findPayload(messages);
  if (payload !== undefined) return { say: summarise(payload) };
  return {
    say: introduce(
      question,
      tools.map((tool) => tool.name),
    ),
  };
}
