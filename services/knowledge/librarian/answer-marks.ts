/** A text from `[` on is held back for so many characters at most, until it is known whether it is a mark. */
const markCharactersAtMost = 64;
/** So many backticks or tildes begin a block of code. */
const blockMarks = 3;
/** A range such as `[1-3]` is taken for marks up to this number; more, and it is years or pages. */
const rangeNumbersAtMost = 999;

const number = String.raw`\d{1,4}(?:[ \t]?[-–][ \t]?\d{1,3})?`;
const aside = String.raw`(?:†[^\]】[【\n]{0,20})?`;
const numbers = String.raw`[ \t]*${number}(?:[ \t]*[,;][ \t]*${number})*[ \t]*${aside}`;
const wholeMark = new RegExp(String.raw`^(?:[[【]${numbers}[\]】]|\[\[${numbers}\]\])$`);
const beginningOfMark = new RegExp(
  String.raw`^(?:\[?[[【][ \t]*(?:${number}[ \t]*[,;][ \t]*)*(?:\d{1,4}[ \t]?(?:[-–][ \t]?\d{0,3})?)?[ \t]*${aside}|\[\[${numbers}\])$`,
);

/**
 * Reads an answer as it comes for the marks `[n]` that refer to passages, and takes out those that point to nothing.
 * Everything else passes unchanged: other brackets, Markdown's links, and whatever stands in code. Only what may become a mark
 * is held back.
 */
export class AnswerMarks {
  /** The passages referred to. */
  readonly numbers = new Set<number>();
  /** Whether the answer says, by the mark `[0]`, that no passage answers the question. */
  saysNothingFound = false;
  readonly #isPassage: (number: number) => boolean;
  readonly #code = new CodeSpans();
  #held = "";
  /** The last character that was passed on. */
  #last = "";

  constructor(isPassage: (number: number) => boolean) {
    this.#isPassage = isPassage;
  }

  /** Takes the next piece of the answer and gives what may pass of it and of what was held back. */
  push(text: string): string {
    if (this.#held === "" && !this.#code.isPending && !/[[【`~]/.test(text)) {
      this.#last = text.at(-1) ?? this.#last;
      this.#code.skip(text);
      return text;
    }
    let passed = "";
    for (const character of text) passed = this.#take(character, passed);
    return passed;
  }

  /** Gives what is still held back, at the end of the answer or where it pauses. */
  end(): string {
    const isMark = wholeMark.test(this.#held);
    if (isMark) this.saysNothingFound ||= numbersOf(this.#held).includes(0);
    const held = isMark ? "" : this.#held;
    this.#held = "";
    this.#last = held.at(-1) ?? this.#last;
    return held;
  }

  #take(character: string, passed: string): string {
    if (this.#held === "") return this.#begin(character, passed);
    const held = this.#held;
    this.#held = "";
    // A mark that points to nothing waits for what follows: it may be the text of a link.
    if (wholeMark.test(held)) {
      if (character === "(") return this.#pass(held + character, passed);
      if (this.#isIndex(held, character)) return this.#begin(character, this.#pass(held, passed));
      return this.#begin(character, this.#without(held, character, passed));
    }
    const longer = held + character;
    if (wholeMark.test(longer)) return this.#judge(longer, passed);
    if (longer.length < markCharactersAtMost && beginningOfMark.test(longer)) {
      this.#held = longer;
      return passed;
    }
    if (!held.startsWith("[[")) return this.#begin(character, this.#pass(held, passed));
    // Only one bracket was too many: what stands behind it may be a mark all the same.
    let rest = this.#pass("[", passed);
    for (const again of longer.slice(1)) rest = this.#take(again, rest);
    return rest;
  }

  #begin(character: string, passed: string): string {
    if (!this.#code.take(character) && (character === "[" || character === "【")) {
      this.#held = character;
      return passed;
    }
    if (this.#swallows) {
      this.#swallows = false;
      if (/[ \t]/.test(character)) return passed;
    }
    return this.#pass(character, passed);
  }

  #judge(mark: string, passed: string): string {
    const all = numbersOf(mark);
    // An interval, such as the one from 0 to 1.
    if (all.length > 1 && all.includes(0)) return this.#pass(mark, passed);
    const known = all.filter((number) => this.#isPassage(number));
    for (const number of known) this.numbers.add(number);
    if (known.length === all.length) return this.#pass(mark, passed);
    if (known.length > 0) return this.#pass(known.map((number) => `[${number}]`).join(""), passed);
    this.#held = mark;
    return passed;
  }

  /** The first element of a list in some language of programming, and no mark at the end of a sentence. */
  #isIndex(mark: string, next: string): boolean {
    return mark === "[0]" && /[\w)\]]/.test(this.#last) && !/[.。!！?？…\n]/.test(next);
  }

  /** White space around a mark that was taken out would be doubled, or stand before a full stop. */
  #swallows = false;
  #without(mark: string, next: string, passed: string): string {
    this.saysNothingFound ||= numbersOf(mark).includes(0);
    if (this.#last === "" || /\s/.test(this.#last)) this.#swallows = true;
    if (!/^[\s.,;:!?)]$/.test(next) || !/[ \t]$/.test(passed)) return passed;
    this.#swallows = false;
    return passed.slice(0, -1);
  }

  #pass(text: string, passed: string): string {
    this.#swallows = false;
    this.#last = text.at(-1) ?? this.#last;
    return passed + text;
  }
}

function numbersOf(mark: string): number[] {
  const [list = ""] = mark.replaceAll(/[[\]【】]/g, "").split("†");
  return list.split(/[,;]/).flatMap((item) => {
    const [first = 0, last = first] = item.split(/[-–]/).map(Number);
    if (last < first || last > rangeNumbersAtMost) return [first, last];
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
}

/** Knows, character by character, what of a Markdown text stands between backticks, or in a block between tildes. */
class CodeSpans {
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
