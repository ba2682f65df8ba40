import { endianness } from "node:os";
import { z } from "zod";
import { ProviderError } from "../errors/provider-error.ts";
import { genericProviderMessage, safeProviderMessage } from "../errors/safe-message.ts";
import { tryParseJson } from "../json.ts";
import type { VectorBlock } from "./vector-memory.ts";

const responseSchema = z.object({
  data: z.array(
    z.object({ index: z.int().min(0).nullish(), embedding: z.union([z.string().min(1), z.array(z.number()).min(1)]) }),
  ),
});

type Embedding = string | number[];

/**
 * Parses a response (JSON in UTF-8) for `count` inputs and writes the vectors to a block, in the order of the inputs, starting at index
 * `first`. A vector is base64 of little-endian 32-bit floats, or a list of numbers.
 *
 * @throws ProviderError unless there is exactly one finite vector for each input
 */
export function readVectors(
  answer: Buffer,
  { block, first, count }: { block: VectorBlock; first: number; count: number },
  secrets: readonly string[],
): void {
  const { json, encoded } = extractVectors(answer);
  const embeddings = new Map<number, Embedding>();
  for (const [position, { index, embedding }] of parseResponse(json, secrets).entries()) {
    embeddings.set(index ?? position, embedding);
  }
  for (let index = 0; index < count; index++) {
    const embedding = embeddings.get(index);
    if (embedding === undefined || embeddings.size !== count) {
      throw new ProviderError("invalid", `The model provider gave ${embeddings.size} embeddings for ${count} texts.`);
    }
    const vector = writeVector(embedding, answer, encoded, (dimension) => block.place(first + index, dimension));
    if (hasFiniteNumbers(vector)) continue;
    throw new ProviderError("invalid", "The model provider gave an embedding that does not consist of numbers.");
  }
}

function parseResponse(json: string, secrets: readonly string[]) {
  const value = tryParseJson(json);
  const parsed = responseSchema.safeParse(value);
  if (parsed.success) return parsed.data.data;
  const { error } = (value ?? {}) as { error?: unknown };
  const said = error ? safeProviderMessage({ error }, secrets) : "The model provider's answer holds no embeddings.";
  const isQuoted = error !== undefined && said !== genericProviderMessage;
  throw new ProviderError("invalid", said, { cause: parsed.error, isQuoted });
}

interface Range {
  start: number;
  end: number;
}

/** Marks the reference that replaces a vector. It never occurs in base64. */
const referenceMark = "#";
const parseReference = (text: string): number => (text.startsWith(referenceMark) ? Number(text.slice(1)) : -1);
const fieldName = Buffer.from('"embedding"');
const [quote, colon] = [0x22, 0x3a];
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Replaces the base64 vectors in the JSON, which make up nearly all of it, with short references. Strings of hundreds of kilobytes per
 * response would make the garbage collector scan the whole heap. The field's name with its quotes can't occur inside a JSON string, where
 * the quotes are escaped.
 */
function extractVectors(answer: Buffer): { json: string; encoded: Range[] } {
  const encoded: Range[] = [];
  let json = "";
  let copied = 0;
  for (let at = answer.indexOf(fieldName); at !== -1; at = answer.indexOf(fieldName, at)) {
    at += fieldName.length;
    while (isSpace(answer[at])) at++;
    if (answer[at] !== colon) continue;
    at++;
    while (isSpace(answer[at])) at++;
    if (answer[at] !== quote) continue;
    const start = at + 1;
    const end = answer.indexOf(quote, start);
    if (end <= start) continue;
    json += answer.toString("utf8", copied, start) + referenceMark + encoded.length;
    encoded.push({ start, end });
    copied = end;
    at = end;
  }
  return { json: json + answer.toString("utf8", copied), encoded };
}

/** A sum is finite only if every number is: 32-bit floats can't overflow a 64-bit sum. */
function hasFiniteNumbers(vector: Float32Array): boolean {
  let sum = 0;
  // An iterator would take ten times as long.
  for (let index = 0; index < vector.length; index++) sum += vector[index] as number;
  return Number.isFinite(sum);
}

/** Decodes base64 directly into the block: vectors are most of the data that an ingest moves. */
function writeVector(
  embedding: Embedding,
  answer: Buffer,
  encoded: readonly Range[],
  place: (dimension: number) => Float32Array<ArrayBuffer>,
): Float32Array {
  if (typeof embedding !== "string") {
    const vector = place(embedding.length);
    vector.set(embedding);
    return vector;
  }
  const range = encoded[parseReference(embedding)];
  const base64 = range === undefined ? embedding : unescapeBase64(answer.toString("latin1", range.start, range.end));
  const byteLength = Buffer.byteLength(base64, "base64");
  if (byteLength === 0 || byteLength % 4 !== 0) throw damagedError();
  const vector = place(byteLength / 4);
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, byteLength);
  if (bytes.write(base64, "base64") !== byteLength) throw damagedError();
  if (endianness() === "BE") bytes.swap32();
  return vector;
}

/** Some providers escape `/`, `+` and `=`, as JSON allows. */
function unescapeBase64(literal: string): string {
  if (!literal.includes("\\")) return literal;
  const parsed = tryParseJson(`"${literal}"`);
  if (typeof parsed !== "string") throw damagedError();
  return parsed;
}

const damagedError = () => new ProviderError("invalid", "The model provider gave a damaged embedding.");
