import type { DomElement, DomNode } from "./dom.ts";
import { isElement, isText } from "./dom.ts";
import type { Script } from "./markdown-parts.ts";
import { appendLinks, formatScript, maxExaminedLinks, toOneLine } from "./markdown-parts.ts";
import type { SpannedCell } from "./tables.ts";
import { countHeaderRows, expandSpans, toTableLines } from "./tables.ts";

/** Elements nested deeper than this are read as plain text, so that a hostile page can't exhaust the stack. */
const maxDepth = 400;

/** Maximum indentation of nested lists and quotes, in characters. */
const maxIndentation = 20;

const inlineElements: ReadonlySet<string> = new Set(
  (
    "A ABBR ACRONYM B BDI BDO BIG CITE CODE DATA DEL DFN EM FONT I INS KBD LABEL MARK NOBR Q RP RT RUBY S SAMP SMALL SPAN STRIKE STRONG SUB SUP TIME TT U VAR WBR " +
    // MathML
    "MATH MENCLOSE MERROR MFENCED MFRAC MI MMULTISCRIPTS MN MO MOVER MPADDED MROOT MROW MS MSPACE MSQRT MSTYLE MSUB MSUBSUP MSUP MTEXT MUNDER MUNDEROVER SEMANTICS"
  ).split(" "),
);

/** Elements with a prefix, such as `st1:place`, are annotations that office programs add inside paragraphs. */
const isInline = ({ tagName }: DomElement) => inlineElements.has(tagName) || tagName.includes(":");

/** Whether a table only lays out a page. A data table has rows of several cells that contain no headings or tables. */
function isLayoutTable(table: DomElement): boolean {
  if (table.querySelector("table, td h1, td h2, td h3, td h4, td h5, td h6") !== null) return true;
  return [...table.querySelectorAll("tr")].every((row) => row.children.length <= 1);
}

/**
 * An element's content as Markdown: headings, lists, tables, quotes and preformatted text. Emphasis is removed and links follow their
 * block, so that sentences can be searched and quoted. Takes time linear in the page's size.
 */
export function toMarkdown(content: DomElement): string {
  const writer = new MarkdownWriter();
  writer.writeChildren(content, 0);
  return writer.finish();
}

class MarkdownWriter {
  readonly #output: string[] = [];
  #words: string[] = [];
  #links: { text: string; url: string }[] = [];
  /** The prefixes of the next block's first line and of its other lines. */
  #prefix = { first: "", rest: "" };
  #listDepth = 0;
  #wasListItem = false;

  finish(): string {
    this.#endBlock();
    return this.#output.join("");
  }

  writeChildren(element: DomElement, depth: number): void {
    for (const child of element.childNodes) this.#write(child, depth + 1);
  }

  #write(node: DomNode, depth: number): void {
    if (isText(node) || (isElement(node) && depth > maxDepth)) this.#words.push(collapseSpace(node.textContent ?? ""));
    else if (isElement(node)) this.#writeElement(node, depth);
  }

  #writeElement(element: DomElement, depth: number): void {
    const { tagName } = element;
    if (tagName === "BR") this.#words.push("\n");
    else if (tagName === "IMG") this.#words.push(collapseSpace(element.getAttribute("alt") ?? ""));
    else if (isInline(element)) this.#writeInline(element, depth);
    else if (/^H[1-6]$/.test(tagName)) this.#writeHeading(element);
    else if (tagName === "PRE") this.#writePreformatted(element);
    else if (tagName === "UL" || tagName === "OL") this.#writeList(element, depth);
    else if (tagName === "BLOCKQUOTE") this.#writeIndented(element, depth, "> ", "> ");
    else if (tagName === "TABLE" && !isLayoutTable(element)) this.#writeTable(element);
    else {
      const isValue = tagName === "DD" && isLabel(findBeside(element, "previousSibling"));
      if (isValue) this.#words = [this.#words.join("").trimEnd(), ": "];
      else this.#endBlock();
      this.writeChildren(element, depth);
      if (!isLabel(element)) this.#endBlock();
    }
  }

  #writeInline(element: DomElement, depth: number): void {
    const url = element.tagName === "A" ? element.getAttribute("href") : null;
    // Links may be nested, and the text of each includes the text of the inner links.
    if (url !== null && this.#links.length <= maxExaminedLinks)
      this.#links.push({ text: element.textContent ?? "", url });
    const from = this.#words.length;
    const before = this.#words.at(-1) ?? "";
    this.writeChildren(element, depth);
    if (isBesideAnother(element) && /^\p{Nd}/u.test(this.#words[from] ?? "") && /\p{L}$/u.test(before)) {
      this.#words.splice(from, 0, " ");
    }
    markScript(element, this.#words, from);
  }

  #writeHeading(element: DomElement): void {
    this.#endBlock();
    const words = readWords(element);
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
    let position = readStart(list) - 1;
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

  #writeTable(table: DomElement): void {
    this.#endBlock();
    const caption = table.querySelector("caption");
    if (caption !== null) this.#emit(readWords(caption));
    this.#emit(readWordsOutsideRows(table));
    const rows = [...table.querySelectorAll("tr")];
    const cells = expandSpans(rows.map((row) => joinBySlashes(findCells(row).map(readCell))));
    const isFilled = cells.map((row) => row.some((cell) => cell !== ""));
    const filled = cells.filter((_, index) => isFilled[index]);
    const marked = countMarkedHeaders(rows.filter((_, index) => isFilled[index]));
    this.#emit([...toTableLines(filled, countHeaderRows(filled, marked))].join("\n"));
  }

  #endBlock(): void {
    const text = tidy(this.#words.join(""));
    const links = this.#links;
    this.#words = [];
    this.#links = [];
    if (text !== "") this.#emit(appendLinks(text, links));
  }

  #emit(block: string): void {
    if (block === "") return;
    const isItem = this.#listDepth > 0;
    if (this.#output.length > 0) this.#output.push(isItem && this.#wasListItem ? "\n" : "\n\n");
    this.#output.push(this.#prefix.first, block.replaceAll("\n", `\n${this.#prefix.rest}`));
    this.#prefix.first = this.#prefix.rest;
    this.#wasListItem = isItem;
  }
}

/** Whether an element is the term of a list of values: "Soup", before the definition "4.00". Both are written as one line. */
function isLabel(element: DomElement | undefined): boolean {
  const value = element?.tagName === "DT" ? findBeside(element, "nextSibling") : undefined;
  return (
    value?.tagName === "DD" &&
    ![element, value].some((one) => one && [...one.childNodes].some(isBlock)) &&
    !/[:?!]\s*$/.test(element?.textContent ?? "")
  );
}

const isBlock = (node: DomNode): boolean => isElement(node) && !isInline(node);

/** The element before or after another one. */
function findBeside(element: DomElement, direction: "previousSibling" | "nextSibling"): DomElement | undefined {
  let node = element[direction];
  while (node !== null && !isElement(node)) node = node[direction];
  return node ?? undefined;
}

/** Whether a style may separate an element from the previous one: `<span>Soup</span><span>4.00</span>` in a list of prices. */
function isBesideAnother({ tagName, parentNode, previousSibling: before }: DomElement): boolean {
  if (tagName !== "SPAN" || before === null || !isElement(before) || before.tagName !== "SPAN") return false;
  return !(parentNode && isElement(parentNode) && parentNode.tagName === "CODE");
}

const readStart = (list: DomElement): number => Number(/^\d{1,9}$/.exec(list.getAttribute("start") ?? "") ?? 1);

const rowGroups: ReadonlySet<string> = new Set(["TBODY", "THEAD", "TFOOT"]);
const tableParts: ReadonlySet<string> = new Set([...rowGroups, "TR", "CAPTION", "COLGROUP", "COL"]);

/** The text of a table outside its rows. Browsers show it before the table. */
function readWordsOutsideRows(table: DomElement): string {
  const groups = [...table.childNodes].filter((node) => isElement(node) && rowGroups.has(node.tagName));
  const words = [table, ...groups].flatMap(({ childNodes }) =>
    [...childNodes].map((node) => (isElement(node) && tableParts.has(node.tagName) ? "" : readWords(node))),
  );
  return words.filter(Boolean).join(" ");
}

/** The cells of a row, and text between them. */
const findCells = (row: DomElement): DomNode[] =>
  [...row.childNodes].filter((node) => isElement(node) || (isText(node) && node.textContent?.trim()));

/** Maximum number of column header rows. A table with more has only row headers. */
const maxHeaderRows = 4;

/**
 * Number of header rows: the rows in the table's head, or else the first rows that contain only header cells or bold text. Undefined if
 * nothing marks a header.
 */
function countMarkedHeaders(rows: readonly DomElement[]): number | undefined {
  const inHead = rows.filter((row) => row.parentElement?.tagName === "THEAD").length;
  const isHeader = (cell: DomNode) => isElement(cell) && (cell.tagName === "TH" || readWords(cell) === "");
  const isBold = (cell: DomNode) => readWords(cell) === readBold(cell);
  const countLeading = (fits: (cell: DomNode) => boolean) => rows.findIndex((row) => !findCells(row).every(fits));
  // In a table of bold text only, bold doesn't mark headers.
  const bold = countLeading(isBold) > 0 ? 1 : undefined;
  const leading = countLeading(isHeader);
  const namesRows = rows[0]?.querySelector("th") ? 0 : undefined;
  const count = inHead || (leading === 0 ? (bold ?? namesRows) : Math.max(leading, 1));
  return count !== undefined && count > maxHeaderRows ? 1 : count;
}

const readBold = (cell: DomNode): string =>
  isElement(cell) ? [...cell.querySelectorAll("b, strong")].map(readWords).join(" ") : "";

/** Joins the cells around a cell that contains only a slash: "3.3 V / 5 V" is one value, and is searched as one. */
function joinBySlashes(cells: readonly SpannedCell[]): SpannedCell[] {
  const joined: SpannedCell[] = [];
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] ?? { text: "" };
    const [before, after] = [joined.at(-1), cells[index + 1]];
    if (cell.text === "/" && before?.text && after?.text) {
      const columns = countColumns(before) + countColumns(cell) + countColumns(after);
      joined.splice(-1, 1, { ...before, text: `${before.text} / ${after.text}`, columns });
      index++;
    } else joined.push(cell);
  }
  return joined;
}

const countColumns = ({ columns = 1 }: SpannedCell): number => columns;

function readCell(cell: DomNode): SpannedCell {
  if (!isElement(cell)) return { text: readWords(cell) };
  const links = [...cell.querySelectorAll("a[href]")].slice(0, maxExaminedLinks + 1).map((link) => ({
    text: link.textContent ?? "",
    url: link.getAttribute("href") ?? "",
  }));
  const text = appendLinks(readWords(cell), links);
  return { text, columns: readSpan(cell, "colspan"), rows: readSpan(cell, "rowspan") };
}

/** A span of 0 extends to the end of the table section. */
function readSpan(cell: DomElement, name: "colspan" | "rowspan"): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? "1", 10);
  return span === 0 && name === "rowspan" ? Number.POSITIVE_INFINITY : Math.max(1, span || 1);
}

/** The whole text of an element or a text node, on one line. */
function readWords(content: DomNode): string {
  const words: string[] = [];
  const collect = (node: DomNode, depth: number) => {
    if (isText(node) || depth > maxDepth) words.push(node.textContent ?? "");
    else if (isElement(node)) {
      const separator = isInline(node) ? "" : " ";
      const from = words.push(separator, node.getAttribute("alt") ?? "");
      for (const child of node.childNodes) collect(child, depth + 1);
      markScript(node, words, from);
      words.push(separator);
    }
  };
  collect(content, 0);
  return toOneLine(words.join(""));
}

/** What the children of a MathML element are, after the base (MathML Core, 3.3.2 and 3.4.1). */
const mathParts: Readonly<Record<string, readonly (Script | undefined)[]>> = {
  MSUP: [undefined, "super"],
  MSUB: [undefined, "sub"],
  MSUBSUP: [undefined, "sub", "super"],
  MFRAC: ["numerator", "denominator"],
};

/** Inline styles that raise or lower text, as office programs export it. */
const raisedStyle = /(?:^|[;\s])vertical-align\s*:\s*(super|sub)(?!\w)/i;

/** How an element's text is raised, lowered or part of a formula. A root may be a part of a fraction. */
function findScripts(element: DomElement): Script[] {
  const { tagName, parentElement } = element;
  const [, styled] = raisedStyle.exec(element.getAttribute("style") ?? "") ?? [];
  if (tagName === "SUP" || styled?.toLowerCase() === "super") return ["super"];
  if (tagName === "SUB" || styled !== undefined) return ["sub"];
  const scripts: Script[] = tagName === "MSQRT" ? ["root"] : [];
  const parts = mathParts[parentElement?.tagName ?? ""];
  if (parts === undefined) return scripts;
  let position = 0;
  for (let node = element.previousSibling; node !== null && position < parts.length; node = node.previousSibling)
    if (isElement(node)) position++;
  const part = parts[position];
  return part === undefined ? scripts : [...scripts, part];
}

/** Marks the text of a superscript, a subscript or a part of a formula, which starts at index `from`. */
function markScript(element: DomElement, words: string[], from: number): void {
  let before = from - 1;
  while (words[before] === "") before--;
  for (const kind of findScripts(element))
    words.push(formatScript(kind, words.splice(from).join(""), words[before] ?? ""));
}

/** Collapses white space as browsers do. */
function collapseSpace(text: string): string {
  return text.replace(/[ \t\r\n\f]+/g, " ");
}

function tidy(text: string): string {
  return text
    .replace(/ {2,}/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();
}
