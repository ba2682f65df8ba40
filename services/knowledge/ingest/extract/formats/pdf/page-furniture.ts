import { findContentsLines } from "./contents-lines.ts";
import type { Line, Page } from "./lines.ts";

/** Running titles and page numbers are within this share of the page's height from its edges. */
const marginShare = 0.1;

/** Running titles beside a logo are within this share, and on more than this share of the pages, always the same. */
const deepMarginShare = 0.2;
const minDeepShare = 0.5;

/** Maximum number of lines at each edge of a page that may be running titles. */
const maxMarginLines = 3;

/** Minimum number of pages with the same line at the same height for it to be a running title. For a page number, two pages suffice. */
const minRepeats = 3;

/** Heights of the same running title differ by less than this, in points. */
const heightTolerance = 3;

/** Maximum distance between the baselines of two rows of a table, in line heights. Running titles are further from the text. */
const maxRowGap = 2.5;

/** Minimum share of a row's cells that are above or below a cell of the next row. Some cells are empty. */
const minSharedColumns = 0.7;

/** Removes running titles, page numbers and tables of contents, which only repeat text from elsewhere. */
export function removeFurniture(pages: readonly Page[]): void {
  const pagesOfTitle = new Map<string, number>();
  const titles = pages.map((page) =>
    findMarginLines(page).map((line) => {
      const isDeep = !isInMargin(line, page, marginShare);
      return { line, isDeep, keys: toKeys(line, isDeep ? line.text : withoutNumbers(line)) };
    }),
  );
  for (const onPage of titles) {
    for (const key of new Set(onPage.flatMap(({ keys }) => keys)))
      pagesOfTitle.set(key, (pagesOfTitle.get(key) ?? 0) + 1);
  }
  const contents = findContentsLines(pages);
  for (const [index, page] of pages.entries()) {
    const repeated = (titles[index] ?? []).filter(({ line, isDeep, keys }) => {
      const repeats = Math.max(...keys.map((key) => pagesOfTitle.get(key) ?? 0));
      return repeats >= (isPageNumber(line) ? 2 : minRepeats) && (!isDeep || repeats > minDeepShare * pages.length);
    });
    const removed = withoutTableRows(
      page,
      repeated.map(({ line }) => line),
    );
    for (const line of contents[index] ?? []) removed.add(line);
    const kept = page.lines.filter((line) => !removed.has(line));
    // Move the heading of a removed line to the next line.
    for (const line of removed) {
      const next = page.lines.slice(page.lines.indexOf(line)).find((other) => !removed.has(other));
      if (line.heading !== undefined && next !== undefined) next.heading ??= line.heading;
    }
    // A page that contains nothing else, such as a slide with one line, keeps it.
    if (kept.length > 0 || removed.size > maxMarginLines) page.lines = kept;
  }
}

/** The outermost lines of a page that may be in its margins. */
function findMarginLines(page: Page): Line[] {
  const sorted = [...page.lines].sort((one, other) => other.y - one.y);
  const outermost = new Set([...sorted.slice(0, maxMarginLines), ...sorted.slice(-maxMarginLines)]);
  // A line of several segments may be the names of a table's columns.
  return [...outermost].filter((line) =>
    isInMargin(line, page, line.segments.length > 1 ? marginShare : deepMarginShare),
  );
}

/**
 * Lines without those that are rows of a table: its header may be the same on each page, and its values have the same form. At least two
 * further rows follow them towards the middle of the page. Under a running title, one line of a list may look like a row.
 */
function withoutTableRows({ lines, bottom, top }: Page, repeated: readonly Line[]): Set<Line> {
  const removed = new Set(repeated);
  const toDistance = ({ y }: Line) => Math.abs(y - (bottom + top) / 2);
  const findNextRow = (line: Line): Line | undefined =>
    lines.find(
      (other) =>
        !removed.has(other) &&
        toDistance(other) < toDistance(line) &&
        Math.abs(other.y - line.y) <= maxRowGap * line.height &&
        sharesColumns(line, other),
    );
  // The innermost lines come first, because a row is recognised by those that stay.
  for (const line of [...repeated].sort((one, other) => toDistance(one) - toDistance(other))) {
    const next = findNextRow(line);
    if (next !== undefined && findNextRow(next) !== undefined) removed.delete(line);
  }
  return removed;
}

/** Whether two lines may be rows of one table: segments of one are above or below segments of the other. */
function sharesColumns({ segments }: Line, other: Line): boolean {
  const beside = segments.map(({ left, right }) =>
    other.segments.findIndex((segment) => segment.left < right && segment.right > left),
  );
  const shared = new Set(beside.filter((position) => position >= 0)).size;
  return shared > 1 && shared >= segments.length * minSharedColumns;
}

const isInMargin = ({ y }: Line, { bottom, top }: Page, share: number): boolean =>
  Math.min(top - y, y - bottom) < (top - bottom) * share;

/** Words at a line's height and at the next height step, because heights are rounded. */
function toKeys({ y }: Line, words: string): string[] {
  const step = Math.floor(y / heightTolerance);
  return [`${step} ${words}`, `${step + 1} ${words}`];
}

const withoutNumbers = ({ text }: Line): string =>
  isPageNumber({ text }) ? "#" : text.toLowerCase().replace(/\d+/g, "#").replace(/\s+/g, " ");

const isPageNumber = ({ text }: Pick<Line, "text">): boolean =>
  /^[^\p{L}\p{N}]*(?:\p{L}{1,8}\.?\s)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:\/|\p{L}{1,3})\s*\d{1,4})?[^\p{L}\p{N}]*$/iu.test(
    text,
  );
