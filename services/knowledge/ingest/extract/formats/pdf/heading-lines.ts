import { HeadingPath } from "../../text-builder.ts";
import type { Line, Page } from "./lines.ts";
import { headingScale, paragraphGap } from "./lines.ts";

const maxTitleCharacters = 120;

/** Maximum share of a document's characters in headings. Slides and posters have as many large letters as small ones. */
const maxHeadingShare = 0.2;

/** More lines than this in a row, in another font than the text, are a list. */
const maxTitleLines = 4;

const maxLevel = 6;

/**
 * Marks headings as in Markdown, for a PDF without an outline: short lines in larger letters than the text, and those that stand alone in
 * a font of their own, such as bold. Larger letters are an outer level; of fonts of one size, the one that is used first.
 */
export function markHeadingLines(pages: readonly Page[]): void {
  const lines = pages.flatMap((page) => page.lines);
  const ofText = { size: findMost(lines, getSize) ?? 0, font: findMost(lines, ({ font }) => font) };
  const isLarge = (line: Line) => getSize(line) >= headingScale * ofText.size && isTitle(line);
  const apart = new Set(pages.flatMap((page) => findLinesApart(page.lines, ofText)));
  const count = (some: readonly Line[]) => some.reduce((sum, { text }) => sum + text.length, 0);
  const titles = [(line: Line) => isLarge(line) || apart.has(line), isLarge]
    .map((isHeading) => lines.filter(isHeading))
    .find((some) => count(some) <= maxHeadingShare * count(lines));
  if (titles === undefined) return;
  const getStyle = (line: Line) => `${getSize(line)} ${isLarge(line) ? "" : line.font}`;
  const styles = [...new Set(titles.map(getStyle))].sort((one, other) => parseFloat(other) - parseFloat(one));
  const levels = new Map(styles.map((style, index) => [style, Math.min(maxLevel, index + 1)]));
  const headings = new Set(titles);
  const path = new HeadingPath();
  for (const page of pages) {
    const marked: { line: Line; style?: string }[] = [];
    for (const line of page.lines) {
      const last = marked.at(-1);
      const style = headings.has(line) ? getStyle(line) : undefined;
      if (style !== undefined && last?.style === style) last.line.text += ` ${line.text}`;
      else marked.push(style === undefined ? { line } : { line: { ...line }, style });
    }
    page.lines = marked.map(({ line, style }) => {
      if (style === undefined) return line;
      const level = levels.get(style) ?? maxLevel;
      return { ...line, heading: path.enter(level, line.text) ?? line.text, text: `${"#".repeat(level)} ${line.text}` };
    });
  }
}

const isTitle = ({ text }: Line): boolean =>
  text.length <= maxTitleCharacters && /\p{L}{2}/u.test(text) && !/[.,;]$/.test(text);

/** Lines in another font than the text, and no smaller, with space above. */
function findLinesApart(lines: readonly Line[], ofText: { size: number; font: string | undefined }): Line[] {
  const isApart = (line: Line) =>
    line.font !== undefined &&
    line.font !== ofText.font &&
    line.segments.length === 1 &&
    getSize(line) >= ofText.size &&
    isTitle(line);
  const begins = ({ text }: Line) => /^[\P{L}\p{Lu}\p{Lo}]/u.test(text);
  const found: Line[] = [];
  let run: Line[] = [];
  const endRun = (next?: Line) => {
    // A sentence that goes on is no title.
    if (run.length <= maxTitleLines && !/^\p{Ll}/u.test(next?.text ?? "")) found.push(...run);
    run = [];
  };
  for (const [index, line] of lines.entries()) {
    const gap = (lines[index - 1]?.y ?? Number.POSITIVE_INFINITY) - line.y;
    const hasSpace = gap < 0 || gap > paragraphGap * line.height;
    if (isApart(line) && (run.length > 0 || (hasSpace && begins(line)))) run.push(line);
    else endRun(line);
  }
  endRun();
  return found;
}

/** The value of most characters. */
function findMost<Value>(lines: readonly Line[], read: (line: Line) => Value | undefined): Value | undefined {
  const characters = new Map<Value, number>();
  for (const line of lines) {
    const value = read(line);
    if (value !== undefined) characters.set(value, (characters.get(value) ?? 0) + line.text.length);
  }
  return [...characters].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** Height of the letters, rounded because writers of PDFs compute it. */
const getSize = ({ height }: Line): number => Math.round(2 * height) / 2;
