import type { Product } from "@agent-backends/contract";
import { escapeMarkdown, markdownLink } from "./text.ts";

const maxNameLength = 60;
const maxTaglineLength = 100;
const unknown = "–";

/** Renders a Markdown table: a header row and one row per product in the given order, numbered from `offset` + 1. */
export function renderProductTable(products: readonly Product[], offset = 0): string {
  const rows = products.map((product, index) => [
    String(offset + index + 1),
    markdownLink(product.name, product.url, maxNameLength),
    escapeMarkdown(product.tagline, maxTaglineLength) || unknown,
    product.votesCount === null ? unknown : String(product.votesCount),
  ]);
  return [["#", "Product", "Tagline", "Votes"], ["--:", "---", "---", "--:"], ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
