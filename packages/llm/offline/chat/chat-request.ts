import { z } from "zod";
import { parseRequest } from "../../endpoint/endpoint-request.ts";

const textPart = z.looseObject({ type: z.string(), text: z.string().optional() });

const message = z.looseObject({
  role: z.string(),
  content: z
    .union([z.string(), z.array(textPart)])
    .nullish()
    .transform((content) => {
      if (typeof content === "string") return content;
      return (content ?? []).map((part) => part.text ?? "").join("");
    }),
});

const tool = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({
    name: z.string().min(1),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  }),
});

const chatRequestSchema = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  tools: z.array(tool).nullish(),
  tool_choice: z.unknown().optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
});

/** The fields of a chat completion request that the offline provider reads. The content of a message is its joined text. */
export type ChatRequest = z.output<typeof chatRequestSchema>;
export type ChatRequestMessage = ChatRequest["messages"][number];
export type ChatRequestTool = z.output<typeof tool>["function"];

/** @throws EndpointError 400 */
export function parseChatRequest(body: unknown): ChatRequest {
  const shape = "Send {model, messages: [{role, content}, …]} with at least one message.";
  return parseRequest(chatRequestSchema, body, shape);
}
