import { endianness } from "node:os";
import { z } from "zod";
import { ProviderError } from "../errors/provider-error.ts";
import { safeProviderMessage } from "../errors/safe-message.ts";

const answerSchema = z.object({
  data: z.array(
    z.object({ index: z.int().min(0).nullish(), embedding: z.union([z.string().min(1), z.array(z.number()).min(1)]) }),
  ),
});

/**
 * Reads the vectors out of an embeddings answer (JSON text), in the order of the inputs; each is base64 of little-endian 32-bit floats or a
 * list of numbers. Throws a ProviderError unless there is exactly one finite vector for each of `count` inputs.
 */
export function readVectors(answer: string, count: number, secrets: readonly string[]): Float32Array[] {
  const value = parseJson(answer);
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) {
    const { error } = (value ?? {}) as { error?: unknown };
    const said = error ? safeProviderMessage({ error }, secrets) : "The model provider's answer holds no embeddings.";
    throw new ProviderError("invalid", said, { cause: parsed.error });
  }
  const vectors = new Map<number, Float32Array>();
  for (const [position, { index, embedding }] of parsed.data.data.entries()) {
    vectors.set(index ?? position, typeof embedding === "string" ? unpack(embedding) : Float32Array.from(embedding));
  }
  return Array.from({ length: count }, (_, index) => {
    const vector = vectors.get(index);
    if (!vector || vectors.size !== count) {
      throw new ProviderError("invalid", `The model provider gave ${vectors.size} embeddings for ${count} texts.`);
    }
    if (holdsNumbers(vector)) return vector;
    throw new ProviderError("invalid", "The model provider gave an embedding that is not made of numbers.");
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A sum is not finite as soon as one of its numbers is not. 32-bit floats can't overflow a 64-bit sum. */
function holdsNumbers(vector: Float32Array): boolean {
  let sum = 0;
  for (let index = 0; index < vector.length; index++) sum += vector[index] ?? 0;
  return Number.isFinite(sum);
}

/** Vectors are most of what an ingest moves: their bytes are copied once, as they are, into memory that is aligned for floats. */
function unpack(base64: string): Float32Array {
  const length = Buffer.byteLength(base64, "base64");
  const bytes = Buffer.from(new ArrayBuffer(length));
  if (length % 4 !== 0 || bytes.write(base64, "base64") !== length) {
    throw new ProviderError("invalid", "The model provider gave a damaged embedding.");
  }
  if (endianness() === "BE") bytes.swap32();
  return new Float32Array(bytes.buffer, 0, length / 4);
}
