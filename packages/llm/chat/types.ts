import type { z } from "zod";

/** Where the provider is, e.g. `https://api.openai.com/v1`, and the key it is called with; a blank key sends none. */
export interface ProviderOptions {
  baseUrl: string;
  apiKey: string;
}

/** A message of a conversation; a tool's `result` is text or a JSON value. */
export type ChatMessage =
  | { role: "user" | "assistant" | "system"; content: string }
  | { role: "assistant"; content: string; toolCalls: { id: string; name: string; args: unknown }[] }
  | { role: "tool"; toolCallId: string; toolName: string; result: unknown };

/** A tool that the model may call. What `execute` throws ends the answer; what it gives goes to the model as JSON. */
export interface AnswerTool {
  description: string;
  inputSchema: z.ZodType;
  execute(args: unknown, options: { signal: AbortSignal }): Promise<unknown>;
}

/** A piece of an answer, in the order in which it comes. */
export type AnswerPart =
  | { type: "text"; text: string }
  | { type: "tool-call"; id: string; name: string; args: unknown }
  | { type: "tool-result"; id: string; name: string; result: unknown };
