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
    for (const character of text) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInString && character === "\\") this.#isEscaped = true;
      else if (character === '"') this.#isInString = !this.#isInString;
      else if (this.#isInString) continue;
      else if (character === "{" || character === "[") {
        this.#hasBegun = true;
        this.#depth += 1;
      } else if (character === "}" || character === "]") this.#depth -= 1;
    }
  }
}
