import type { Place } from "../../store/document.ts";
import { normaliseText } from "../normalise.ts";
import { toOneLine } from "../title.ts";
import type { Mark } from "./document.ts";

/** Maximum length of one heading in a heading path, in UTF-16 code units. */
const maxHeadingCharacters = 120;

/** Tracks the headings of a document. Returns the path to the innermost one. */
export class HeadingPath {
  readonly #open: { level: number; text: string }[] = [];

  /** Enters a heading of the given level; 1 is the outermost. @returns the new path, "A > B" */
  enter(level: number, heading: string): string | undefined {
    // Some converters also write level 0.
    const outer = this.#open.findIndex((open) => open.level >= level);
    if (outer >= 0) this.#open.length = outer;
    const text = toOneLine(heading, maxHeadingCharacters);
    if (text !== "") this.#open.push({ level, text });
    return this.current;
  }

  get current(): string | undefined {
    return this.#open.length === 0 ? undefined : this.#open.map((heading) => heading.text).join(" > ");
  }
}

/**
 * Joins the blocks of a document with blank lines into one normalised text, and marks where each place begins. Normalising each block
 * gives the same result as normalising the whole text, because no Unicode composition crosses a line end.
 */
export class TextBuilder {
  readonly #parts: string[] = [];
  readonly #marks: Mark[] = [];
  #length = 0;

  /** Adds a block unless it is blank. What is undefined of its place isn't marked. */
  add(block: string, place: Place = {}): number | undefined {
    const text = normaliseText(block);
    if (text === "") return undefined;
    if (this.#length > 0) {
      this.#parts.push("\n\n");
      this.#length += 2;
    }
    const start = this.#length;
    const known: Place = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
    this.mark({ ...known, start });
    this.#parts.push(text);
    this.#length += text.length;
    return start;
  }

  /** Marks a place inside the last block. Marks must come in ascending order. */
  mark(mark: Mark): void {
    const last = this.#marks.at(-1);
    if (last !== undefined && isSamePlace(last, mark)) return;
    if (last === undefined && isSamePlace({ start: 0 }, mark)) return;
    if (last?.start === mark.start) this.#marks.pop();
    this.#marks.push(mark);
  }

  get length(): number {
    return this.#length;
  }

  build(): { text: string; marks: Mark[] } {
    return { text: this.#parts.join(""), marks: this.#marks };
  }
}

function isSamePlace(one: Mark, other: Mark): boolean {
  return (
    one.page === other.page && one.heading === other.heading && one.slide === other.slide && one.sheet === other.sheet
  );
}
