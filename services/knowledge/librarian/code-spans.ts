/** So many backticks or tildes begin a block of code. */
const blockMarks = 3;

/** Knows, character by character, what of a Markdown text stands between backticks, or in a block between tildes. */
export class CodeSpans {
  /** Marks of one kind in a row until now, whether a line began with them, and those that opened the code. */
  #run = "";
  #isFirst = false;
  #opened = "";
  #previous = "\n";
  /** Whether nothing but white space has come in this line. */
  #isLineStart = true;

  get isPending(): boolean {
    return this.#run !== "" || this.#opened !== "";
  }

  /** Takes a text without backticks or tildes, where no code is pending. */
  skip(text: string): void {
    const line = text.slice(text.lastIndexOf("\n") + 1);
    this.#isLineStart = (this.#isLineStart || line.length < text.length) && line.trim() === "";
    this.#previous = text.at(-1) ?? this.#previous;
  }

  /** Takes the next character and says whether it is part of code. */
  take(character: string): boolean {
    if (character !== this.#previous && this.#run !== "") this.#endRun();
    const isMark = character === "`" || character === "~";
    if (isMark) {
      if (this.#run === "") this.#isFirst = this.#isLineStart;
      this.#run += character;
    } else if (character === "\n" && this.#previous === "\n" && this.#opened.length < blockMarks) {
      // A span of code ends with its paragraph at the latest: a backtick without a second one opened nothing.
      this.#opened = "";
    }
    this.#isLineStart = character === "\n" || (this.#isLineStart && /[ \t]/.test(character));
    this.#previous = character;
    return character === "`" || this.#opened !== "";
  }

  #endRun(): void {
    const run = this.#run;
    this.#run = "";
    const isBlock = run.length >= blockMarks && this.#isFirst;
    if (this.#opened === "") {
      if (isBlock || run.startsWith("`")) this.#opened = run;
    } else if (run === this.#opened || (this.#opened.length >= blockMarks && run.startsWith(this.#opened))) {
      // A tilde within a block of tildes ends it at the beginning of a line alone.
      if (isBlock || run.startsWith("`")) this.#opened = "";
    }
  }
}
