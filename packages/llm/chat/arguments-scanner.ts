const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from(
  '"\\{}[]',
) as unknown as number[];
const letterU = 0x75;
const space = 0x20;

/** Tells when the arguments of a tool call, JSON in pieces, are complete. It doesn't keep them, and accepts any text. */
export class ArgumentsScanner {
  #depth = 0;
  #hasBegun = false;
  #isInString = false;
  #isEscaped = false;

  /** Whether every brace and bracket is closed. False while there was none. */
  get isComplete(): boolean {
    return this.#hasBegun && this.#depth === 0;
  }

  push(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.#step(text.charCodeAt(at));
  }

  /** Reads a piece that is still a JSON literal: `bytes[start, end)` with its quotes, valid. Decoding it would take five times as long. */
  pushLiteral(bytes: Buffer, start: number, end: number): void {
    for (let at = start + 1; at < end - 1; at += 1) {
      let character = bytes[at] as number;
      if (character === backslash) {
        at += 1;
        character = bytes[at] as number;
        if (character === letterU) {
          character = Number.parseInt(bytes.toString("latin1", at + 1, at + 5), 16);
          at += 4;
        } else if (character !== quote && character !== backslash) character = space;
      }
      this.#step(character);
    }
  }

  #step(character: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === quote) this.#isInString = !this.#isInString;
    else if (this.#isInString) this.#isEscaped = character === backslash;
    else if (character === openBrace || character === openBracket) {
      this.#hasBegun = true;
      this.#depth += 1;
    } else if (character === closeBrace || character === closeBracket) this.#depth -= 1;
  }
}
