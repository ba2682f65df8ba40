import { z } from "zod";
import { optional, warningsSchema } from "../shapes.ts";
import { citationSchema, cutReasonSchema, questionSchema } from "./librarian.ts";
import { knowledgeLimits } from "./limits.ts";
import { namesOneKind } from "./namespaces.ts";

/** The model name of the default namespace. Another namespace's model is `knowledge/{namespace}`. */
export const knowledgeModel = "knowledge";

/**
 * The effective fields of the body of `POST /v1/chat/completions`. Clients send many more of OpenAI's parameters, such as `temperature` and
 * `tools`. They are ignored like all unknown fields.
 */
export const chatCompletionRequestSchema = questionSchema
  .extend({
    model: z.string().max(knowledgeLimits.idCharacters, `is longer than ${knowledgeLimits.idCharacters} characters`),
    stream: optional(z.boolean()),
    stream_options: optional(z.object({ include_usage: optional(z.boolean()) })),
    n: optional(z.literal(1, "must be 1: there is one answer to each request")),
  })
  .refine(...namesOneKind)
  .refine(({ model, namespace, namespaces }) => model === knowledgeModel || !(namespace ?? namespaces), {
    path: ["namespace"],
    error: `can't be given together with a model that names a namespace; use the model ${knowledgeModel}`,
  });

/** OpenAI's URL citation, together with the librarian's own citation. */
export const annotationSchema = z.object({
  type: z.literal("url_citation"),
  url_citation: z.object({
    /** Position of the first mark `[n]` in the content: `content.slice(start_index, end_index)` is the mark. */
    start_index: z.int().nonnegative(),
    end_index: z.int().nonnegative(),
    title: z.string(),
    /** The source's URL, or `urn:agent-backends:document:{document_id}#char={start},{end}` for a source without one. */
    url: z.string(),
  }),
  citation: citationSchema,
});

const completionHead = { id: z.string(), created: z.int(), model: z.string() };
const choice = { index: z.literal(0), logprobs: z.null() };
const finishReasonSchema = z.enum(["stop", ...cutReasonSchema.options]);

const usageSchema = z.object({
  prompt_tokens: z.int().nonnegative(),
  completion_tokens: z.int().nonnegative(),
  total_tokens: z.int().nonnegative(),
});

/** The response to a request without `stream`. */
export const chatCompletionSchema = z.object({
  ...completionHead,
  object: z.literal("chat.completion"),
  choices: z
    .array(
      z.object({
        ...choice,
        message: z.object({
          role: z.literal("assistant"),
          content: z.string(),
          refusal: z.null(),
          annotations: z.array(annotationSchema),
        }),
        finish_reason: finishReasonSchema,
      }),
    )
    .length(1),
  usage: usageSchema,
  warnings: warningsSchema,
});

/** An event of a stream. The last one before `[DONE]` has the usage and no choice, if the request asks for it. */
export const chatCompletionChunkSchema = z.object({
  ...completionHead,
  object: z.literal("chat.completion.chunk"),
  choices: z
    .array(
      z.object({
        ...choice,
        delta: z.object({
          role: z.literal("assistant").optional(),
          content: z.string().optional(),
          /** All annotations at once, after the content. Citations that would make the event too long for clients are left out. */
          annotations: z.array(annotationSchema.partial({ citation: true })).optional(),
        }),
        finish_reason: finishReasonSchema.nullable(),
      }),
    )
    .max(1),
  usage: usageSchema.optional(),
});

/** The last event of a stream that fails. */
export const chatCompletionErrorSchema = z.object({
  error: z.object({
    message: z.string(),
    type: z.enum(["invalid_request_error", "server_error"]),
    param: z.string().nullable(),
    code: z.string(),
  }),
});

/** The response of `GET /v1/models/{id}`. */
export const modelSchema = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.int(),
  owned_by: z.string(),
  warnings: warningsSchema,
});

export const modelParametersSchema = z.object({ "*": z.string() });

/** The response of `GET /v1/models`. */
export const modelsResponseSchema = z.object({
  object: z.literal("list"),
  data: z.array(modelSchema),
  warnings: warningsSchema,
});

export type ChatCompletionRequest = z.output<typeof chatCompletionRequestSchema>;
export type ChatCompletionChunk = z.output<typeof chatCompletionChunkSchema>;
export type Annotation = z.output<typeof annotationSchema>;
export type Model = z.output<typeof modelSchema>;
export type ModelsResponse = z.output<typeof modelsResponseSchema>;
