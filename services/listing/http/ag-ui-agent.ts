import type { ListingRunParameters, RunInput } from "@agent-backends/contract";
import { listingRunParametersSchema, listingRunQuerySchema } from "@agent-backends/contract";
import type { AgentEvent } from "@agent-backends/kit/ag-ui";
import type { AgUiAgent } from "@agent-backends/kit/ag-ui/routes";
import { z } from "zod";
import { toolActions } from "../actions/index.ts";
import type { ListingAnswerPart } from "../answer/answer.ts";
import { parseQuestion } from "../answer/question.ts";
import type { Answer } from "./agent-route.ts";

/** A client that offers a tool of such a name shows the effect itself. */
const effects = toolActions.flatMap(({ name, kind }) => (kind === "effect" ? [name as string] : []));

/** The analyst for AG-UI clients. */
export function createAgUiAgent(answer: Answer): AgUiAgent<ListingRunParameters> {
  return {
    name: "Launch analyst",
    description: "Answers questions about product launches, with lists from the listing site.",
    tools: toolActions.map(({ name, tool }) => ({
      name,
      description: tool.description,
      parameters: z.toJSONSchema(tool.input),
    })),
    callsClientTools: true,
    query: listingRunQuerySchema,
    parameters: listingRunParametersSchema,
    prepare({ input, conversation, parameters }) {
      const { threadId, runId } = input;
      const getFirst = <Name extends keyof ListingRunParameters>(name: Name) =>
        parameters.find((given) => given[name] !== undefined)?.[name];
      const toolParameters = { limit: getFirst("limit"), timeframe: getFirst("timeframe"), tz: getFirst("tz") };
      const question = parseQuestion({ messages: conversation, threadId, runId, toolParameters });
      if (isEffectShown(input)) return () => nothingToAdd();
      const offered = (input.tools ?? []).flatMap(({ name }) => (effects.includes(name) ? [name] : []));
      return (signal) => toAgentEvents(answer(question, signal), offered);
    },
  };
}

/**
 * Whether the client has already shown an effect. Clients run the agent again with the tool's result, but the text was already in the
 * run that called it.
 */
function isEffectShown({ messages }: RunInput): boolean {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
  const calls = since.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
  return since.some(
    (message) =>
      message.role === "tool" &&
      calls.some(({ id, function: { name } }) => id === message.toolCallId && effects.includes(name)),
  );
}

async function* nothingToAdd(): AsyncGenerator<AgentEvent> {}

async function* toAgentEvents(
  parts: AsyncIterable<ListingAnswerPart>,
  clientTools: readonly string[],
): AsyncGenerator<AgentEvent> {
  for await (const part of parts) {
    if (part.type === "words") {
      for (const text of part.words) yield { type: "text", text };
      continue;
    }
    if (!clientTools.includes(part.name)) yield part;
    else if (part.type === "tool-result") yield { type: "client-call", name: part.name, args: part.result };
  }
}
