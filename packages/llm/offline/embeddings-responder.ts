import { z } from "zod";
import { parseRequest } from "../endpoint/endpoint-request.ts";
import type { Responder } from "../endpoint/start-endpoint.ts";
import { lexicalEmbedding, offlineEmbeddingDimensions } from "./lexical-embedding.ts";

/** OpenAI's limit for one request. */
const maxInputs = 2048;
const maxDimensions = 4096;

const embeddingsRequest = z.object({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.string()).min(1).max(maxInputs)]),
  encoding_format: z.enum(["float", "base64"]).nullish(),
  dimensions: z.int().min(1).max(maxDimensions).nullish(),
});

/** Responds to POST /v1/embeddings with lexical embeddings, as numbers or as base64 of little-endian 32-bit floats. */
export const respondWithLexicalEmbeddings: Responder = async (request, reply) => {
  const shape = "Send {model, input: text or texts}.";
  const { model, input, encoding_format: format, dimensions } = parseRequest(embeddingsRequest, request.body, shape);
  const texts = typeof input === "string" ? [input] : input;
  const data = texts.map((text, index) => {
    const vector = lexicalEmbedding(text, dimensions ?? offlineEmbeddingDimensions);
    const embedding = format === "base64" ? toBase64(vector) : Array.from(vector);
    return { object: "embedding", index, embedding };
  });
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  reply.json(200, { object: "list", data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } });
};

/** Estimates one token per four characters, OpenAI's rule of thumb for English. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function toBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}
