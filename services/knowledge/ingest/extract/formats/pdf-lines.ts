/** A run of text as pdf.js gives it. */
export interface TextItem {
  str: string;
  /** Direction of its writing: "ltr", "rtl" or "ttb". */
  dir: string;
  hasEOL: boolean;
  /** `[a, b, c, d, x, y]`, in points from the page's lower left corner. */
  transform: number[];
  width: number;
  height: number;
}

interface Line {
  text: string;
  /** Baseline, in points from the page's lower end. */
  y: number;
  /** Height of its letters, in points. */
  height: number;
}

/** Space between two lines, in heights of a line, beyond which a paragraph ends. */
const paragraphGap = 1.75;

/** Space between words of two directions, in heights of a line; pdf.js tells that of one direction. */
const wordGap = 0.1;

/** How much larger letters of one line are than those of the next where a heading ends. */
const headingScale = 1.15;

/** The paragraphs of a page: lines in the page's own order, split where the space between them or the size of letters changes. */
export function paragraphsOf(items: readonly TextItem[]): string[] {
  const paragraphs: string[][] = [];
  let previous: Line | undefined;
  for (const line of linesOf(items)) {
    if (previous === undefined || startsParagraph(previous, line)) paragraphs.push([]);
    paragraphs.at(-1)?.push(line.text);
    previous = line;
  }
  return paragraphs.map(joinLines);
}

function linesOf(items: readonly TextItem[]): Line[] {
  const lines: Line[] = [];
  let parts: string[] = [];
  let y = 0;
  let height = 0;
  let last: TextItem | undefined;
  const finish = () => {
    const text = parts.join("").trim();
    if (text !== "") lines.push({ text, y, height });
    parts = [];
    height = 0;
    last = undefined;
  };
  for (const item of items) {
    if (item.str.trim() !== "") {
      if (height === 0) y = item.transform[5] ?? 0;
      height = Math.max(height, item.height);
    }
    if (last !== undefined && last.dir !== item.dir && gapBetween(last, item) > wordGap * height) parts.push(" ");
    last = item;
    parts.push(item.str);
    if (item.hasEOL) finish();
  }
  finish();
  return lines;
}

/** Space between two runs of a line, whichever is on the left, in points. */
function gapBetween(one: TextItem, other: TextItem): number {
  const [left, right] = [one, other].sort((a, b) => (a.transform[4] ?? 0) - (b.transform[4] ?? 0));
  return left === undefined || right === undefined
    ? 0
    : (right.transform[4] ?? 0) - (left.transform[4] ?? 0) - left.width;
}

function startsParagraph(previous: Line, line: Line): boolean {
  const height = Math.min(previous.height, line.height) || Math.max(previous.height, line.height);
  if (height === 0) return false;
  const gap = previous.y - line.y;
  // Upwards is the next column, or a page whose order is not the eye's: nothing can be told from it.
  if (gap < -height) return true;
  if (gap > paragraphGap * height) return true;
  return previous.height > line.height * headingScale || line.height > previous.height * headingScale;
}

/** Lines stay lines; a word that the typesetter divided at the end of one is whole again. */
function joinLines(lines: readonly string[]): string {
  return lines.join("\n").replace(/(?<=\p{Ll})[-\u00ad\u2010]\n(?=\p{Ll})/gu, "");
}
