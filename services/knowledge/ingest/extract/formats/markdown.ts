import { normaliseText } from "../../normalise.ts";
import { charsetOf, decodeText } from "../decode.ts";
import type { ExtractedDocument, Mark } from "../document.ts";
import { ExtractionError } from "../document.ts";
import type { ExtractionInput } from "../formats.ts";
import { HeadingPath } from "../text-builder.ts";

/** Markdown as it is, with its headings marked. Throws ExtractionError `empty` when there is nothing but front matter. */
export function markdownDocument(markdown: string): ExtractedDocument {
  const text = normaliseText(markdown);
  const frontMatter = /^---\n(?:[\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text)?.[0] ?? "";
  if (text.length === frontMatter.length || text.slice(frontMatter.length).trim() === "") {
    throw new ExtractionError("empty", "There is no text besides white space and front matter.");
  }
  const { marks, firstHeading } = findHeadings(text, frontMatter.length);
  const title = titleOfFrontMatter(frontMatter) ?? firstHeading;
  return { text, ...(title === undefined ? {} : { title }), contentType: "text/markdown", marks };
}

export function extractMarkdown(input: ExtractionInput): ExtractedDocument {
  return markdownDocument(decodeText(input.bytes, charsetOf(input.contentType)));
}

/**
 * Headings of Markdown text, both `# Heading` and underlined (CommonMark 0.31, sections 4.2 and 4.3), outside fenced code.
 * `from` is the offset at which the body begins.
 */
export function findHeadings(text: string, from = 0): { marks: Mark[]; firstHeading: string | undefined } {
  const marks: Mark[] = [];
  const path = new HeadingPath();
  let firstHeading: string | undefined;
  let fence: string | undefined;
  let previous = { start: from, line: "" };
  for (let start = from; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    // A heading longer than this is no heading; cutting keeps the patterns cheap on endless lines.
    const line = text.slice(start, Math.min(end, start + 1000));
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (marker?.startsWith(fence)) fence = undefined;
    } else if (marker !== undefined) {
      fence = marker;
    } else {
      const heading = headingOf(line, previous.line);
      if (heading !== undefined) {
        const words = plainWords(heading.text);
        firstHeading ??= words === "" ? undefined : words;
        const entered = path.enter(heading.level, words);
        const at = heading.underlined ? previous.start : start;
        marks.push(entered === undefined ? { start: at } : { start: at, heading: entered });
      }
    }
    previous = { start, line: fence === undefined ? line : "" };
    start = end + 1;
  }
  return { marks, firstHeading };
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
