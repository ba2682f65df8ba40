import type { Line, Page } from "./lines.ts";

/** Minimum number of entries of a table of contents on a page. */
const minContentsLines = 4;

/** Minimum share of page numbers in a table of contents that don't decrease. In other tables with leaders, they do. */
const minAscendingShare = 0.85;

/**
 * Lines within this distance of a table-of-contents entry are entries too if they end with a number, because chapters have no leaders, or
 * if another entry follows them, because long titles are wrapped.
 */
const maxLinesNear = 3;

/** Maximum length of an entry without leaders, in UTF-16 code units. */
const maxEntryCharacters = 300;

/** Minimum number of letters of its title. */
const minTitleLetters = 3;

/** Maximum number of pages on which to look for a title. It may also be a running title. */
const maxPagesOfTitle = 5;

/** Dots that lead from a title to its page number. */
const leaders = /(?:(?:\.[ \u00a0]?){4,}|(?:[….][ \u00a0]?)*…[….\s]*)(\d{1,4}|[ivxlc]{1,7})$/i;

/** The page number of an entry, and a word such as "page" before it. */
const pageNumber = /\s(\d{1,4})$/;
const lastWord = /\s\p{L}{1,6}\.?$/u;

/** The lines of each page that belong to a table of contents, which only repeats headings. */
export function findContentsLines(pages: readonly Page[]): Set<Line>[] {
  const pagesOfTitle = new Map<string, number[]>();
  for (const [index, { lines }] of pages.entries()) {
    for (const { text } of lines) {
      const title = toWords(text);
      const known = pagesOfTitle.get(title) ?? [];
      if (known.at(-1) !== index && known.length < maxPagesOfTitle) pagesOfTitle.set(title, [...known, index]);
    }
  }
  return pages.map(({ lines }, index) => {
    const entries = new Set([...findEntriesWithLeaders(lines), ...findEntriesByTitle(lines, index, pagesOfTitle)]);
    return addLinesNear(lines, entries);
  });
}

function findEntriesWithLeaders(lines: readonly Line[]): number[] {
  const entries = lines.flatMap(({ text }, index) => {
    const page = leaders.exec(text)?.[1];
    return page === undefined ? [] : [{ index, page: Number(page) }];
  });
  if (entries.length < minContentsLines) return [];
  const numbers = entries.map(({ page }) => page).filter((page) => !Number.isNaN(page));
  const ascending = numbers.filter((page, index) => page >= (numbers[index - 1] ?? 0)).length;
  return ascending < numbers.length * minAscendingShare ? [] : entries.map(({ index }) => index);
}

/** Entries whose title is a line of the page that they name. Page numbers may be shifted, by the same number for all entries. */
function findEntriesByTitle(
  lines: readonly Line[],
  own: number,
  pagesOfTitle: ReadonlyMap<string, number[]>,
): number[] {
  const byShift = new Map<number, number[]>();
  for (const [index, { text }] of lines.entries()) {
    const number = text.length > maxEntryCharacters ? undefined : pageNumber.exec(text)?.[1];
    if (number === undefined) continue;
    const title = text.slice(0, -number.length).trimEnd();
    if (title.replace(/\P{L}/gu, "").length < minTitleLetters) continue;
    const found = new Set([title, title.replace(lastWord, "")].flatMap((one) => pagesOfTitle.get(toWords(one)) ?? []));
    for (const page of found) {
      const shift = page - Number(number);
      const entries = byShift.get(shift) ?? [];
      if (page !== own) entries.push(index);
      byShift.set(shift, entries);
    }
  }
  const most = [...byShift.values()].reduce((best, next) => (next.length > best.length ? next : best), []);
  return most.length < minContentsLines ? [] : most;
}

function addLinesNear(lines: readonly Line[], entries: ReadonlySet<number>): Set<Line> {
  const found = new Set(entries);
  for (const entry of entries) {
    const near = lines.slice(Math.max(0, entry - maxLinesNear), entry + maxLinesNear + 1);
    for (const [offset, { text }] of near.entries())
      if (/\s\d{1,4}$/.test(text)) found.add(Math.max(0, entry - maxLinesNear) + offset);
  }
  let last: number | undefined;
  for (const entry of [...found].sort((one, other) => one - other)) {
    if (last !== undefined && entry - last <= maxLinesNear)
      for (let between = last + 1; between < entry; between++) found.add(between);
    last = entry;
  }
  return new Set(lines.filter((_, index) => found.has(index)));
}

const toWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
