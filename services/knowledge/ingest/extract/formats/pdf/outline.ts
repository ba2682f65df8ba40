import type { getDocumentProxy } from "unpdf";
import { HeadingPath } from "../../text-builder.ts";
import type { Line, Page } from "./lines.ts";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type OutlineItem = Awaited<ReturnType<Pdf["getOutline"]>>[number];

/** Maximum number of outline entries to read. The longest manuals have some thousand. */
const maxEntries = 5_000;

const maxLevel = 10;

/** Shorter titles, in characters without spaces, are not searched in the middle of a line. */
const minPartCharacters = 5;

interface OutlineEntry {
  /** 0-based. */
  page: number;
  /** Where the section begins, in points from the bottom of the page. Undefined if the entry names only the page. */
  y: number | undefined;
  level: number;
  title: string;
}

/** The entries of a PDF's outline that link to its pages, in order. Empty if there is no outline or it is damaged. */
export async function readOutline(pdf: Pdf): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const visit = async (items: readonly OutlineItem[], level: number) => {
    for (const { title, dest, items: inner } of items) {
      if (entries.length >= maxEntries) return;
      const place = await findPlace(pdf, dest);
      if (place !== undefined) entries.push({ ...place, level, title });
      if (level < maxLevel) await visit(inner, level + 1);
    }
  };
  // The text is useful even without its outline.
  const outline = await pdf.getOutline().catch(() => undefined);
  await visit(outline ?? [], 1);
  return entries;
}

/** The page and height of a destination (ISO 32000-1, 12.3.2.2). */
async function findPlace(pdf: Pdf, dest: OutlineItem["dest"]): Promise<Pick<OutlineEntry, "page" | "y"> | undefined> {
  try {
    const [target, kind, ...numbers] = (typeof dest === "string" ? await pdf.getDestination(dest) : dest) ?? [];
    if (target === undefined || target === null) return undefined;
    const page = typeof target === "number" ? target : await pdf.getPageIndex(target);
    const y: unknown = kind?.name === "XYZ" ? numbers[1] : kind?.name === "FitH" ? numbers[0] : undefined;
    return { page, y: typeof y === "number" ? y : undefined };
  } catch {
    return undefined; // The entry doesn't link to a page of this file.
  }
}

/** Sets the headings of an outline on the lines where they begin. */
export function markHeadings(pages: readonly Page[], outline: readonly OutlineEntry[]): void {
  const path = new HeadingPath();
  for (const entry of outline) {
    const heading = path.enter(entry.level, entry.title);
    const line = findLine(pages[entry.page]?.lines ?? [], entry);
    if (line !== undefined && heading !== undefined) line.heading = heading;
  }
}

/** The line that contains the title, or else the first line at or below the entry's height. */
function findLine(lines: readonly Line[], { title, y }: OutlineEntry): Line | undefined {
  const key = toKey(title);
  const isTitle = ({ text }: Line) => {
    const line = toKey(text);
    if (line === key) return true;
    // The outline may omit the number, and a long title may continue on the next line.
    return (
      key.length >= minPartCharacters &&
      line.length >= minPartCharacters &&
      (line.endsWith(key) || key.startsWith(line))
    );
  };
  const distance = (line: Line) => Math.abs(line.y - (y ?? line.y));
  const titles = lines.filter(isTitle).sort((one, other) => distance(one) - distance(other));
  return titles[0] ?? (y === undefined ? lines[0] : lines.find((line) => line.y <= y));
}

const toKey = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
