import type { Citation, ConversationMessage } from "@agent-backends/contract";
import { knowledgeLimits } from "@agent-backends/contract";
import type { AnswerPart, AnswerTool, ChatMessage } from "@agent-backends/llm";
import { z } from "zod";
import { fuseRankings } from "../search/fuse-rankings.ts";
import type { Hit } from "../search/hybrid-search.ts";
import { AnswerMarks } from "./answer-marks.ts";
import { searchOf } from "./follow-up.ts";
import { librarianInstructions, nothingFound, searchToolDescription, searchToolName } from "./instructions.ts";
import type { NumberedChunk } from "./numbered-chunks.ts";
import { NumberedChunks } from "./numbered-chunks.ts";

const { furtherSearches } = knowledgeLimits;
/** Nine letters and digits: some providers take no other form of an id. */
const firstSearchId = "search001";

/** What an answer is made of, in the order in which it comes; the citations once, last. */
export type AnswerEvent = AnswerPart | { type: "citations"; citations: Citation[] };

export interface LibrarianDependencies {
  /** For each query the relevant chunks of one namespace, best first; none when nothing there has to do with it. */
  findChunks(namespace: string, queries: readonly string[], signal: AbortSignal): Promise<Hit[][]>;
  /** The terms of a text that say what it is about. */
  contentTerms(text: string): Promise<ReadonlySet<string>>;
  /** Asks the model, which may use the tools for so many rounds. */
  askModel(question: {
    system: string;
    messages: ChatMessage[];
    tools: Record<string, AnswerTool>;
    maxToolRounds: number;
    signal: AbortSignal;
  }): AsyncIterable<AnswerPart>;
}

/**
 * Answers the last message of a conversation from the documents of one namespace. The first search is made here and
 * not by the model: one that is left the choice may answer from memory. Marks that point to no chunk are taken out of the answer.
 *
 * @throws what the search and the model throw; nothing is cited then
 */
export async function* answerQuestion(
  { findChunks, contentTerms, askModel }: LibrarianDependencies,
  { messages, namespace, signal }: { messages: readonly ConversationMessage[]; namespace: string; signal: AbortSignal },
): AsyncGenerator<AnswerEvent, void, undefined> {
  const chunks = new NumberedChunks();
  const searchDocs = async (...queries: string[]) => {
    const found = await findChunks(namespace, queries.map(boundedQuery), signal);
    const hits = fuseRankings(found).slice(0, knowledgeLimits.searchResults.default);
    return searchResult(chunks.number(hits));
  };

  const { query, variants } = await searchOf(messages, contentTerms);
  const call = { id: firstSearchId, name: searchToolName, args: { query: boundedQuery(query) } };
  yield { type: "tool-call", ...call };
  const result = await searchDocs(query, ...variants);
  yield { type: "tool-result", id: call.id, name: call.name, result };

  const marks = new AnswerMarks((number) => chunks.has(number));
  let searches = 0;
  const parts = askModel({
    system: librarianInstructions,
    messages: [
      ...messages,
      { role: "assistant", content: "", toolCalls: [call] },
      { role: "tool", toolCallId: call.id, toolName: call.name, result },
    ],
    tools: {
      [searchToolName]: {
        description: searchToolDescription,
        inputSchema: z.object({ query: z.string().trim().min(1).describe("What to search for, in full words") }),
        execute: async (args) => {
          searches += 1;
          if (searches > furtherSearches)
            return { results: [], note: "No search is left. Answer from what was found." };
          return searchDocs((args as { query: string }).query);
        },
      },
    },
    maxToolRounds: furtherSearches,
    signal,
  });
  let isSaid = false;
  for await (const part of parts) {
    const text = part.type === "text" ? marks.push(part.text) : marks.end();
    isSaid ||= text.trim() !== "";
    if (text !== "") yield { type: "text", text };
    if (part.type !== "text") yield part;
  }
  signal.throwIfAborted();
  const rest = marks.end();
  if (rest !== "") yield { type: "text", text: rest };
  if (!isSaid && rest.trim() === "") {
    // The answer was nothing but marks that point to nothing.
    marks.saysNothingFound = true;
    yield { type: "text", text: nothingFound };
  }
  yield { type: "citations", citations: chunks.citedBy(marks) };
}

const boundedQuery = (query: string): string => query.slice(0, knowledgeLimits.queryCharacters).toWellFormed();

function searchResult(results: NumberedChunk[]): { results: NumberedChunk[]; note?: string } {
  return results.length > 0 ? { results } : { results, note: "Nothing in the documents has to do with this query." };
}
