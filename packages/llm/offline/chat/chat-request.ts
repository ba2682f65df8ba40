import { z } from "zod";
import { EndpointError } from "../../endpoint/endpoint-error.ts";

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

/** What the offline provider reads of a chat completion request; the content of a message is joined text. */
export type ChatRequest = z.output<typeof chatRequestSchema>;
export type ChatRequestMessage = ChatRequest["messages"][number];
export type ChatRequestTool = z.output<typeof tool>["function"];

/** Reads a chat completion request. Throws an EndpointError (400) that names the first wrong field. */
export function parseChatRequest(body: unknown): ChatRequest {
  const parsed = chatRequestSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = issue?.path.join(".") || "body";
  const shape = "Send {model, messages: [{role, content}, …]} with at least one message.";
  throw new EndpointError(400, `Invalid '${param}': ${issue?.message}. ${shape}`, { param });
}
