import { HeadingPath } from "../../text-builder.ts";
import type { Line, Page } from "./lines.ts";
import { headingScale } from "./lines.ts";

const maxTitleCharacters = 120;

/** Maximum share of a document's characters in headings. Slides and posters have as many large letters as small ones. */
const maxHeadingShare = 0.2;

const maxLevel = 6;

/**
 * Marks the short lines in larger letters than the text as Markdown headings, for a PDF without an outline. Larger letters are an outer
 * level.
 */
export function markLargeLines(pages: readonly Page[]): void {
  const lines = pages.flatMap((page) => page.lines);
  const characters = new Map<number, number>();
  for (const line of lines) characters.set(getSize(line), (characters.get(getSize(line)) ?? 0) + line.text.length);
  const [[ofText = 0] = []] = [...characters].sort(([, one], [, other]) => other - one);
  const isTitle = (line: Line) =>
    getSize(line) >= headingScale * ofText &&
    line.text.length <= maxTitleCharacters &&
    /\p{L}{2}/u.test(line.text) &&
    !/[.,;]$/.test(line.text);
  const count = (some: readonly Line[]) => some.reduce((sum, { text }) => sum + text.length, 0);
  const titles = lines.filter(isTitle);
  if (count(titles) > maxHeadingShare * count(lines)) return;
  const sizes = [...new Set(titles.map(getSize))].sort((one, other) => other - one);
  const levels = new Map(sizes.map((size, index) => [size, Math.min(maxLevel, index + 1)]));
  const path = new HeadingPath();
  for (const page of pages) {
    const lines: Line[] = [];
    for (const line of page.lines) {
      const last = lines.at(-1);
      const isTitleLine = isTitle(line);
      if (isTitleLine && last?.heading !== undefined && getSize(last) === getSize(line)) last.text += ` ${line.text}`;
      else if (isTitleLine) lines.push({ ...line, heading: "" });
      else lines.push(line);
    }
    for (const line of lines.filter(({ heading }) => heading === "")) {
      const level = levels.get(getSize(line)) ?? maxLevel;
      line.heading = path.enter(level, line.text) ?? line.text;
      line.text = `${"#".repeat(level)} ${line.text}`;
    }
    page.lines = lines;
  }
}

/** Height of the letters, rounded because writers of PDFs compute it. */
const getSize = ({ height }: Line): number => Math.round(2 * height) / 2;
