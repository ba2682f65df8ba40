import { z } from "zod";
import { ProviderError } from "../errors/provider-error.ts";
import { safeProviderMessage } from "../errors/safe-message.ts";

const tokenCount = z.number().nonnegative().nullish().catch(undefined);

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        index: z.number().nullish(),
        finish_reason: z.string().nullish(),
        delta: z
          .object({
            content: z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]).nullish(),
            reasoning_content: z.string().nullish(),
            reasoning: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.number().nullish(),
                  id: z.string().nullish(),
                  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: tokenCount, completion_tokens: tokenCount }).nullish().catch(undefined),
  error: z.unknown().optional(),
});

type Choice = NonNullable<z.output<typeof chunkSchema>["choices"]>[number];
export type ToolCallDelta = NonNullable<NonNullable<Choice["delta"]>["tool_calls"]>[number];

/** What one chunk of a streamed completion says: https://platform.openai.com/docs/api-reference/chat/streaming */
export interface CompletionChunk {
  text: string;
  /** Whether the model thought aloud; `reasoning_content` is DeepSeek's, `reasoning` OpenRouter's and Groq's. */
  reasons: boolean;
  toolCalls: readonly ToolCallDelta[];
  finished: boolean;
  usage: { input: number | undefined; output: number | undefined } | undefined;
}

const none: readonly ToolCallDelta[] = [];

/**
 * Reads the data of one event. Only the choice with index 0, or none, counts.
 *
 * @throws ProviderError for what is no chunk, and for an error in the place of one
 */
export function readCompletionChunk(data: string, secrets: readonly string[]): CompletionChunk {
  const { choices, usage, error } = parseChunk(data);
  if (error != null) throw new ProviderError("invalid", safeProviderMessage({ error }, secrets));
  const choice = choices?.find(({ index }) => (index ?? 0) === 0);
  const { content, reasoning_content, reasoning, tool_calls } = choice?.delta ?? {};
  return {
    text: typeof content === "string" ? content : (content?.map(({ text = "" }) => text).join("") ?? ""),
    reasons: Boolean(reasoning_content || reasoning),
    toolCalls: tool_calls ?? none,
    finished: Boolean(choice?.finish_reason),
    usage: usage
      ? { input: usage.prompt_tokens ?? undefined, output: usage.completion_tokens ?? undefined }
      : undefined,
  };
}

function parseChunk(data: string): z.output<typeof chunkSchema> {
  try {
    return chunkSchema.parse(JSON.parse(data));
  } catch (cause) {
    throw new ProviderError("invalid", "The model provider sent something that is not a chat completion.", { cause });
  }
}
