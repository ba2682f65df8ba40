/** A code block begins with at least this many backticks or tildes. */
const minFenceMarks = 3;

/** Finds the code in a Markdown text, character by character: text between backticks, or a block between tildes. */
export class CodeSpans {
  /** The current run of identical marks. */
  #run = "";
  /** Whether the run is the first text in its line. */
  #isFirst = false;
  /** The run that opened the current code span. */
  #openingRun = "";
  #previous = "\n";
  /** Whether the line contains only white space so far. */
  #isLineStart = true;

  get isPending(): boolean {
    return this.#run !== "" || this.#openingRun !== "";
  }

  /** Skips a text without backticks or tildes. Only allowed while `isPending` is false. */
  skip(text: string): void {
    const line = text.slice(text.lastIndexOf("\n") + 1);
    this.#isLineStart = (this.#isLineStart || line.length < text.length) && line.trim() === "";
    this.#previous = text.at(-1) ?? this.#previous;
  }

  /** Takes the next character. @returns whether it is part of code */
  take(character: string): boolean {
    if (character !== this.#previous && this.#run !== "") this.#endRun();
    const isMark = character === "`" || character === "~";
    if (isMark) {
      if (this.#run === "") this.#isFirst = this.#isLineStart;
      this.#run += character;
    } else if (character === "\n" && this.#previous === "\n" && this.#openingRun.length < minFenceMarks) {
      // Inline code ends with its paragraph. A lone backtick didn't open anything.
      this.#openingRun = "";
    }
    this.#isLineStart = character === "\n" || (this.#isLineStart && /[ \t]/.test(character));
    this.#previous = character;
    return character === "`" || this.#openingRun !== "";
  }

  #endRun(): void {
    const run = this.#run;
    this.#run = "";
    const isBlock = run.length >= minFenceMarks && this.#isFirst;
    if (this.#openingRun === "") {
      if (isBlock || run.startsWith("`")) this.#openingRun = run;
    } else if (
      run === this.#openingRun ||
      (this.#openingRun.length >= minFenceMarks && run.startsWith(this.#openingRun))
    ) {
      // Tildes close a block only at the start of a line.
      if (isBlock || run.startsWith("`")) this.#openingRun = "";
    }
  }
}
