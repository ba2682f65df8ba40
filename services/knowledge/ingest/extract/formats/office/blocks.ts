import type { OfficeContentNode } from "officeparser";
import { appendLinks, formatScript, toOneLine } from "../markdown-parts.ts";
import { splitTables } from "../split-tables.ts";
import { replaceSymbols } from "../symbols.ts";
import type { SpannedCell } from "../tables.ts";
import { countHeaderRows, expandSpans, toTableLines, trimRow } from "../tables.ts";
import { hiddenColour } from "./prepare.ts";

/** Maximum list level, so that a hostile level can't fill memory with spaces. */
const maxListLevel = 10;

/** The text blocks of a node in officeparser's tree, followed by its notes. */
export function renderBlock(node: OfficeContentNode): string[] {
  const notes = collectNotes(node);
  const block = renderOwn(node);
  return [...(block.trim() === "" ? [] : [block]), ...notes];
}

function renderOwn(node: OfficeContentNode): string {
  switch (node.type) {
    case "heading":
      return prefixed(
        `${"#".repeat(Math.min(6, Math.max(1, node.metadata?.level ?? 1)))} `,
        toOneLine(readInline(node)),
      );
    case "list": {
      const text = appendLinks(readInline(node), findLinks(node));
      const indentation = Math.min(node.metadata?.indentation ?? 0, maxListLevel);
      const marker = node.metadata?.listType === "ordered" ? `${(node.metadata.itemIndex ?? 0) + 1}.` : "-";
      return prefixed(`${"  ".repeat(indentation)}${marker} `, text);
    }
    case "table":
      return renderTable(node.children ?? []);
    case "image":
      return node.metadata?.altText ?? "";
    case "code":
      if (isFormula(node)) return readInline(node);
      return `\`\`\`\n${readInline(node)}\n\`\`\``;
    case "comment":
    case "header":
    case "footer":
    case "slideMaster":
      return "";
    default:
      return hasBlocks(node)
        ? (node.children ?? []).flatMap(renderBlock).join("\n\n")
        : appendLinks(readInline(node), findLinks(node));
  }
}

function renderTable(rows: readonly OfficeContentNode[]): string {
  const expanded = expandSpans(rows.map((row) => (row.children ?? []).map(toSpannedCell))).map(trimRow);
  const firstOther = rows.findIndex((row) => row.children?.some((cell) => !isHeader(cell)));
  const filled = [
    ...splitTables(expanded.flatMap((cells, index) => (isBelowGap(rows, index) ? [[], cells] : [cells]))),
  ];
  const marked = firstOther === 0 ? undefined : Math.max(1, firstOther);
  return [...toTableLines(filled, countHeaderRows(filled, marked))].join("\n");
}

/** Whether empty rows of a sheet are above a row. They aren't among the rows. */
function isBelowGap(rows: readonly OfficeContentNode[], index: number): boolean {
  const [above, row] = [rows[index - 1], rows[index]].map((node) => {
    const [first] = node?.children ?? [];
    return first?.type === "cell" ? first.metadata?.row : undefined;
  });
  return above !== undefined && row !== undefined && row > above + 1;
}

function toSpannedCell(cell: OfficeContentNode): SpannedCell {
  if (cell.type !== "cell") return { text: readCell(cell) };
  const { col, colSpan, rowSpan } = cell.metadata ?? {};
  return { text: readCell(cell), column: col, columns: colSpan, rows: rowSpan };
}

/** Whether the author declared the cell's row a header. */
const isHeader = (cell: OfficeContentNode): boolean => cell.type === "cell" && cell.metadata?.style === "header";

/** The whole text of a cell. A nested table becomes plain text too, since Markdown has no nested tables. */
function readCell(cell: OfficeContentNode): string {
  const parts: string[] = [];
  const visit = (node: OfficeContentNode) => {
    if (!hasBlocks(node)) parts.push(readInline(node), ...collectNotes(node));
    else for (const child of node.children ?? []) visit(child);
  };
  visit(cell);
  return parts.join(" ");
}

/** The text of a node's runs, with the line breaks that the author typed. */
function readInline(node: OfficeContentNode): string {
  if (node.children === undefined || node.children.length === 0) {
    // Readers don't see soft hyphens, which divide words for a search.
    const text = replaceSymbols(node.text ?? "").replaceAll("\u00ad", "");
    return isFormula(node) ? tidyFormula(text) : text;
  }
  let text = "";
  let script: { kind: "super" | "sub"; text: string } | undefined;
  const endScript = () => {
    if (script !== undefined) text += formatScript(script.kind, script.text, text);
    script = undefined;
  };
  for (const child of node.children) {
    const kind = getScript(child);
    if (kind !== script?.kind) endScript();
    if (kind === undefined) text += readChild(child);
    else script = { kind, text: (script?.text ?? "") + readChild(child) };
  }
  endScript();
  return text;
}

/** A formula in LaTeX on one line. officeparser writes a fraction or root of one letter without a space before it: "\\fracx{2}". */
function tidyFormula(text: string): string {
  return text
    .replace(/^\s*\n\s*|\s*\n\s*$/g, "")
    .replace(/\s+/g, " ")
    .replace(/\\(?:frac|sqrt)(?=[a-z])/gi, "$& ");
}

function readChild(child: OfficeContentNode): string {
  if (child.type === "break") return "\n";
  if (child.type === "image") return child.metadata?.altText ?? "";
  if (isHidden(child)) return "";
  return isBlock(child) ? `\n${renderBlock(child).join("\n")}` : readInline(child);
}

/** Whether text is hidden or struck out. */
function isHidden({ formatting }: OfficeContentNode): boolean {
  return formatting?.strikethrough === true || formatting?.backgroundColor === hiddenColour;
}

function getScript({ formatting }: OfficeContentNode): "super" | "sub" | undefined {
  if (formatting?.superscript) return "super";
  return formatting?.subscript ? "sub" : undefined;
}

function findLinks(node: OfficeContentNode): { text: string; url: string }[] {
  if (node.type === "text" && node.metadata?.link !== undefined) {
    return isHidden(node) ? [] : [{ text: node.text ?? "", url: node.metadata.link }];
  }
  return (node.children ?? []).filter((child) => !isBlock(child)).flatMap(findLinks);
}

/** The notes of a block, in the order in which its text refers to them. Notes of nested blocks are excluded. */
function collectNotes(node: OfficeContentNode): string[] {
  const own = node.type === "slide" ? [] : (node.notes ?? []);
  const inside = (node.children ?? []).filter((child) => !isBlock(child)).flatMap(collectNotes);
  return [...own.map(readNote).filter((text) => text.trim() !== ""), ...inside];
}

function readNote(note: OfficeContentNode): string {
  return hasBlocks(note) ? (note.children ?? []).flatMap(renderBlock).join("\n") : readInline(note);
}

const blockTypes: ReadonlySet<OfficeContentNode["type"]> = new Set([
  "paragraph",
  "heading",
  "table",
  "list",
  "code",
  "row",
  "cell",
  "note",
  "admonition",
  "definitionList",
  "definitionTerm",
  "definitionDescription",
]);

function isBlock(node: OfficeContentNode): boolean {
  return blockTypes.has(node.type) && !isFormula(node);
}

/** Whether a node is a formula. Unlike other code, a formula is part of its paragraph. */
function isFormula(node: OfficeContentNode): boolean {
  return node.type === "code" && node.metadata?.math !== undefined;
}

function hasBlocks(node: OfficeContentNode): boolean {
  return node.children?.some(isBlock) ?? false;
}

function prefixed(prefix: string, text: string): string {
  return text.trim() === "" ? "" : prefix + text.trim();
}
