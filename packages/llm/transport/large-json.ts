import { limits } from "@agent-backends/contract";
import { largeBodyTurns } from "@agent-backends/kit/turns";

/**
 * Text is encoded in pieces of this length. They stay in V8's young generation. Encoding 8 MB as one string takes ten times as long,
 * because the memory for the string and its bytes is allocated page by page.
 */
const pieceCharacters = 64 * 1024;
/** Other requests get a turn once this much is encoded, which takes 1 to 15 ms. */
const turnCharacters = 8 * pieceCharacters;
/** Values nested deeper than a message, its parts and their texts are written in one piece. */
const maxSplitDepth = 6;

/** A request body that is too large to encode as JSON in one turn of the event loop. */
export class LargeJson {
  readonly #value: object;
  /** Length in bytes once encoded. Before that, the number of characters in its texts. */
  length: number;

  constructor(value: object, characters: number) {
    this.#value = value;
    this.length = characters;
  }

  /**
   * Encodes the value in UTF-8, in several turns.
   *
   * @param isWanted called after each turn to ask whether to continue
   * @returns undefined if the result is no longer wanted
   */
  async encode(isWanted: () => boolean): Promise<Buffer[] | undefined> {
    const encoded: Buffer[] = [];
    let text = "";
    let turnLength = turnCharacters;
    let length = 0;
    const encodeText = () => {
      const bytes = Buffer.from(text);
      encoded.push(bytes);
      length += bytes.length;
      turnLength += text.length;
      text = "";
    };
    for (const piece of writeJson(this.#value, maxSplitDepth)) {
      if (turnLength >= turnCharacters) {
        await largeBodyTurns.turn();
        if (!isWanted()) return undefined;
        turnLength = 0;
      }
      text += piece;
      if (text.length >= pieceCharacters) encodeText();
    }
    encodeText();
    this.length = length;
    return encoded;
  }
}

/** Builds the body for fields with a conversation and tools. Short ones become a string. */
export function toJsonBody(fields: object): string | LargeJson {
  const characters = countCharacters(fields);
  return characters > limits.largeBodyBytes ? new LargeJson(fields, characters) : JSON.stringify(fields);
}

function countCharacters(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let sum = 0;
  for (const name in value) sum += countCharacters((value as Record<string, unknown>)[name]);
  return sum;
}

/** Writes any JSON value in pieces. */
function* writeJson(value: unknown, splitDepth: number): Generator<string, void> {
  if (typeof value === "string" && value.length > pieceCharacters) {
    yield '"';
    for (let start = 0; start < value.length; ) {
      let end = start + pieceCharacters;
      if (isSurrogatePair(value, end)) end += 1;
      yield JSON.stringify(value.slice(start, end)).slice(1, -1);
      start = end;
    }
    yield '"';
  } else if (typeof value !== "object" || value === null || splitDepth === 0) {
    yield JSON.stringify(value);
  } else if (Array.isArray(value)) {
    let before = "[";
    for (const item of value) {
      yield before;
      yield* writeJson(item ?? null, splitDepth - 1);
      before = ",";
    }
    yield before === "[" ? "[]" : "]";
  } else {
    let before = "{";
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* writeJson(field, splitDepth - 1);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  }
}

/** Whether a cut before `index` would split a surrogate pair. */
function isSurrogatePair(text: string, index: number): boolean {
  return index < text.length && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}
