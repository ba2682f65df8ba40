import { answerFromChunks } from "../reader/answer.ts";
import { hasNoDocuments, readChunks } from "../reader/chunks.ts";
import { refuseWithoutDocuments } from "../reader/refusals.ts";
import { adviseFromPrompt } from "./advice.ts";
import type { ChatRequest } from "./chat-request.ts";
import { answerCourtesy, withoutGreeting } from "./courtesy.ts";
import { buildSearchArguments, findSearches, isSearchTool } from "./search-tool.ts";
import { summarisePayload } from "./summary.ts";

const maxToolsNamed = 10;
/** Only this much of a question is read: the time that a pattern takes may grow with the square of the length. */
const maxQuestionCharacters = 2_000;

export type Decision = { say: string } | { call: { name: string; args: Record<string, unknown> } };

/**
 * Decides the answer by rules alone. With a search tool, it searches first, and then answers with the best matching sentences of the
 * results. It summarises launches in the prompt, and quotes advice in it. Otherwise it introduces itself.
 */
export function decide(request: ChatRequest): Decision {
  const { messages } = request;
  const asked = messages.findLastIndex((message) => message.role === "user");
  const question = messages[asked]?.content.trim().slice(0, maxQuestionCharacters) ?? "";
  const results = messages.slice(asked + 1).filter((message) => message.role === "tool");
  const listTexts = (wanted: string, some = messages) =>
    some.flatMap(({ role, content }) => (role === wanted ? [content] : []));
  if (results.length > 0) {
    const before = messages.slice(0, asked);
    const cut = (text: string) => text.slice(0, maxQuestionCharacters);
    const searches = messages
      .slice(asked + 1)
      .flatMap(findSearches)
      .map(cut);
    const chunks = readChunks(results.map(({ content }) => content));
    const earlier = listTexts("user", before).map(cut);
    const courtesy = answerCourtesy(question, earlier);
    if (courtesy !== undefined) return { say: courtesy };
    if (results.some(({ content }) => hasNoDocuments(content)))
      return { say: refuseWithoutDocuments(question, earlier) };
    const earlierAnswers = listTexts("assistant", before).join("\n");
    const conversation = { context: searches.join(" "), earlierQuestions: earlier, earlierAnswers };
    return { say: answerFromChunks(withoutGreeting(question), chunks, conversation) };
  }

  const tools = (request.tools ?? []).map((tool) => tool.function);
  const searchTool = request.tool_choice === "none" ? undefined : tools.find(isSearchTool);
  if (searchTool && question) {
    return { call: { name: searchTool.name, args: buildSearchArguments(searchTool.parameters ?? {}, question) } };
  }
  const prompt = listTexts("system").join("\n");
  const summary = summarisePayload(prompt);
  if (summary !== undefined) return { say: summary };
  const advice = adviseFromPrompt(question, prompt);
  if (advice !== undefined)
    return { say: `${isGreeting(question) ? "Hello! " : ""}${advice}\n\n${noModel} ${useModel}` };
  const toolNames = tools.map((tool) => tool.name);
  return { say: introduce(question, toolNames) };
}

/** Whether a message begins with a greeting. */
const isGreeting = (text: string): boolean => withoutGreeting(`${text} `) !== `${text} `;

const noModel = "I am the offline provider, and there is no language model behind me.";
const useModel =
  "To talk to a real model, set LLM_API_KEY (and LLM_BASE_URL for a provider other than OpenAI) and start again.";

/** Explains what the offline provider is and can do, and how to use a real one. */
function introduce(question: string, toolNames: string[]): string {
  const sentences = [
    `${isGreeting(question) ? "Hello!" : "I can't answer that by myself:"} ${noModel}`,
    "I answer from documents and data that come with a request, by quoting and counting, and I embed texts by their words.",
  ];
  if (toolNames.length > 0) {
    const named = toolNames.slice(0, maxToolsNamed).join(", ");
    sentences.push(`I was given tools that I do not call: ${named}${toolNames.length > maxToolsNamed ? ", …" : ""}.`);
  }
  sentences.push(useModel);
  return sentences.join(" ");
}
