import { z } from "zod";
import { EndpointError } from "../endpoint/endpoint-error.ts";
import type { Responder } from "../endpoint/start-endpoint.ts";
import { lexicalEmbedding, OFFLINE_EMBEDDING_DIMENSIONS } from "./embedder/embed.ts";
import { countTokens } from "./text/tokens.ts";

/** OpenAI's own bound on the inputs of one request. */
const MAX_INPUTS = 2048;
const MAX_DIMENSIONS = 4096;

const embeddingsRequest = z.object({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.string()).min(1).max(MAX_INPUTS)]),
  encoding_format: z.enum(["float", "base64"]).nullish(),
  dimensions: z.int().min(1).max(MAX_DIMENSIONS).nullish(),
});

/**
 * Answers POST /v1/embeddings with lexical embeddings, as numbers or as base64 of little-endian 32-bit floats.
 * Throws an EndpointError (400) that names the first wrong field.
 */
export const respondWithLexicalEmbeddings: Responder = async (request, reply) => {
  const parsed = embeddingsRequest.safeParse(request.body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const param = issue?.path.join(".") || "body";
    throw new EndpointError(400, `Invalid '${param}': ${issue?.message}. Send {model, input: text or texts}.`, {
      param,
    });
  }
  const { model, input, encoding_format: format, dimensions } = parsed.data;
  const texts = typeof input === "string" ? [input] : input;
  const data = texts.map((text, index) => {
    const vector = lexicalEmbedding(text, dimensions ?? OFFLINE_EMBEDDING_DIMENSIONS);
    const embedding = format === "base64" ? base64Of(vector) : Array.from(vector);
    return { object: "embedding", index, embedding };
  });
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  reply.json(200, { object: "list", data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } });
};

function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}
