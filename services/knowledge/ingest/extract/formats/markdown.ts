import { normaliseText } from "../../normalise.ts";
import { charsetOf, decodeText } from "../decode.ts";
import type { ExtractedDocument, Mark } from "../document.ts";
import { ExtractionError } from "../document.ts";
import type { ExtractionInput } from "../formats.ts";
import { formats } from "../formats.ts";
import { HeadingPath } from "../text-builder.ts";

/** Markdown as it is, with its headings marked. Throws ExtractionError `empty` when there is nothing but front matter. */
export function markdownDocument(markdown: string): ExtractedDocument {
  const text = normaliseText(markdown);
  const scanner = new MarkdownScanner();
  const marks = scanner.scan(text);
  const { title, isEmpty } = scanner;
  if (isEmpty) throw nothingToRead();
  return { text, ...(title === undefined ? {} : { title }), contentType: formats.markdown.contentType, marks };
}

export const nothingToRead = () =>
  new ExtractionError("empty", "There is no text besides white space and front matter.");

export function extractMarkdown(input: ExtractionInput): ExtractedDocument {
  return markdownDocument(decodeText(input.bytes, charsetOf(input.contentType)));
}

/** Finds the headings of Markdown text that comes in one piece, or in several that end between blocks. */
export class MarkdownScanner {
  readonly #headings = new HeadingScanner();
  #titleOfFrontMatter: string | undefined;
  #isStart = true;
  /** Whether there was nothing but white space and front matter until now. */
  isEmpty = true;

  /** The marks of the next piece. */
  scan(text: string): Mark[] {
    if (!this.#isStart) {
      this.isEmpty &&= text.trim() === "";
      return this.#headings.scan(text);
    }
    this.#isStart = false;
    const frontMatter = /^---\n(?:[\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text)?.[0] ?? "";
    this.isEmpty = text.slice(frontMatter.length).trim() === "";
    this.#titleOfFrontMatter = titleOfFrontMatter(frontMatter);
    return this.#headings.scan(text, frontMatter.length);
  }

  /** What the text calls itself, as far as it was read. */
  get title(): string | undefined {
    return this.#titleOfFrontMatter ?? this.#headings.first;
  }
}

/** Headings of Markdown text, both `# Heading` and underlined (CommonMark 0.31, sections 4.2 and 4.3), outside fenced code. */
export class HeadingScanner {
  readonly #path = new HeadingPath();
  #fence: string | undefined;
  /** The words of the first heading that has any. */
  first: string | undefined;

  /** The marks of the next piece of the text, of which the part before `from` is skipped. */
  scan(text: string, from = 0): Mark[] {
    const above = this.#path.current;
    const marks: Mark[] = above === undefined ? [] : [{ start: from, heading: above }];
    let previous = { start: from, line: "" };
    for (let start = from; start < text.length; ) {
      const newline = text.indexOf("\n", start);
      const end = newline === -1 ? text.length : newline;
      // A heading longer than this is no heading; cutting keeps the patterns cheap on endless lines.
      const line = text.slice(start, Math.min(end, start + 1000));
      const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (this.#fence !== undefined) {
        if (marker?.startsWith(this.#fence)) this.#fence = undefined;
      } else if (marker !== undefined) {
        this.#fence = marker;
      } else {
        const heading = headingOf(line, previous.line);
        if (heading !== undefined) {
          const at = heading.underlined ? previous.start : start;
          if (marks.at(-1)?.start === at) marks.pop();
          marks.push(this.#enter(heading, at));
        }
      }
      previous = { start, line: this.#fence === undefined ? line : "" };
      start = end + 1;
    }
    return marks;
  }

  #enter({ level, text }: { level: number; text: string }, start: number): Mark {
    const words = plainWords(text);
    this.first ??= words === "" ? undefined : words;
    const heading = this.#path.enter(level, words);
    return heading === undefined ? { start } : { start, heading };
  }
}

function headingOf(line: string, previous: string): { level: number; text: string; underlined: boolean } | undefined {
  const hashes = /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line);
  if (hashes?.[1] !== undefined) {
    return { level: hashes[1].length, text: line.slice(hashes[0].length), underlined: false };
  }
  const underline = /^ {0,3}(?:(=+)|-+)[ \t]*$/.exec(line);
  if (underline === null || !/^ {0,3}[^\s>#|*+-]/.test(previous)) return undefined;
  return { level: underline[1] === undefined ? 2 : 1, text: previous, underlined: true };
}

/** A heading's words without closing hashes, anchors, links and emphasis. */
function plainWords(heading: string): string {
  return heading
    .replace(/\s\{#[^{}]*\}\s*$/, "")
    .replace(/(?:^|[ \t])#+[ \t]*$/, "")
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/[*`\u200b\ufeff]|(?<!\w)_+|_+(?!\w)/g, "")
    .trim();
}

function titleOfFrontMatter(frontMatter: string): string | undefined {
  const title = /^title:[ \t]*(.+)$/m.exec(frontMatter)?.[1]?.trim();
  return title?.replace(/^(["'])(.*)\1$/, "$2").trim() || undefined;
}
