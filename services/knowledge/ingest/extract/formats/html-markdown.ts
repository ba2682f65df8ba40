import TurndownService from "turndown";
import { withLinks } from "../links.ts";
import type { DomElement, DomNode } from "./dom.ts";
import { isElement } from "./dom.ts";

const blockSelector =
  "p, li, td, th, dd, dt, blockquote, figcaption, caption, pre, h1, h2, h3, h4, h5, h6, ul, ol, dl, table, tr, div, section, article, main, figure, hr, address, details, summary, body";

const headings: ReadonlySet<string> = new Set(["H1", "H2", "H3", "H4", "H5", "H6"]);

/** Markdown of an element's content: headings, lists, tables and code; words without emphasis, links behind their block. */
export function markdownOf(content: DomElement): string {
  placeLinks(content);
  return converter(content).turndown(content as unknown as TurndownService.Node);
}

function converter(content: DomElement): TurndownService {
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
  // The text is quoted and searched: a backslash before every underscore would be in the way.
  service.escape = (text) => text;
  service.addRule("words", { filter: ["a", "em", "i", "strong", "b", "u"], replacement: (words) => words });
  service.addRule("picture", {
    filter: "img",
    replacement: (_, node) => domElement(node).getAttribute("alt")?.trim() ?? "",
  });
  service.addRule("preformatted", {
    filter: "pre",
    replacement: (_, node) => `\n\n\`\`\`\n${(node.textContent ?? "").replace(/^\n|\n$/g, "")}\n\`\`\`\n\n`,
  });
  addListRule(service);
  addTableRules(service, layoutTables(content));
  return service;
}

function addListRule(service: TurndownService): void {
  const itemsSeen = new WeakMap<DomElement, number>();
  service.addRule("item", {
    filter: "li",
    replacement: (words, node) => {
      const list = domElement(node).parentElement;
      const position = (list === null ? 0 : (itemsSeen.get(list) ?? 0)) + 1;
      if (list !== null) itemsSeen.set(list, position);
      const marker = list?.tagName === "OL" ? `${position}. ` : "- ";
      const lines = words
        .trim()
        .replace(/\n{2,}/g, "\n")
        .split("\n");
      return lines.join("") === "" ? "" : `\n${marker}${lines.join(`\n${" ".repeat(marker.length)}`)}\n`;
    },
  });
}

function addTableRules(service: TurndownService, layout: ReadonlySet<DomElement>): void {
  const isLayout = (node: unknown) => layout.has(domElement(node).closest("table") ?? domElement(node));
  service.addRule("cell", {
    filter: ["td", "th"],
    replacement: (words, node) =>
      isLayout(node) ? `\n\n${words}\n\n` : ` ${words.replace(/\s+/g, " ").trim().replaceAll("|", "\\|")} |`,
  });
  service.addRule("row", {
    filter: "tr",
    replacement: (cells, node) => (isLayout(node) ? cells : renderRow(cells, domElement(node))),
  });
  service.addRule("table", {
    filter: "table",
    replacement: (rows, node) => `\n\n${isLayout(node) ? rows : rows.replace(/\n+/g, "\n").trim()}\n\n`,
  });
}

/** Tables that hold tables arrange the page; they are no data. */
function layoutTables(content: DomElement): ReadonlySet<DomElement> {
  const layout = new Set<DomElement>();
  for (const inner of content.querySelectorAll("table table")) {
    let outer = inner.parentElement?.closest("table");
    while (outer && !layout.has(outer)) {
      layout.add(outer);
      outer = outer.parentElement?.closest("table");
    }
  }
  return layout;
}

/** Turndown hands over the very nodes it was given. */
function domElement(node: unknown): DomElement {
  return node as DomElement;
}

/** The first row is followed by the line that makes a Markdown table. */
function renderRow(cells: string, row: DomElement): string {
  if (!/[^\s|]/.test(cells)) return "";
  const isFirst = row.closest("table")?.querySelector("tr") === row;
  const columns = row.children.length;
  return `\n|${cells}${isFirst ? `\n|${" --- |".repeat(columns)}` : ""}`;
}

/** Replaces links by their words and puts the targets behind the block that they stand in. */
function placeLinks(content: DomElement): void {
  const linksOfBlock = new Map<DomElement, DomElement[]>();
  for (const link of content.querySelectorAll("a[href]")) {
    const block = link.parentElement?.closest(blockSelector) ?? content;
    const links = linksOfBlock.get(block) ?? [];
    links.push(link);
    linksOfBlock.set(block, links);
  }
  for (const [block, links] of linksOfBlock) {
    if (headings.has(block.tagName)) continue;
    const words = links.map((link) => ({ text: link.textContent ?? "", url: link.getAttribute("href") ?? "" }));
    const own = ownText(block);
    const placed = withLinks(own, words);
    if (placed === own) continue;
    const [only] = links;
    if (placed.startsWith("[") && links.length === 1 && only !== undefined) {
      only.textContent = placed;
      continue;
    }
    const last = topmostWithin(block, links.at(-1));
    const anchor = nextBlock(last);
    block.insertBefore(block.ownerDocument.createTextNode(placed.slice(own.trimEnd().length)), anchor);
  }
}

/** A block's words without those of blocks inside it. */
function ownText(block: DomElement): string {
  const parts: string[] = [];
  for (const child of block.childNodes) {
    if (!isElement(child) || !child.matches(blockSelector)) parts.push(child.textContent ?? "");
  }
  return parts.join("").trim();
}

function topmostWithin(block: DomElement, element: DomElement | undefined): DomNode | null {
  let node: DomNode | null = element ?? null;
  while (node !== null && node.parentNode !== block) node = node.parentNode;
  return node;
}

function nextBlock(node: DomNode | null): DomNode | null {
  let next = node?.nextSibling ?? null;
  while (next !== null && !(isElement(next) && next.matches(blockSelector))) next = next.nextSibling;
  return next;
}
