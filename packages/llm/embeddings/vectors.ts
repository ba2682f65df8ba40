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
 * Reads the vectors out of an embeddings answer (JSON in UTF-8), in the order of the inputs; each is base64 of little-endian 32-bit floats or a
 * list of numbers. Throws a ProviderError unless there is exactly one finite vector for each of `count` inputs.
 */
export function readVectors(answer: Buffer, count: number, secrets: readonly string[]): Float32Array[] {
  const { json, encoded } = takeOutVectors(answer);
  const value = parseJson(json);
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) {
    const { error } = (value ?? {}) as { error?: unknown };
    const said = error ? safeProviderMessage({ error }, secrets) : "The model provider's answer holds no embeddings.";
    throw new ProviderError("invalid", said, { cause: parsed.error });
  }
  const vectors = new Map<number, Float32Array>();
  const texts = parsed.data.data.map(({ embedding }) =>
    typeof embedding === "string" ? (encoded[referenceOf(embedding)] ?? embedding) : "",
  );
  const unpacked = unpack(texts);
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

/** Begins what stands in the place of a vector; no base64 has it. */
const referenceMark = "#";
const referenceOf = (text: string): number => (text.startsWith(referenceMark) ? Number(text.slice(1)) : -1);
const fieldName = Buffer.from('"embedding"');
const [quote, colon] = [0x22, 0x3a];
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * An answer's JSON with short references in the place of its vectors in base64, which are nearly all of it: as one text of
 * hundreds of kilobytes each answer would soon make the collector look at the whole heap. The name with its quotes can't stand
 * inside of a JSON string, where they would be escaped, nor can base64 hold anything that is.
 */
function takeOutVectors(answer: Buffer): { json: string; encoded: string[] } {
  const encoded: string[] = [];
  let json = "";
  let copied = 0;
  for (let at = answer.indexOf(fieldName); at !== -1; at = answer.indexOf(fieldName, at)) {
    at += fieldName.length;
    while (isSpace(answer[at])) at++;
    if (answer[at] !== colon) continue;
    at++;
    while (isSpace(answer[at])) at++;
    if (answer[at] !== quote) continue;
    const end = answer.indexOf(quote, at + 1);
    if (end <= at + 1) continue;
    const reference = referenceMark + encoded.length;
    encoded.push(answer.toString("latin1", at + 1, end));
    json += answer.toString("utf8", copied, at + 1) + reference;
    copied = end;
    at = end;
  }
  return { json: json + answer.toString("utf8", copied), encoded };
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
