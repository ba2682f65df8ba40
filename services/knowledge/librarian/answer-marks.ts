import { fold } from "@agent-backends/language";
import { CodeSpans } from "./code-spans.ts";

/** Maximum length of a mark. Longer text after a `[` is passed on. */
const maxMarkCharacters = 64;
/** Maximum number in a range of marks such as `[1-3]`. Larger ones are years or pages. */
const maxRangeNumber = 999;

const year = String.raw`(?:1\d|20)\d\d(?!\d)`;
const number = String.raw`\^?(?!${year})\d{1,4}(?:[ \t]?[-–][ \t]?\d{1,3})?`;
const aside = String.raw`(?:†[^\]】[【\n]{0,20})?`;
const numbers = String.raw`[ \t]*${number}(?:[ \t]*[,;،、][ \t]*${number})*[ \t]*${aside}`;
const wholeMark = new RegExp(String.raw`^(?:[[【]${numbers}[\]】]|\[\[${numbers}\]\])$`);
const partialMark = new RegExp(
  String.raw`^(?:\[?[[【][ \t]*(?:${number}[ \t]*[,;،、][ \t]*)*(?:\^|${number}[ \t]?(?:[-–][ \t]?)?)?[ \t]*${aside}|\[\[${numbers}\])$`,
);
/** Models also write marks in the digits and brackets of the answer's language: `[١]`, `［1］`. */
const isWholeMark = (text: string): boolean => wholeMark.test(fold(text));
const isPartialMark = (text: string): boolean => partialMark.test(fold(text));
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
const addressContinuation = /[\w/?&=#%~-]/;

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
  #pendingGap = "";
  #pendingMark = "";
  #output = "";
  /** The end of the text that was passed on. */
  #lastWord = noWord;
  #lastCharacter = "";
  /** Whether the held-back mark may be part of an address. */
  #isInAddress = false;

  constructor(isChunk: (number: number) => boolean) {
    this.#isChunk = isChunk;
  }

  /** Takes the next piece of the answer. @returns the text that may be shown now */
  push(text: string): string {
    if (this.#pendingGap + this.#pendingMark === "" && !this.#code.isPending && !/[[［【`~]|[(（]$/.test(text)) {
      this.#code.skip(text);
      this.#emit(text);
    } else {
      for (const character of text) this.#takeCharacter(character);
      if (this.#pendingMark === "") this.#emitGap();
    }
    return this.#takeOutput();
  }

  /** Returns the text that is still held back, at the end of the answer or when it pauses. */
  end(): string {
    if (this.#isInAddress) this.#resolveInAddress("\n");
    if (isWholeMark(this.#pendingMark)) this.#removeMark("\n");
    this.#emitPending();
    return this.#takeOutput();
  }

  #takeCharacter(character: string): void {
    const longer = this.#pendingMark + character;
    if (this.#pendingMark === "") {
      this.#takeOutsideMark(character);
    } else if (isWholeMark(this.#pendingMark)) {
      this.#takeAfterMark(character);
    } else if (isWholeMark(longer)) {
      this.#pendingMark = longer;
      this.#isInAddress = updateLastWord(this.#lastWord, this.#pendingGap).isAddress;
      if (!this.#isInAddress) this.#resolveMark(longer);
    } else if (longer.length < maxMarkCharacters && isPartialMark(longer)) {
      this.#pendingMark = longer;
    } else if (this.#pendingMark.startsWith("[[")) {
      // The first bracket isn't part of a mark, but the rest may be one.
      this.#pendingMark = "[";
      this.#emitPending();
      for (const again of longer.slice(1)) this.#takeCharacter(again);
    } else {
      this.#emitPending();
      this.#takeOutsideMark(character);
    }
  }

  #takeOutsideMark(character: string): void {
    const isCode = this.#code.take(character);
    if (!isCode && /[[［【]/.test(character)) {
      this.#pendingMark = character;
      return;
    }
    if (this.#pendingGap.length >= maxGapCharacters || !beforeMark.test(this.#pendingGap + character))
      this.#emitPending();
    const mayPrecede = /[,;]/.test(character) ? this.#lastCharacter === "]" : beforeMark.test(character);
    if (mayPrecede && !isCode) {
      this.#pendingGap += character;
    } else {
      this.#emitPending();
      this.#emit(character);
    }
  }

  /** Decides by the next character what a mark after an address is. "https://a.example/b[1]c" and "[a](b[1])" contain no marks. */
  #resolveInAddress(next: string): void {
    this.#isInAddress = false;
    if (updateLastWord(this.#lastWord, this.#pendingGap).isTarget || addressContinuation.test(next))
      this.#emitPending();
    else this.#resolveMark(this.#pendingMark);
  }

  /** Passes on a mark of a chunk, or an interval. For any other mark, the next character decides. */
  #resolveMark(mark: string): void {
    const all = parseNumbers(mark);
    // An interval such as [0, 1] isn't a mark.
    const isInterval = all.length > 1 && all.includes(0);
    const known = isInterval ? [] : [...new Set(all)].filter((number) => this.#isChunk(number));
    this.#pendingMark = known.length === 0 || (plainMark.test(mark) && known.length === 1) ? mark : formatMarks(known);
    if (known.length === 0 && !isInterval) return;
    this.#emitPending();
    for (const number of known) this.#addReference(number);
  }

  /** Records a reference to a chunk by the marks at the end of the text. */
  #addReference(number: number): void {
    this.references.push({ n: number, offset: this.text.length + this.#output.lastIndexOf(`[${number}]`) });
  }

  /** Handles the character after a mark without a chunk. The mark may turn out to be the text of a link. */
  #takeAfterMark(character: string): void {
    if (this.#isInAddress) {
      this.#resolveInAddress(character);
      if (this.#pendingMark === "") {
        this.#takeOutsideMark(character);
        return;
      }
    }
    // "[0]" after a name is an array index in code, unless it ends a sentence.
    const isIndex = this.#pendingMark === "[0]" && this.#pendingGap === "" && /[\w)\]]/.test(this.#lastCharacter);
    if (character === "(" || (isIndex && !/[.。!！?？…\n]/.test(character))) {
      this.#emitPending();
    } else if (/[)）]/.test(character) && /[(（]/.test(this.#pendingGap)) {
      this.#pendingGap = this.#pendingGap.slice(0, -1);
      return;
    } else if (this.#removeMark(character)) return;
    this.#takeOutsideMark(character);
  }

  /**
   * Removes the mark before a character.
   *
   * @returns whether to drop the character too, because it would double the white space or start a line with it
   */
  #removeMark(character: string): boolean {
    this.saysNothingFound ||= parseNumbers(this.#pendingMark).includes(0);
    this.#pendingMark = "";
    if (/[\s.,;:!?)\]。，；：！？）]/.test(character)) this.#pendingGap = this.#pendingGap.replace(gapAlone, "");
    if (!/[ \t]/.test(character)) return false;
    this.#emitPending();
    return /^[\s(（]?$/.test(this.#lastCharacter);
  }

  #emitPending(): void {
    this.#emit(this.#pendingGap + this.#pendingMark);
    this.#pendingGap = this.#pendingMark = "";
  }

  #emitGap(): void {
    const [gap = ""] = gapBeforeMark.exec(this.#pendingGap) ?? [];
    this.#pendingGap = this.#pendingGap.slice(gap.length);
    this.#emit(gap);
  }

  #emit(text: string): void {
    if (text === "") return;
    this.#output += text;
    this.#lastWord = updateLastWord(this.#lastWord, text);
    this.#lastCharacter = text.at(-1) ?? "";
  }

  #takeOutput(): string {
    const passed = this.#output;
    this.#output = "";
    this.text += passed;
    return passed;
  }
}

/** Updates what is known about the last word of a text after more text. */
function updateLastWord(word: LastWord, text: string): LastWord {
  const end = text.search(lastAddressEnd);
  const { isAddress, isTarget, end: before } = end < 0 ? word : noWord;
  const added = before + text.slice(end + 1);
  const isNowTarget = isTarget || added.includes("](");
  return { isAddress: isAddress || isNowTarget || added.includes("://"), isTarget: isNowTarget, end: added.slice(-2) };
}

const formatMarks = (known: number[]): string => known.map((one) => `[${one}]`).join("");

function parseNumbers(mark: string): number[] {
  const [list = ""] = fold(mark)
    .replaceAll(/[[\]【】^]/g, "")
    .split("†");
  return list.split(/[,;،、]/).flatMap((item) => {
    const [first = 0, last = first] = item.split(/[-–]/).map(Number);
    if (last < first || last > maxRangeNumber) return [first, last];
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
}
