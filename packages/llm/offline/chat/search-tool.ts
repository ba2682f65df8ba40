import { z } from "zod";
import { tryParseJson } from "../../json.ts";
import type { ChatRequestMessage, ChatRequestTool } from "./chat-request.ts";

const property = z.looseObject({
  type: z.unknown().optional(),
  default: z.unknown().optional(),
  enum: z.array(z.unknown()).optional().catch(undefined),
  minimum: z.number().optional().catch(undefined),
});
const parametersSchema = z.object({
  properties: z.record(z.string(), property).catch({}),
  required: z.array(z.string()).catch([]),
});

/** Common names for the question parameter of a search tool, the most likely first. */
const questionNames = ["query", "question", "q", "search", "search_query", "searchQuery", "text", "input", "keywords"];

const callsSchema = z.array(z.looseObject({ function: z.looseObject({ arguments: z.string() }) })).catch([]);

/** The queries of a message's tool calls. They name the topic that a follow-up question omits. */
export function findSearches({ tool_calls: calls }: ChatRequestMessage): string[] {
  return callsSchema.parse(calls).flatMap(({ function: { arguments: json } }) => {
    const args = z.record(z.string(), z.unknown()).safeParse(tryParseJson(json)).data ?? {};
    const name = questionNames.find((one) => typeof args[one] === "string");
    return name === undefined ? [] : [String(args[name])];
  });
}

export function isSearchTool(tool: ChatRequestTool): boolean {
  return /search/i.test(tool.name) || /search/i.test(tool.description ?? "");
}

/** The arguments of a search call: the question in the most likely parameter, and a minimal value for each required one. */
export function buildSearchArguments(parameters: Record<string, unknown>, question: string): Record<string, unknown> {
  const { properties, required } = parametersSchema.parse(parameters);
  const texts = Object.keys(properties).filter((name) => {
    const { type, enum: choices } = properties[name] ?? {};
    return !choices && (type === "string" || (Array.isArray(type) && type.includes("string")));
  });
  const named = questionNames.find((name) => texts.includes(name));
  const name = named ?? texts.find((text) => required.includes(text)) ?? texts[0] ?? "query";
  const args: Record<string, unknown> = { [name]: question };
  for (const other of required) {
    if (other !== name) args[other] = buildMinimalValue(properties[other], question);
  }
  return args;
}

function buildMinimalValue(schema: z.output<typeof property> | undefined, question: string): unknown {
  if (schema?.default !== undefined) return schema.default;
  if (schema?.enum) return schema.enum[0];
  switch (schema?.type) {
    case "number":
    case "integer":
      return schema.minimum ?? 5;
    case "boolean":
      return false;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return question;
  }
}
