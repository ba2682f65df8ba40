import { z } from "zod";
import { limits } from "../limits.ts";
import { buildListSchema, optional } from "../shapes.ts";
import { listingPayloadSchema, optionalText, wholeNumber } from "./actions.ts";
import { listingLimits } from "./limits.ts";

const textPart = z.object({ type: z.string(), text: optional(z.string()) });

const conversationMessage = z
  .object(
    {
      role: z.string("must be one of user, assistant, system, tool"),
      content: optional(
        z.union(
          [z.string(), buildListSchema(textPart)],
          "must be text or a list of parts such as {type: text, text: …}",
        ),
      ),
    },
    "must be an object with role and content",
  )
  .transform(({ role, content }) => ({ role, content: plainText(content) }))
  .refine(({ content }) => content.length <= limits.messageCharacters, {
    path: ["content"],
    message: `must have at most ${limits.messageCharacters} characters`,
  });

function plainText(content: string | z.output<typeof textPart>[] | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => (part.type === "text" && part.text ? [part.text] : [])).join("\n");
}

const toolParameters = z.object(
  {
    timeframe: optionalText(listingLimits.timeframeLength),
    tz: optionalText(listingLimits.timezoneLength),
    limit: optional(wholeNumber),
  },
  "must be an object",
);

const noParameters: Partial<z.output<typeof toolParameters>> = {};

/** `POST /agent`. Names may be in snake case or camel case; snake case wins. */
export const listingAgentRequest = z
  .object(
    {
      messages: buildListSchema(conversationMessage, {
        max: limits.messagesPerRequest,
        message: "must be a list of messages",
        maxMessage: `must have at most ${limits.messagesPerRequest} messages`,
      }),
      thread_id: optionalText(listingLimits.idLength),
      threadId: optionalText(listingLimits.idLength),
      run_id: optionalText(listingLimits.idLength),
      runId: optionalText(listingLimits.idLength),
      tool_params: optional(toolParameters),
      toolParams: optional(toolParameters),
    },
    "must be a JSON object with messages",
  )
  .transform((body) => ({
    messages: body.messages,
    threadId: body.thread_id ?? body.threadId,
    runId: body.run_id ?? body.runId,
    toolParameters: body.tool_params ?? body.toolParams ?? noParameters,
  }));

export type ListingAgentRequest = z.output<typeof listingAgentRequest>;
export type ListingMessage = ListingAgentRequest["messages"][number];

const run = { thread_id: z.string(), run_id: z.string() };
const toolCall = { tool_call_id: z.string(), tool_name: z.string() };

/** One event of `POST /agent`, in an SSE `data:` line. After the last comes `data: [DONE]`. */
export const listingEventSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("tool_call_start"),
    ...toolCall,
    args: z.custom<object>().describe("The arguments of the call."),
    ...run,
  }),
  z.object({ type: z.literal("tool_call_result"), ...toolCall, result: listingPayloadSchema, ...run }),
  z.object({
    type: z.literal("text_message_chunk"),
    message_id: z.string(),
    role: z.literal("assistant"),
    content: z.string(),
    ...run,
  }),
  z.object({ type: z.literal("error"), message: z.string(), ...run }),
]);

export type ListingEvent = z.output<typeof listingEventSchema>;
