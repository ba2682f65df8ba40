import type { OfficeContentNode } from "officeparser";
import { withLinks } from "../links.ts";

/** Deeper lists are indented no further, so that a hostile level can't fill memory with spaces. */
const maxListIndentation = 10;

/** Cells left empty before another are kept, so that columns stay columns; but not more than this. */
const maxEmptyCells = 100;

/** The blocks of text that a node of officeparser's tree stands for, its notes after them. */
export function renderBlock(node: OfficeContentNode): string[] {
  const notes = collectNotes(node);
  const block = renderOwn(node);
  return [...(block.trim() === "" ? [] : [block]), ...notes];
}

function renderOwn(node: OfficeContentNode): string {
  switch (node.type) {
    case "heading":
      return prefixed(`${"#".repeat(Math.min(6, Math.max(1, node.metadata?.level ?? 1)))} `, oneLine(inlineText(node)));
    case "list": {
      const text = withLinks(inlineText(node), linksOf(node));
      const indentation = Math.min(node.metadata?.indentation ?? 0, maxListIndentation);
      const marker = node.metadata?.listType === "ordered" ? `${(node.metadata.itemIndex ?? 0) + 1}.` : "-";
      return prefixed(`${"  ".repeat(indentation)}${marker} `, text);
    }
    case "table":
      return renderTable(node.children ?? []);
    case "image":
      return node.metadata?.altText ?? "";
    case "code":
      if (isFormula(node)) return node.text ?? "";
      return `\`\`\`\n${inlineText(node)}\n\`\`\``;
    case "comment":
    case "header":
    case "footer":
    case "slideMaster":
      return "";
    default:
      return hasBlocks(node)
        ? (node.children ?? []).flatMap(renderBlock).join("\n\n")
        : withLinks(inlineText(node), linksOf(node));
  }
}

/** A row as a line of cells; the line under the first one makes it a Markdown table. */
function renderTable(rows: readonly OfficeContentNode[]): string {
  const lines: string[] = [];
  for (const row of rows) {
    const cells: string[] = [];
    for (const cell of row.children ?? []) {
      const column = cell.type === "cell" ? (cell.metadata?.col ?? 0) : 0;
      const empty = Math.min(column - cells.length, maxEmptyCells);
      for (let count = 0; count < empty; count++) cells.push("");
      cells.push(oneLine(cellText(cell)).replaceAll("|", "\\|"));
    }
    while (cells.at(-1) === "") cells.pop();
    if (cells.length === 0) continue;
    lines.push(`| ${cells.join(" | ")} |`);
    if (lines.length === 1) lines.push(`|${" --- |".repeat(cells.length)}`);
  }
  return lines.join("\n");
}

/** All words inside a cell; a table in it becomes words too, as Markdown has no tables in tables. */
function cellText(cell: OfficeContentNode): string {
  const parts: string[] = [];
  const visit = (node: OfficeContentNode) => {
    if (!hasBlocks(node)) parts.push(inlineText(node), ...collectNotes(node));
    else for (const child of node.children ?? []) visit(child);
  };
  visit(cell);
  return parts.join(" ");
}

/** The words of a node's runs; line breaks the author typed are kept. */
function inlineText(node: OfficeContentNode): string {
  if (node.children === undefined || node.children.length === 0) return node.text ?? "";
  return node.children
    .map((child) => {
      if (child.type === "break") return "\n";
      if (child.type === "image") return child.metadata?.altText ?? "";
      return isBlock(child) ? `\n${renderBlock(child).join("\n")}` : inlineText(child);
    })
    .join("");
}

function linksOf(node: OfficeContentNode): { text: string; url: string }[] {
  if (node.type === "text" && node.metadata?.link !== undefined) {
    return [{ text: node.text ?? "", url: node.metadata.link }];
  }
  return (node.children ?? []).filter((child) => !isBlock(child)).flatMap(linksOf);
}

/** Notes of a block, in the order in which the text refers to them; those of blocks inside it are rendered there. */
function collectNotes(node: OfficeContentNode): string[] {
  const own = node.type === "slide" ? [] : (node.notes ?? []);
  const inside = (node.children ?? []).filter((child) => !isBlock(child)).flatMap(collectNotes);
  return [...own.map((note) => noteText(note)).filter((text) => text.trim() !== ""), ...inside];
}

function noteText(note: OfficeContentNode): string {
  return hasBlocks(note) ? (note.children ?? []).flatMap(renderBlock).join("\n") : inlineText(note);
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

/** A formula stands among the words of its paragraph. */
function isFormula(node: OfficeContentNode): boolean {
  return node.type === "code" && node.metadata?.math !== undefined;
}

function hasBlocks(node: OfficeContentNode): boolean {
  return node.children?.some(isBlock) ?? false;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function prefixed(prefix: string, text: string): string {
  return text.trim() === "" ? "" : prefix + text.trim();
}
