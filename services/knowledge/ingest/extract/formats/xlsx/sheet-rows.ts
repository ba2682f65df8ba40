import { getAttribute, scanXml } from "../scan-xml.ts";
import { padToColumn, trimRow } from "../tables.ts";
import { MergedCells, parseReference } from "./merged-cells.ts";
import { significantDigits } from "./number-format.ts";
import type { Workbook } from "./workbook.ts";
import { decodeEscapes, isStrike } from "./workbook.ts";

/** Maximum number of columns of a worksheet in Excel. */
const maxColumns = 16_384;

interface Cell {
  type: string;
  style: number;
  text: string;
}

/**
 * The rows of a worksheet, as Excel shows them, without hidden rows and columns. One row without cells stands for empty rows between
 * others.
 *
 * @param isFiltered whether a filter hides rows; such rows are kept, because they are hidden only temporarily
 */
export function* readRows(xml: string, workbook: Workbook, isFiltered: boolean): Generator<string[], void, undefined> {
  const merged = new MergedCells(xml);
  const hiddenColumns = new Set<number>();
  let row: string[] = [];
  let rowNumber = 0;
  let lastRow = 0;
  let cell: Cell | undefined;
  let isValue = false;
  let isStruck = false;
  let isHidden = false;
  for (const token of scanXml(xml)) {
    if (token.type === "text") {
      if (isValue && !isStruck && cell !== undefined) cell.text += token.text;
      continue;
    }
    const isOpenTag = token.type === "open";
    if (token.name === "row" && token.type === "open") {
      row = [];
      rowNumber = Number(getAttribute(token.attributes, "r") ?? rowNumber + 1);
      isHidden = !isFiltered && isMarkedHidden(token.attributes);
    } else if (token.name === "row" && row.some((text) => text.trim() !== "")) {
      if (rowNumber > lastRow + 1) yield [];
      lastRow = rowNumber;
      merged.fill(row, rowNumber);
      const shown = hiddenColumns.size === 0 ? row : row.filter((_, column) => !hiddenColumns.has(column));
      if (!isHidden) yield trimRow(shown);
    } else if (token.name === "c" && token.type === "open") {
      const { attributes } = token;
      padToColumn(row, parseReference(getAttribute(attributes, "r") ?? "")?.column ?? 0);
      cell = {
        type: getAttribute(attributes, "t") ?? "n",
        style: Number(getAttribute(attributes, "s") ?? 0),
        text: "",
      };
    } else if (token.name === "c") {
      if (cell !== undefined) row.push(formatCell(cell, workbook));
      cell = undefined;
    } else if (token.name === "v" || token.name === "t") isValue = isOpenTag;
    else if (token.name === "r") isStruck = false;
    else if (isStrike(token)) isStruck = true;
    else if (token.name === "col" && token.type === "open" && isMarkedHidden(token.attributes)) {
      const [first, last] = [getAttribute(token.attributes, "min"), getAttribute(token.attributes, "max")].map(Number);
      for (let column = Number(first); column <= Math.min(Number(last), maxColumns); column++)
        hiddenColumns.add(column - 1);
    }
    // Excel shows neither formulas nor phonetic guides.
    else if (token.name === "f" || token.name === "rPh") isValue = false;
  }
}

/** Whether a row or columns are hidden other than by a collapsed group. */
const isMarkedHidden = (attributes: string): boolean =>
  /^(1|true)$/.test(getAttribute(attributes, "hidden") ?? "") &&
  Number(getAttribute(attributes, "outlineLevel") ?? 0) === 0;

function formatCell({ type, style, text }: Cell, workbook: Workbook): string {
  if (workbook.struckStyles.has(style)) return "";
  switch (type) {
    case "s":
      return workbook.sharedStrings[Number(text)] ?? "";
    case "b":
      return text.trim() === "1" ? "TRUE" : "FALSE";
    case "n": {
      const number = Number(text);
      if (text.trim() === "" || !Number.isFinite(number)) return text.trim();
      // 0.3 may be stored as 0.30000000000000004.
      return workbook.formats[style]?.(number) ?? String(Number(number.toPrecision(significantDigits)));
    }
    case "d":
      return text.trim().replace(/T00:00:00(\.0+)?Z?$/, "");
    default:
      return decodeEscapes(text);
  }
}
