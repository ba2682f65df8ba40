import type { Product } from "@agent-backends/contract";
import { buildMarkdownLink, escapeMarkdown, unescapeMarkdown } from "./text.ts";

const maxNameLength = 60;
const maxTaglineLength = 100;
const unknown = "–";

/**
 * Renders a Markdown table: a header row, and one row per product in the given order, numbered from `offset` + 1. A list sorted by comments
 * or dates shows these.
 */
export function renderProductTable(
  products: readonly Product[],
  { offset = 0, sort }: { offset?: number; sort?: string | undefined } = {},
): string {
  const column = sort === undefined ? undefined : extraColumns[sort];
  const rows = products.map((product, index) => [
    String(offset + index + 1),
    buildMarkdownLink(product.name, product.url, maxNameLength),
    escapeMarkdown(product.tagline, maxTaglineLength) || unknown,
    product.votesCount === null ? unknown : String(product.votesCount),
    ...(column ? [column.cell(product) ?? unknown] : []),
  ]);
  const header = ["#", "Product", "Tagline", "Votes", ...(column ? [column.name] : [])];
  const alignment = ["--:", "---", "---", "--:", ...(column ? ["--:"] : [])];
  return [header, alignment, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const extraColumns: Record<string, { name: string; cell: (product: Product) => string | undefined }> = {
  comments: { name: "Comments", cell: ({ commentsCount }) => commentsCount?.toString() },
  date: {
    name: "Launched (UTC)",
    cell: ({ featuredAt, createdAt }) => (featuredAt ?? createdAt)?.slice(0, 16).replace("T", " "),
  },
};

/** Table rows with a number in the first cell. */
const row = /^\| *\d+ *\|.*$/gm;
const linkLabel = /^\[((?:[^\]\\]|\\.)*)\]\(/;
const maxTableCharacters = 50_000;

/** The names in the last table of a text, unescaped. */
export function readProductNames(markdown: string): string[] {
  const text = markdown.slice(-maxTableCharacters);
  const rows = text.slice(Math.max(0, text.lastIndexOf("| # |"))).match(row) ?? [];
  return rows.map((line) => {
    const name = line.split(/(?<!\\)\|/)[2]?.trim() ?? "";
    return unescapeMarkdown(linkLabel.exec(name)?.[1] ?? name);
  });
}
