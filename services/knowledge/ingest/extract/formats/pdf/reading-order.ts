/** A run of text, in pdf.js's format. */
export interface TextItem {
  str: string;
  /** Writing direction: "ltr", "rtl" or "ttb". */
  dir: string;
  hasEOL: boolean;
  fontName: string;
  /** `[a, b, c, d, x, y]`, in points from the lower left corner of the page. */
  transform: number[];
  width: number;
  height: number;
}

/**
 * Puts the words of right-to-left lines in reading order. Some files write such a line from the left, word by word: each word is right, but
 * the last one comes first. Numbers and words of the other direction within the line stay in order.
 */
export function toReadingOrder(items: readonly TextItem[]): TextItem[] {
  return splitIntoLines(items).flatMap((line) => (isWrittenFromLeft(line) ? readFromRight(line) : line));
}

function splitIntoLines(items: readonly TextItem[]): TextItem[][] {
  const lines: TextItem[][] = [[]];
  for (const item of items) {
    lines.at(-1)?.push(item);
    if (item.hasEOL) lines.push([]);
  }
  return lines;
}

function isWrittenFromLeft(line: readonly TextItem[]): boolean {
  const lefts = line.filter(({ dir, str }) => dir === "rtl" && /\p{L}/u.test(str)).map(getLeft);
  const steps = lefts.slice(1).map((left, at) => Math.sign(left - (lefts[at] ?? 0)));
  return steps.reduce((sum, step) => sum + step, 0) > 0;
}

function readFromRight(line: readonly TextItem[]): TextItem[] {
  const ordered: TextItem[] = [];
  let otherDirection: TextItem[] = [];
  const flush = () => {
    const first = otherDirection.findIndex(({ str }) => /[\p{L}\p{N}]/u.test(str));
    const between = otherDirection.slice(0, Math.max(0, first)).reverse();
    ordered.push(...otherDirection.slice(Math.max(0, first)), ...between);
    otherDirection = [];
  };
  for (const item of line.toSorted((one, other) => getLeft(other) - getLeft(one))) {
    if (item.dir !== "rtl" && (/[\p{L}\p{N}]/u.test(item.str) || otherDirection.length > 0))
      otherDirection.unshift(item);
    else {
      flush();
      ordered.push(item);
    }
  }
  flush();
  return ordered.map((item, at) => ({ ...item, hasEOL: at === line.length - 1 && line.some(({ hasEOL }) => hasEOL) }));
}

const getLeft = ({ transform }: TextItem): number => transform[4] ?? 0;
