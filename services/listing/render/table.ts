import type { Product } from "@agent-backends/contract";
import { escapeMarkdown, markdownLink } from "./text.ts";

const nameLength = 60;
const taglineLength = 100;
const unknown = "–";

/** A Markdown table: a header row and one row for each product, in the given order, numbered from behind `offset`. */
export function productTable(products: readonly Product[], offset = 0): string {
  const rows = products.map((product, index) => [
    String(offset + index + 1),
    markdownLink(product.name, product.url, nameLength),
    escapeMarkdown(product.tagline, taglineLength) || unknown,
    product.votesCount === null ? unknown : String(product.votesCount),
  ]);
  return [["#", "Product", "Tagline", "Votes"], ["--:", "---", "---", "--:"], ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
