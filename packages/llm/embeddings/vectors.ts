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
  const unpacked = unpack(parsed.data.data.map(({ embedding }) => (typeof embedding === "string" ? embedding : "")));
  for (const [position, { index, embedding }] of parsed.data.data.entries()) {
    const vector = typeof embedding === "string" ? unpacked[position] : Float32Array.from(embedding);
    if (vector) vectors.set(index ?? position, vector);
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

/**
 * Vectors are most of what an ingest moves: their bytes are copied once, as they are, into memory that is aligned for
 * floats, and that is one piece for all of an answer, because the collector looks at each piece.
 */
function unpack(encoded: readonly string[]): Float32Array[] {
  const lengths = encoded.map((base64) => Buffer.byteLength(base64, "base64"));
  const bytes = Buffer.from(new ArrayBuffer(lengths.reduce((sum, length) => sum + length, 0)));
  let offset = 0;
  const ranges = encoded.map((base64, position) => {
    const length = lengths[position] ?? 0;
    if (length % 4 !== 0 || bytes.write(base64, offset, "base64") !== length) {
      throw new ProviderError("invalid", "The model provider gave a damaged embedding.");
    }
    offset += length;
    return { start: offset - length, length: length / 4 };
  });
  if (endianness() === "BE") bytes.swap32();
  return ranges.map(({ start, length }) => new Float32Array(bytes.buffer, start, length));
}
