import { maxLinksLookedAt, withLinks } from "../links.ts";
import type { DomElement, DomNode } from "./dom.ts";
import { isElement, isText } from "./dom.ts";

/** Elements nested deeper than this are read as plain words, so that no page can exhaust the stack. */
const maxDepth = 400;

/** Deeper lists and quotes are indented no further. */
const maxIndentation = 20;

const inlineElements: ReadonlySet<string> = new Set(
  (
    "A ABBR ACRONYM B BDI BDO BIG CITE CODE DATA DEL DFN EM FONT I INS KBD LABEL MARK NOBR Q RP RT RUBY S SAMP SMALL SPAN STRIKE STRONG SUB SUP TIME TT U VAR WBR " +
    // MathML
    "MATH MENCLOSE MERROR MFENCED MFRAC MI MMULTISCRIPTS MN MO MOVER MPADDED MROOT MROW MS MSPACE MSQRT MSTYLE MSUB MSUBSUP MSUP MTEXT MUNDER MUNDEROVER SEMANTICS"
  ).split(" "),
);

/** Elements with a prefix are what office programs note among the words of a paragraph, such as `st1:place`. */
const isInline = ({ tagName }: DomElement) => inlineElements.has(tagName) || tagName.includes(":");

/** Columns and other places made with a table, where a table of data has rows of several cells without headings in them. */
function isLayout(table: DomElement): boolean {
  if (table.querySelector("table, td h1, td h2, td h3, td h4, td h5, td h6") !== null) return true;
  return [...table.querySelectorAll("tr")].every((row) => row.children.length <= 1);
}

/**
 * Markdown of an element's content: headings, lists, tables, quotes and preformatted text. Words stand without emphasis, so
 * that they can be searched and quoted, and the targets of links behind the block they are in. Takes time linear in the
 * page's size.
 */
export function markdownOf(content: DomElement): string {
  const writer = new MarkdownWriter();
  writer.writeChildren(content, 0);
  return writer.finish();
}

class MarkdownWriter {
  readonly #output: string[] = [];
  #words: string[] = [];
  #links: { text: string; url: string }[] = [];
  /** What the next block's first line and its further lines begin with. */
  #prefix = { first: "", rest: "" };
  #listDepth = 0;
  #lastWasItem = false;

  finish(): string {
    this.#endBlock();
    return this.#output.join("");
  }

  writeChildren(element: DomElement, depth: number): void {
    for (const child of element.childNodes) this.#write(child, depth + 1);
  }

  #write(node: DomNode, depth: number): void {
    if (isText(node) || (isElement(node) && depth > maxDepth)) this.#words.push(collapsed(node.textContent ?? ""));
    else if (isElement(node)) this.#writeElement(node, depth);
  }

  #writeElement(element: DomElement, depth: number): void {
    const { tagName } = element;
    if (tagName === "BR") this.#words.push("\n");
    else if (tagName === "IMG") this.#words.push(collapsed(element.getAttribute("alt") ?? ""));
    else if (isInline(element)) this.#writeInline(element, depth);
    else if (/^H[1-6]$/.test(tagName)) this.#writeHeading(element);
    else if (tagName === "PRE") this.#writePreformatted(element);
    else if (tagName === "UL" || tagName === "OL") this.#writeList(element, depth);
    else if (tagName === "BLOCKQUOTE") this.#writeIndented(element, depth, "> ", "> ");
    else if (tagName === "TABLE" && !isLayout(element)) this.#writeTable(element);
    else {
      this.#endBlock();
      this.writeChildren(element, depth);
      this.#endBlock();
    }
  }

  #writeInline(element: DomElement, depth: number): void {
    const url = element.tagName === "A" ? element.getAttribute("href") : null;
    // Links may be nested, so that the words of each are those of all in it.
    if (url !== null && this.#links.length <= maxLinksLookedAt)
      this.#links.push({ text: element.textContent ?? "", url });
    this.writeChildren(element, depth);
  }

  #writeHeading(element: DomElement): void {
    this.#endBlock();
    const words = wordsOf(element);
    if (words !== "") this.#emit(`${"#".repeat(Number(element.tagName.slice(1)))} ${words}`);
  }

  #writePreformatted(element: DomElement): void {
    this.#endBlock();
    const code = (element.textContent ?? "").replace(/^\n|\s+$/g, "");
    if (code.trim() !== "") this.#emit(`\`\`\`\n${code}\n\`\`\``);
  }

  #writeList(list: DomElement, depth: number): void {
    this.#endBlock();
    this.#listDepth++;
    let position = 0;
    for (const child of list.childNodes) {
      if (!isElement(child)) continue;
      position++;
      const marker = list.tagName === "OL" ? `${position}. ` : "- ";
      if (child.tagName === "LI") this.#writeIndented(child, depth + 1, marker, " ".repeat(marker.length));
      else this.#write(child, depth + 1);
    }
    this.#endBlock();
    this.#listDepth--;
  }

  #writeIndented(element: DomElement, depth: number, first: string, rest: string): void {
    this.#endBlock();
    const outer = this.#prefix.rest;
    if (outer.length < maxIndentation) this.#prefix = { first: outer + first, rest: outer + rest };
    this.writeChildren(element, depth);
    this.#endBlock();
    this.#prefix = { first: outer, rest: outer };
  }

  /** A row as a line of cells; the line under the first one makes it a Markdown table. */
  #writeTable(table: DomElement): void {
    this.#endBlock();
    const caption = table.querySelector("caption");
    if (caption !== null) this.#emit(wordsOf(caption));
    this.#emit(wordsBesideRows(table));
    const lines: string[] = [];
    for (const row of table.querySelectorAll("tr")) {
      const cells = joinBySlashes(cellsOf(row).map(cellText));
      if (cells.every((cell) => cell === "")) continue;
      lines.push(`| ${cells.join(" | ")} |`);
      if (lines.length === 1) lines.push(`|${" --- |".repeat(cells.length)}`);
    }
    this.#emit(lines.join("\n"));
  }

  #endBlock(): void {
    const text = tidied(this.#words.join(""));
    const links = this.#links;
    this.#words = [];
    this.#links = [];
    if (text !== "") this.#emit(withLinks(text, links));
  }

  #emit(block: string): void {
    if (block === "") return;
    const isItem = this.#listDepth > 0;
    if (this.#output.length > 0) this.#output.push(isItem && this.#lastWasItem ? "\n" : "\n\n");
    this.#output.push(this.#prefix.first, block.replaceAll("\n", `\n${this.#prefix.rest}`));
    this.#prefix.first = this.#prefix.rest;
    this.#lastWasItem = isItem;
  }
}

const rowGroups: ReadonlySet<string> = new Set(["TBODY", "THEAD", "TFOOT"]);
const tableParts: ReadonlySet<string> = new Set([...rowGroups, "TR", "CAPTION", "COLGROUP", "COL"]);

/** Words of a table that stand in none of its rows. Browsers show them before the table. */
function wordsBesideRows(table: DomElement): string {
  const groups = [...table.childNodes].filter((node) => isElement(node) && rowGroups.has(node.tagName));
  const words = [table, ...groups].flatMap(({ childNodes }) =>
    [...childNodes].map((node) => (isElement(node) && tableParts.has(node.tagName) ? "" : wordsOf(node))),
  );
  return words.filter(Boolean).join(" ");
}

/** What a row holds, words between its cells included. */
const cellsOf = (row: DomElement): DomNode[] =>
  [...row.childNodes].filter((node) => isElement(node) || (isText(node) && node.textContent?.trim()));

/** Joins the cells around one that holds nothing but a slash: "3.3 V / 5 V" is one value, and is searched as such. */
function joinBySlashes(cells: readonly string[]): string[] {
  const joined: string[] = [];
  for (let index = 0; index < cells.length; index++) {
    const [cell = "", next] = cells.slice(index, index + 2);
    if (cell === "/" && joined.at(-1) && next) {
      joined.push(`${joined.pop()} / ${next}`);
      index++;
    } else joined.push(cell);
  }
  return joined;
}

function cellText(cell: DomNode): string {
  if (!isElement(cell)) return wordsOf(cell).replaceAll("|", "\\|");
  const links = [...cell.querySelectorAll("a[href]")].slice(0, maxLinksLookedAt + 1).map((link) => ({
    text: link.textContent ?? "",
    url: link.getAttribute("href") ?? "",
  }));
  return withLinks(wordsOf(cell), links).replaceAll("|", "\\|");
}

/** All words of an element, or of a text, on one line. */
function wordsOf(content: DomNode): string {
  const words: string[] = [];
  const collect = (node: DomNode, depth: number) => {
    if (isText(node) || depth > maxDepth) words.push(node.textContent ?? "");
    else if (isElement(node)) {
      const separator = isInline(node) ? "" : " ";
      words.push(separator, node.getAttribute("alt") ?? "");
      for (const child of node.childNodes) collect(child, depth + 1);
      words.push(separator);
    }
  };
  collect(content, 0);
  return words.join("").replace(/\s+/g, " ").trim();
}

/** White space as a browser shows it. */
function collapsed(text: string): string {
  return text.replace(/[ \t\r\n\f]+/g, " ");
}

function tidied(text: string): string {
  return text
    .replace(/ {2,}/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();
}
