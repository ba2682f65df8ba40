import { CodeSpans } from "./code-spans.ts";

/** A text from `[` on is held back for so many characters at most, until it is known whether it is a mark. */
const markCharactersAtMost = 64;
/** A range such as `[1-3]` is taken for marks up to this number; more, and it is years or pages. */
const rangeNumbersAtMost = 999;

const year = String.raw`(?:1\d|20)\d\d(?!\d)`;
const number = String.raw`\^?(?!${year})\d{1,4}(?:[ \t]?[-–][ \t]?\d{1,3})?`;
const aside = String.raw`(?:†[^\]】[【\n]{0,20})?`;
const numbers = String.raw`[ \t]*${number}(?:[ \t]*[,;][ \t]*${number})*[ \t]*${aside}`;
const wholeMark = new RegExp(String.raw`^(?:[[【]${numbers}[\]】]|\[\[${numbers}\]\])$`);
const beginningOfMark = new RegExp(
  String.raw`^(?:\[?[[【][ \t]*(?:${number}[ \t]*[,;][ \t]*)*(?:\^|${number}[ \t]?(?:[-–][ \t]?)?)?[ \t]*${aside}|\[\[${numbers}\])$`,
);
/** What may go with a mark that is taken out: a comma behind another mark, white space, and the parenthesis around it. */
const beforeMark = /^[,;]?[ \t]*[(（]?$/;
const gapBeforeMark = /^[,;]?[ \t]*/;
const gapAlone = /^[,;]?[ \t]*$/;

/**
 * Reads an answer as it comes for the marks `[n]` that refer to chunks, and takes out those that point to nothing.
 * Everything else passes unchanged: other brackets, Markdown's links, and whatever stands in code. Only what may become a mark
 * is held back.
 */
export class AnswerMarks {
  /** The chunks referred to. */
  readonly numbers = new Set<number>();
  /** Whether the answer says, by the mark `[0]`, that no chunk answers the question. */
  saysNothingFound = false;
  readonly #isChunk: (number: number) => boolean;
  readonly #code = new CodeSpans();
  /** What is held back: the beginning of a mark, or one that points to nothing, and what stands before it. */
  #before = "";
  #held = "";
  #passed = "";
  /** The last character that was passed on. */
  #last = "";

  constructor(isChunk: (number: number) => boolean) {
    this.#isChunk = isChunk;
  }

  /** Takes the next piece of the answer and gives what may pass of it and of what was held back. */
  push(text: string): string {
    if (this.#before + this.#held === "" && !this.#code.isPending && !/[[【`~]|[(（]$/.test(text)) {
      this.#code.skip(text);
      this.#pass(text);
    } else {
      for (const character of text) this.#take(character);
      if (this.#held === "") this.#passGap();
    }
    return this.#takePassed();
  }

  /** Gives what is still held back, at the end of the answer or where it pauses. */
  end(): string {
    if (wholeMark.test(this.#held)) this.#remove("\n");
    this.#release();
    return this.#takePassed();
  }

  #take(character: string): void {
    const longer = this.#held + character;
    if (this.#held === "") {
      this.#begin(character);
    } else if (wholeMark.test(this.#held)) {
      this.#follow(character);
    } else if (wholeMark.test(longer)) {
      this.#judge(longer);
    } else if (longer.length < markCharactersAtMost && beginningOfMark.test(longer)) {
      this.#held = longer;
    } else if (this.#held.startsWith("[[")) {
      // Only one bracket was too many: what stands behind it may be a mark all the same.
      this.#held = "[";
      this.#release();
      for (const again of longer.slice(1)) this.#take(again);
    } else {
      this.#release();
      this.#begin(character);
    }
  }

  #begin(character: string): void {
    const isCode = this.#code.take(character);
    if (!isCode && /[[【]/.test(character)) {
      this.#held = character;
      return;
    }
    if (!beforeMark.test(this.#before + character)) this.#release();
    const mayPrecede = /[,;]/.test(character) ? this.#last === "]" : beforeMark.test(character);
    if (mayPrecede && !isCode) {
      this.#before += character;
    } else {
      this.#release();
      this.#pass(character);
    }
  }

  #judge(mark: string): void {
    const all = numbersOf(mark);
    // An interval, such as the one from 0 to 1, is no mark.
    const isInterval = all.length > 1 && all.includes(0);
    const known = isInterval ? [] : all.filter((number) => this.#isChunk(number));
    for (const number of known) this.numbers.add(number);
    this.#held = known.length > 0 && known.length < all.length ? asMarks(known) : mark;
    if (known.length > 0 || isInterval) this.#release();
  }

  /** A mark that points to nothing has waited for what follows: it may be the text of a link. */
  #follow(character: string): void {
    // The first element of a list in some language of programming, and no mark at the end of a sentence.
    const isIndex = this.#held === "[0]" && this.#before === "" && /[\w)\]]/.test(this.#last);
    if (character === "(" || (isIndex && !/[.。!！?？…\n]/.test(character))) {
      this.#release();
    } else if (/[)）]/.test(character) && /[(（]/.test(this.#before)) {
      this.#before = this.#before.slice(0, -1);
      return;
    } else if (this.#remove(character)) return;
    this.#begin(character);
  }

  /** Takes out a mark before a character. @returns whether that goes, too: white space would be doubled, or begin a line */
  #remove(character: string): boolean {
    this.saysNothingFound ||= numbersOf(this.#held).includes(0);
    this.#held = "";
    if (/[\s.,;:!?)\]。，；：！？）]/.test(character)) this.#before = this.#before.replace(gapAlone, "");
    if (!/[ \t]/.test(character)) return false;
    this.#release();
    return /^[\s(（]?$/.test(this.#last);
  }

  /** Passes what is held back. */
  #release(): void {
    this.#pass(this.#before + this.#held);
    this.#before = this.#held = "";
  }

  #passGap(): void {
    const [gap = ""] = gapBeforeMark.exec(this.#before) ?? [];
    this.#before = this.#before.slice(gap.length);
    this.#pass(gap);
  }

  #pass(text: string): void {
    this.#passed += text;
    this.#last = text.at(-1) ?? this.#last;
  }

  #takePassed(): string {
    const passed = this.#passed;
    this.#passed = "";
    return passed;
  }
}

const asMarks = (known: number[]): string => known.map((one) => `[${one}]`).join("");

function numbersOf(mark: string): number[] {
  const [list = ""] = mark.replaceAll(/[[\]【】^]/g, "").split("†");
  return list.split(/[,;]/).flatMap((item) => {
    const [first = 0, last = first] = item.split(/[-–]/).map(Number);
    if (last < first || last > rangeNumbersAtMost) return [first, last];
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
}
