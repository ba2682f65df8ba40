import type { TextItem } from "./reading-order.ts";
import { toReadingOrder } from "./reading-order.ts";

/** A part of a line that is separated by a wide gap. Positions are in points from the left edge. */
export interface Segment {
  text: string;
  left: number;
  right: number;
}

export interface Line {
  text: string;
  /** In file order. Empty for a line that isn't horizontal. */
  segments: Segment[];
  /** Baseline, in points from the bottom of the page. */
  y: number;
  /** Height of the letters, in points. */
  height: number;
  /** The font of all words, by the name that the file's reader gives it. Undefined for several fonts. */
  font: string | undefined;
  /** Path of the headings that begin at this line. */
  heading?: string;
}

/** The text of a page before it is cut into paragraphs. */
export interface Page {
  /** Edges of the page, in points. */
  bottom: number;
  top: number;
  /** In file order. */
  lines: Line[];
  /** Form entries and annotations. */
  entries: string[];
}

/** Lines that belong together. */
export interface Paragraph {
  text: string;
  heading: string | undefined;
}

/** Maximum distance between two baselines in a paragraph, in line heights. */
export const paragraphGap = 1.75;

/** Minimum space between words of different writing directions, in line heights. Within one direction, pdf.js inserts spaces itself. */
const wordGap = 0.1;

/** Minimum gap between two segments of a line, in line heights. Words in justified lines are closer. */
const segmentGap = 0.8;

/** Minimum ratio of the letter sizes of two lines for the larger one to be a heading. */
export const headingScale = 1.15;

/** Groups lines into paragraphs, split at headings and where the distance or the letter size changes. */
export function toParagraphs(lines: readonly Line[]): Paragraph[] {
  const paragraphs: Line[][] = [];
  let previous: Line | undefined;
  for (const line of lines) {
    if (previous === undefined || startsParagraph(previous, line)) paragraphs.push([]);
    paragraphs.at(-1)?.push(line);
    previous = line;
  }
  return paragraphs.map((part) => ({ text: joinLines(part.map(({ text }) => text)), heading: part[0]?.heading }));
}

export function toLines(items: readonly TextItem[]): Line[] {
  const lines: Line[] = [];
  let parts: string[] = [];
  let segments: Segment[] = [];
  let isHorizontal = true;
  let y = 0;
  let height = 0;
  let fonts = new Set<string>();
  let last: TextItem | undefined;
  const finish = () => {
    const text = parts.join("").trim();
    const font = fonts.size === 1 ? [...fonts][0] : undefined;
    if (text !== "") lines.push({ text, segments: isHorizontal ? segments : [], y, height, font });
    parts = [];
    fonts = new Set();
    segments = [];
    isHorizontal = true;
    height = 0;
    last = undefined;
  };
  for (const item of toReadingOrder(items)) {
    if (item.str.trim() !== "") {
      if (height === 0) y = item.transform[5] ?? 0;
      height = Math.max(height, item.height);
      fonts.add(item.fontName);
      isHorizontal &&= item.transform[1] === 0 && item.dir !== "ttb";
      addToSegments(segments, item, height);
    } else if (segments.length > 0) addSpace(segments);
    if (last !== undefined && last.dir !== item.dir && measureGap(last, item) > wordGap * height) parts.push(" ");
    last = item;
    parts.push(item.str);
    if (item.hasEOL) finish();
  }
  finish();
  return lines;
}

/** Adds a run's text to the last segment. A wide gap or several typed spaces start a new segment. */
function addToSegments(segments: Segment[], { str, transform, width }: TextItem, height: number): void {
  const start = transform[4] ?? 0;
  const characterWidth = width / str.length;
  for (const { 0: words, index } of str.matchAll(/\S+(?:\s{1,2}\S+)*/g)) {
    const left = start + index * characterWidth;
    const right = left + words.length * characterWidth;
    const last = segments.at(-1);
    const gap = last === undefined ? Number.POSITIVE_INFINITY : Math.max(left - last.right, last.left - right);
    if (last === undefined || gap > segmentGap * height) segments.push({ text: words, left, right });
    else {
      last.text += (index > 0 || gap > wordGap * height) && !last.text.endsWith(" ") ? ` ${words}` : words;
      last.left = Math.min(last.left, left);
      last.right = Math.max(last.right, right);
    }
  }
}

function addSpace(segments: Segment[]): void {
  const last = segments.at(-1);
  if (last !== undefined && !last.text.endsWith(" ")) last.text += " ";
}

/** Space between two runs of a line, in any order, in points. */
function measureGap(one: TextItem, other: TextItem): number {
  const [left, right] = [one, other].sort((a, b) => (a.transform[4] ?? 0) - (b.transform[4] ?? 0));
  return left === undefined || right === undefined
    ? 0
    : (right.transform[4] ?? 0) - (left.transform[4] ?? 0) - left.width;
}

function startsParagraph(previous: Line, line: Line): boolean {
  if (line.heading !== undefined) return true;
  const height = Math.min(previous.height, line.height) || Math.max(previous.height, line.height);
  if (height === 0) return false;
  const gap = previous.y - line.y;
  // A line above the previous one starts a new column, or the file order isn't the reading order.
  if (gap < -height) return true;
  if (gap > paragraphGap * height) return true;
  return previous.height > line.height * headingScale || line.height > previous.height * headingScale;
}

/** Joins lines, keeping line breaks but rejoining words that were hyphenated at the end of a line. */
function joinLines(lines: readonly string[]): string {
  return lines.join("\n").replace(/(?<=\p{Ll})[-\u00ad\u2010]\n(?=\p{Ll})/gu, "");
}
