import { z } from "zod";
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

/** The names that a search tool's question usually goes by, likeliest first. */
const questionNames = ["query", "question", "q", "search", "search_query", "searchQuery", "text", "input", "keywords"];

const callsSchema = z.array(z.looseObject({ function: z.looseObject({ arguments: z.string() }) })).catch([]);

/** What a message's calls of tools searched for: where a question leaves out what it is about, the search says it. */
export function searchedIn({ tool_calls: calls }: ChatRequestMessage): string[] {
  return callsSchema.parse(calls).flatMap(({ function: { arguments: json } }) => {
    try {
      const args = z.record(z.string(), z.unknown()).parse(JSON.parse(json));
      const name = questionNames.find((one) => typeof args[one] === "string");
      return name === undefined ? [] : [String(args[name])];
    } catch {
      return [];
    }
  });
}

export function isSearchTool(tool: ChatRequestTool): boolean {
  return /search/i.test(tool.name) || /search/i.test(tool.description ?? "");
}

/**
 * The arguments of a search call: the question in the parameter that the tool's JSON schema has for it, and the
 * least that fits in whatever else the schema requires.
 */
export function searchArguments(parameters: Record<string, unknown>, question: string): Record<string, unknown> {
  const { properties, required } = parametersSchema.parse(parameters);
  const texts = Object.keys(properties).filter((name) => {
    const { type, enum: choices } = properties[name] ?? {};
    return !choices && (type === "string" || (Array.isArray(type) && type.includes("string")));
  });
  const named = questionNames.find((name) => texts.includes(name));
  const name = named ?? texts.find((text) => required.includes(text)) ?? texts[0] ?? "query";
  const args: Record<string, unknown> = { [name]: question };
  for (const other of required) {
    if (other !== name) args[other] = leastValue(properties[other], question);
  }
  return args;
}

function leastValue(schema: z.output<typeof property> | undefined, question: string): unknown {
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
