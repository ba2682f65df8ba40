import { decodeHTML } from "entities";
import { normaliseText } from "../../normalise.ts";
import type { ExtractedText, Mark } from "../document.ts";
import { ExtractionError } from "../document.ts";
import { HeadingPath } from "../text-builder.ts";

/** Maximum length of a line to examine. A longer line isn't a heading. The limit also bounds the time the patterns take. */
const maxHeadingLineCharacters = 1_000;

/** Maximum level of a heading that can be the title. Deeper headings belong to notes or details. */
const maxTitleLevel = 3;
/** Headings of a table of contents. */
const contentsHeading =
  /^(?:(?:table of )?contents|inhalt(?:sverzeichnis)?|sommaire|table des matières|[íi]ndice|contenido|sommario|sumário|inhoud(?:sopgave)?|spis treści|innehåll|indhold|содержание|оглавление|目次|目录)$/iu;

/** Lists, multi-line texts and nested fields: front matter with content, such as the programme of an event. */
const nestedFrontMatter = /^[ \t]+\S/m;

/** Markdown unchanged, with its headings marked. @throws ExtractionError `empty` if it contains only front matter fields */
export function readMarkdown(markdown: string): ExtractedText {
  const text = normaliseText(markdown);
  const { title, end } = readFrontMatter(text);
  if (text.slice(end).trim() === "" && !nestedFrontMatter.test(text)) {
    throw new ExtractionError("empty", "The text is empty apart from white space and front matter.");
  }
  const headings = new HeadingScanner();
  const marks = headings.scan(text, end);
  return { text, title: title ?? headings.first, marks };
}

/** The title in a text's front matter (YAML between two lines of dashes), and the offset where the front matter ends. */
export function readFrontMatter(text: string): { title: string | undefined; end: number } {
  const frontMatter = /^---\n(?:[\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text)?.[0] ?? "";
  const title = /^(?:title|titel|titre|t[íi]tulo|titolo|tytuł):[ \t]*(.+)$/m.exec(frontMatter)?.[1]?.trim();
  return { title: title?.replace(/^(["'])(.*)\1$/, "$2").trim() || undefined, end: frontMatter.length };
}

/** Finds headings in Markdown outside fenced code, both `# Heading` and underlined ones (CommonMark 0.31, sections 4.2 and 4.3). */
export class HeadingScanner {
  readonly #path = new HeadingPath();
  #fence: string | undefined;
  /** The text of the first heading that can be a title. */
  first: string | undefined;

  /** The marks of a text, or of the next stretch of a document that is cut between blocks. Skips the text before `from`. */
  scan(text: string, from = 0): Mark[] {
    const above = this.#path.current;
    const marks: Mark[] = above === undefined ? [] : [{ start: from, heading: above }];
    let previous = { start: from, line: "" };
    for (let start = from; start < text.length; ) {
      const newline = text.indexOf("\n", start);
      const end = newline === -1 ? text.length : newline;
      const line = text.slice(start, Math.min(end, start + maxHeadingLineCharacters));
      const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (this.#fence !== undefined) {
        if (marker?.startsWith(this.#fence)) this.#fence = undefined;
      } else if (marker !== undefined) {
        this.#fence = marker;
      } else {
        const heading = parseHeading(line, previous.line);
        if (heading !== undefined) {
          const at = heading.isUnderlined ? previous.start : start;
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
    const words = stripMarkup(text);
    const isTitle = words !== "" && level <= maxTitleLevel && !contentsHeading.test(words);
    this.first ??= isTitle ? words : undefined;
    const heading = this.#path.enter(level, words);
    return heading === undefined ? { start } : { start, heading };
  }
}

function parseHeading(
  line: string,
  previous: string,
): { level: number; text: string; isUnderlined: boolean } | undefined {
  const hashes = /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line);
  if (hashes?.[1] !== undefined) {
    return { level: hashes[1].length, text: line.slice(hashes[0].length), isUnderlined: false };
  }
  const underline = /^ {0,3}(?:(=+)|-+)[ \t]*$/.exec(line);
  if (underline === null || !/^ {0,3}[^\s>#|*+-]/.test(previous)) return undefined;
  return { level: underline[1] === undefined ? 2 : 1, text: previous, isUnderlined: true };
}

/** A heading's text without closing hashes, anchors, links, emphasis and character references (CommonMark 0.31, section 6.2). */
function stripMarkup(heading: string): string {
  return decodeHTML(heading)
    .replace(/\s\{#[^{}]*\}\s*$/, "")
    .replace(/(?:^|[ \t])#+[ \t]*$/, "")
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/[*`\u200b\ufeff]|(?<!\w)_+|_+(?!\w)/g, "")
    .trim();
}
