import { CodeSpans } from "./code-spans.ts";

/** Maximum length of a mark. Longer text after a `[` is passed on. */
const maxMarkCharacters = 64;
/** Maximum number in a range of marks such as `[1-3]`. Larger ones are years or pages. */
const maxRangeNumber = 999;

const year = String.raw`(?:1\d|20)\d\d(?!\d)`;
const number = String.raw`\^?(?!${year})\d{1,4}(?:[ \t]?[-–][ \t]?\d{1,3})?`;
const aside = String.raw`(?:†[^\]】[【\n]{0,20})?`;
const numbers = String.raw`[ \t]*${number}(?:[ \t]*[,;][ \t]*${number})*[ \t]*${aside}`;
const wholeMark = new RegExp(String.raw`^(?:[[【]${numbers}[\]】]|\[\[${numbers}\]\])$`);
const beginningOfMark = new RegExp(
  String.raw`^(?:\[?[[【][ \t]*(?:${number}[ \t]*[,;][ \t]*)*(?:\^|${number}[ \t]?(?:[-–][ \t]?)?)?[ \t]*${aside}|\[\[${numbers}\])$`,
);
/** Text that may be removed together with a mark: a comma after another mark, white space, and the opening parenthesis around it. */
const beforeMark = /^[,;]?[ \t]*[(（]?$/;
const gapBeforeMark = /^[,;]?[ \t]*/;
/** Maximum length of the gap. A longer gap is left unchanged. */
const maxGapCharacters = 64;
const gapAlone = /^[,;]?[ \t]*$/;

/** A mark in the form that clients know. A mark in double brackets may be the text of a link. */
const plainMark = /^\[?\[(?!0\d)\d+\]\]?$/;

/** The last character of a text that ends an address, with the word after it. */
const lastAddressEnd = /[\s)>"'][^\s)>"']*$/;
/** A character that continues an address after brackets. */
const goesOnInAddress = /[\w/?&=#%~-]/;

/** What is known about the last word of a text: whether it is an address or a link's target, and its last two characters. */
interface LastWord {
  isAddress: boolean;
  isTarget: boolean;
  end: string;
}

const noWord: LastWord = { isAddress: false, isTarget: false, end: "" };

/** A mark `[n]` in an answer, with its offset in the text. */
export interface Reference {
  n: number;
  offset: number;
}

/**
 * Reads the marks `[n]` of an answer while it is streamed. Removes marks without a chunk, and converts other forms, such as `[1, 3]`,
 * `[1-3]` or `【1】`, to `[n]`. Other brackets, addresses and code pass unchanged. Only text that may become a mark is held back.
 */
export class AnswerMarks {
  /** The marks with a chunk, in the order of the text. */
  readonly references: Reference[] = [];
  /** The text passed on so far. */
  text = "";
  /** Whether the answer has the mark `[0]`, which means that no chunk answers the question. */
  saysNothingFound = false;
  readonly #isChunk: (number: number) => boolean;
  readonly #code = new CodeSpans();
  /** Held-back text: a mark or its beginning, and the text before it that may be removed with it. */
  #before = "";
  #held = "";
  #passed = "";
  /** The end of the text that was passed on. */
  #word = noWord;
  #last = "";
  /** Whether the held-back mark may be part of an address. */
  #isInAddress = false;

  constructor(isChunk: (number: number) => boolean) {
    this.#isChunk = isChunk;
  }

  /** Takes the next piece of the answer. @returns the text that may be shown now */
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

  /** Returns the text that is still held back, at the end of the answer or when it pauses. */
  end(): string {
    if (this.#isInAddress) this.#leaveAddress("\n");
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
      this.#held = longer;
      this.#isInAddress = readOn(this.#word, this.#before).isAddress;
      if (!this.#isInAddress) this.#judge(longer);
    } else if (longer.length < maxMarkCharacters && beginningOfMark.test(longer)) {
      this.#held = longer;
    } else if (this.#held.startsWith("[[")) {
      // The first bracket isn't part of a mark, but the rest may be one.
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
    if (this.#before.length >= maxGapCharacters || !beforeMark.test(this.#before + character)) this.#release();
    const mayPrecede = /[,;]/.test(character) ? this.#last === "]" : beforeMark.test(character);
    if (mayPrecede && !isCode) {
      this.#before += character;
    } else {
      this.#release();
      this.#pass(character);
    }
  }

  /** Decides by the next character what a mark after an address is. "https://a.example/b[1]c" and "[a](b[1])" contain no marks. */
  #leaveAddress(next: string): void {
    this.#isInAddress = false;
    if (readOn(this.#word, this.#before).isTarget || goesOnInAddress.test(next)) this.#release();
    else this.#judge(this.#held);
  }

  /** Passes on a mark of a chunk, or an interval. For any other mark, the next character decides. */
  #judge(mark: string): void {
    const all = parseNumbers(mark);
    // An interval such as [0, 1] isn't a mark.
    const isInterval = all.length > 1 && all.includes(0);
    const known = isInterval ? [] : [...new Set(all)].filter((number) => this.#isChunk(number));
    this.#held = known.length === 0 || (plainMark.test(mark) && known.length === 1) ? mark : formatMarks(known);
    if (known.length === 0 && !isInterval) return;
    this.#release();
    for (const number of known) this.#refer(number);
  }

  /** Records a reference to a chunk by the marks at the end of the text. */
  #refer(number: number): void {
    this.references.push({ n: number, offset: this.text.length + this.#passed.lastIndexOf(`[${number}]`) });
  }

  /** Handles the character after a mark without a chunk. The mark may turn out to be the text of a link. */
  #follow(character: string): void {
    if (this.#isInAddress) {
      this.#leaveAddress(character);
      if (this.#held === "") {
        this.#begin(character);
        return;
      }
    }
    // "[0]" after a name is an array index in code, unless it ends a sentence.
    const isIndex = this.#held === "[0]" && this.#before === "" && /[\w)\]]/.test(this.#last);
    if (character === "(" || (isIndex && !/[.。!！?？…\n]/.test(character))) {
      this.#release();
    } else if (/[)）]/.test(character) && /[(（]/.test(this.#before)) {
      this.#before = this.#before.slice(0, -1);
      return;
    } else if (this.#remove(character)) return;
    this.#begin(character);
  }

  /**
   * Removes the mark before a character.
   *
   * @returns whether to drop the character too, because it would double the white space or start a line with it
   */
  #remove(character: string): boolean {
    this.saysNothingFound ||= parseNumbers(this.#held).includes(0);
    this.#held = "";
    if (/[\s.,;:!?)\]。，；：！？）]/.test(character)) this.#before = this.#before.replace(gapAlone, "");
    if (!/[ \t]/.test(character)) return false;
    this.#release();
    return /^[\s(（]?$/.test(this.#last);
  }

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
    if (text === "") return;
    this.#passed += text;
    this.#word = readOn(this.#word, text);
    this.#last = text.at(-1) ?? "";
  }

  #takePassed(): string {
    const passed = this.#passed;
    this.#passed = "";
    this.text += passed;
    return passed;
  }
}

/** Updates what is known about the last word of a text after more text. */
function readOn(word: LastWord, text: string): LastWord {
  const end = text.search(lastAddressEnd);
  const { isAddress, isTarget, end: before } = end < 0 ? word : noWord;
  const added = before + text.slice(end + 1);
  const isNowTarget = isTarget || added.includes("](");
  return { isAddress: isAddress || isNowTarget || added.includes("://"), isTarget: isNowTarget, end: added.slice(-2) };
}

const formatMarks = (known: number[]): string => known.map((one) => `[${one}]`).join("");

function parseNumbers(mark: string): number[] {
  const [list = ""] = mark.replaceAll(/[[\]【】^]/g, "").split("†");
  return list.split(/[,;]/).flatMap((item) => {
    const [first = 0, last = first] = item.split(/[-–]/).map(Number);
    if (last < first || last > maxRangeNumber) return [first, last];
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
}
