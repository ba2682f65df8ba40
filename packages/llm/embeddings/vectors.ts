import { endianness } from "node:os";
import { z } from "zod";
import { ProviderError } from "../errors/provider-error.ts";
import { GENERIC_PROVIDER_MESSAGE, safeProviderMessage } from "../errors/safe-message.ts";
import type { VectorBlock } from "./vector-block.ts";

const answerSchema = z.object({
  data: z.array(
    z.object({ index: z.int().min(0).nullish(), embedding: z.union([z.string().min(1), z.array(z.number()).min(1)]) }),
  ),
});

type Embedding = string | number[];

/**
 * Reads the vectors out of an embeddings answer (JSON in UTF-8) for `count` inputs and writes them, in the inputs' order, to a block,
 * the first one as number `first`; each is base64 of little-endian 32-bit floats or a list of numbers. Nothing of the
 * answer is kept. Throws a ProviderError unless there is exactly one finite vector for each input.
 */
export function readVectors(
  answer: Buffer,
  { block, first, count }: { block: VectorBlock; first: number; count: number },
  secrets: readonly string[],
): void {
  const { json, encoded } = takeOutVectors(answer);
  const embeddings = new Map<number, Embedding>();
  for (const [position, { index, embedding }] of parseAnswer(json, secrets).entries()) {
    embeddings.set(index ?? position, embedding);
  }
  for (let index = 0; index < count; index++) {
    const embedding = embeddings.get(index);
    if (embedding === undefined || embeddings.size !== count) {
      throw new ProviderError("invalid", `The model provider gave ${embeddings.size} embeddings for ${count} texts.`);
    }
    const vector = write(embedding, answer, encoded, (dimension) => block.place(first + index, dimension));
    if (holdsNumbers(vector)) continue;
    throw new ProviderError("invalid", "The model provider gave an embedding that is not made of numbers.");
  }
}

function parseAnswer(json: string, secrets: readonly string[]) {
  const value = parseJson(json);
  const parsed = answerSchema.safeParse(value);
  if (parsed.success) return parsed.data.data;
  const { error } = (value ?? {}) as { error?: unknown };
  const said = error ? safeProviderMessage({ error }, secrets) : "The model provider's answer holds no embeddings.";
  const isQuoted = error !== undefined && said !== GENERIC_PROVIDER_MESSAGE;
  throw new ProviderError("invalid", said, { cause: parsed.error, isQuoted });
}

interface Range {
  start: number;
  end: number;
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
 * inside of a JSON string, where they would be escaped.
 */
function takeOutVectors(answer: Buffer): { json: string; encoded: Range[] } {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A sum is not finite as soon as one of its numbers is not. 32-bit floats can't overflow a 64-bit sum. Four go side by side. */
function holdsNumbers(vector: Float32Array): boolean {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let index = 0;
  for (; index + 3 < vector.length; index += 4) {
    first += vector[index] as number;
    second += vector[index + 1] as number;
    third += vector[index + 2] as number;
    fourth += vector[index + 3] as number;
  }
  for (; index < vector.length; index++) first += vector[index] as number;
  return Number.isFinite(first + second + third + fourth);
}

/** Vectors are most of what an ingest moves: their bytes are copied once, as they are, to where they are wanted. */
function write(
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
  const range = encoded[referenceOf(embedding)];
  const base64 = range === undefined ? embedding : base64Of(answer.toString("latin1", range.start, range.end));
  const byteLength = Buffer.byteLength(base64, "base64");
  if (byteLength === 0 || byteLength % 4 !== 0) throw damagedError();
  const vector = place(byteLength / 4);
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, byteLength);
  if (bytes.write(base64, "base64") !== byteLength) throw damagedError();
  if (endianness() === "BE") bytes.swap32();
  return vector;
}

/** Some providers escape `/`, `+` and `=`, as JSON allows. */
function base64Of(literal: string): string {
  if (!literal.includes("\\")) return literal;
  const parsed = parseJson(`"${literal}"`);
  if (typeof parsed !== "string") throw damagedError();
  return parsed;
}

const damagedError = () => new ProviderError("invalid", "The model provider gave a damaged embedding.");
